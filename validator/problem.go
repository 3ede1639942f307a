package validator

// What all checks of definitions share.

import (
	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/spec"
)

// A checker collects the errors of one job.
type checker struct {
	*catalog
	ns   *spec.Namespace
	list diag.List
}

func (c *checker) bad(pos diag.Pos, format string, args ...any) *diag.Error {
	e := diag.At(pos, diag.DefinitionInvalid, format, args...)
	c.list.Add(e)
	return e
}

func orElse(s, other string) string {
	if s != "" {
		return s
	}
	return other
}
