package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/actionregistry/action/validator"
)

type schemaOptions struct{ *factory }

func newSchemaCmd(f *factory, runF func(context.Context, *schemaOptions) error) *cobra.Command {
	return f.takes(&cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of definition files",
		Example: "action schema >action.schema.json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return call(cmd, &schemaOptions{f}, runF, runSchema)
		},
	})
}

// runSchema prints the JSON Schema of definition files.
func runSchema(_ context.Context, o *schemaOptions) error {
	_, err := o.stdout.Write(append(validator.SchemaJSON(), '\n'))
	return err
}
