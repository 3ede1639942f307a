package definitions

// The variables of a caller.

import "strings"

func lookup(environ []string, name string) string {
	value, _ := Variables(environ)(name)
	return value
}

// Variables returns a function like [os.LookupEnv] for environ, a list of NAME=value. If a name
// occurs several times, the last entry counts.
func Variables(environ []string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		for i := len(environ) - 1; i >= 0; i-- {
			if value, ok := strings.CutPrefix(environ[i], name+"="); ok {
				return value, true
			}
		}
		return "", false
	}
}
