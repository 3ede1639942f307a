package main

import (
	"context"

	"github.com/actionregistry/action/validator"
)

type schemaCmd struct{}

// Run prints the JSON Schema of definition files.
func (*schemaCmd) Run(_ context.Context, a *app) error {
	_, err := a.stdout.Write(append(validator.SchemaJSON(), '\n'))
	return err
}
