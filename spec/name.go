package spec

import "strings"

// BareRoots returns the names that no param may have, because they have a meaning in expressions,
// such as ${item}. A root such as page is not among them: if a param is named page, ${page} is the
// param, and ${page.url} is the address of the page.
func BareRoots() []string { return []string{"item", "index", "modifier"} }

// IsNamespace reports whether s may name a namespace: [a-z][a-z0-9-]*.
func IsNamespace(s string) bool {
	return s != "" && isLower(s[0]) && all(s, func(c byte) bool { return isLower(c) || isDigit(c) || c == '-' })
}

// IsAction reports whether s is component:verb. Both parts follow the rules of IsNamespace.
func IsAction(s string) bool {
	component, verb, ok := strings.Cut(s, ":")
	return ok && IsNamespace(component) && IsNamespace(verb)
}

// IsName reports whether s may name a param, an output, an alias or the `as`
// of a block: [A-Za-z_][A-Za-z0-9_-]*.
func IsName(s string) bool {
	return s != "" && isWordStart(s[0]) && all(s, func(c byte) bool { return isWordStart(c) || isDigit(c) || c == '-' })
}

// IsEnvName reports whether s may name an environment variable.
func IsEnvName(s string) bool {
	return s != "" && isWordStart(s[0]) && all(s, func(c byte) bool { return isWordStart(c) || isDigit(c) })
}

// IsSemVer reports whether s is a version of three numbers, with an optional pre-release and build,
// as defined by SemVer 2.0.0.
func IsSemVer(s string) bool {
	s, build, hasBuild := strings.Cut(s, "+")
	if hasBuild && !identifiers(build, false) {
		return false
	}
	s, pre, hasPre := strings.Cut(s, "-")
	if hasPre && !identifiers(pre, true) {
		return false
	}
	parts := strings.Split(s, ".")
	for _, p := range parts {
		if !isNumber(p) {
			return false
		}
	}
	return len(parts) == 3
}

// identifiers reports whether s consists of identifiers separated by dots. If strict is set,
// numbers must not have a leading zero.
func identifiers(s string, strict bool) bool {
	for _, id := range strings.Split(s, ".") {
		if id == "" || !all(id, func(c byte) bool { return isLower(c) || c >= 'A' && c <= 'Z' || isDigit(c) || c == '-' }) {
			return false
		}
		if strict && all(id, isDigit) && !isNumber(id) {
			return false
		}
	}
	return true
}

func isNumber(s string) bool {
	return s != "" && len(s) <= 18 && all(s, isDigit) && (s == "0" || s[0] != '0')
}

func all(s string, ok func(byte) bool) bool {
	for i := 0; i < len(s); i++ {
		if !ok(s[i]) {
			return false
		}
	}
	return true
}

func isLower(c byte) bool     { return 'a' <= c && c <= 'z' }
func isDigit(c byte) bool     { return '0' <= c && c <= '9' }
func isWordStart(c byte) bool { return isLower(c) || 'A' <= c && c <= 'Z' || c == '_' }
