package executor

import (
	"regexp"
	"strings"
)

// urlMatches reports what [steps.Waiter.WaitURL] would wait for, of a URL that is
// known: equal or a part of it; a glob where the pattern has a "*"; RE2 between
// slashes.
func urlMatches(pattern, url string) bool {
	var source string
	switch {
	case len(pattern) > 2 && strings.HasPrefix(pattern, "/") && strings.HasSuffix(pattern, "/"):
		source = pattern[1 : len(pattern)-1]
	case strings.Contains(pattern, "*"):
		parts := strings.Split(pattern, "*")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		source = "^" + strings.Join(parts, ".*") + "$"
	default:
		return strings.Contains(url, pattern)
	}
	re, err := regexp.Compile(source)
	return err == nil && re.MatchString(url)
}
