// Package rodflag keeps the rod library from reading this program's command line.
// While the process starts, rod looks through all arguments for "--rod", which
// may well be the param of somebody's action; a value that it does not know ends
// the process there, and one that it knows switches on tracing, delays or an HTTP
// server. Nothing else is done here, and nothing may be imported but os.
//
// Go initialises packages that are ready in the order of their import paths, and
// this one's stands before rod's: so the switch is set before rod looks. A test of
// the command holds that.
package rodflag

import "os"

func init() {
	// rod only asks whether the variable is there. The error is for names that no
	// variable can have.
	_ = os.Setenv("DISABLE_ROD_FLAG", "1")
}
