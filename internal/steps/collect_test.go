package steps

import (
	"strings"
	"testing"
)

func TestJoinRows(t *testing.T) {
	rows := func(s string) (list []map[string]any) {
		for _, f := range strings.Fields(s) {
			list = append(list, map[string]any{"text": f, "tags": []any{f}})
		}
		return list
	}
	tests := []struct{ name, all, view, want string }{
		{"first view", "", "a b", "a b"},
		{"nothing drawn", "a b", "", "a b"},
		{"in part", "a b c", "b c d", "a b c d"},
		{"one in common", "a b c", "c d e", "a b c d e"},
		{"not moved", "a b c", "a b c", "a b c"},
		{"the longest part", "a b a b", "a b a b c", "a b a b c"},
		{"alike rows", "a a", "a a b", "a a b"},
		{"none in common", "a b c", "d e", "lost"},
		{"in another order", "a b c", "b a d", "lost"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			joined, ok := joinRows(rows(tt.all), rows(tt.view))
			var texts []string
			for _, row := range joined {
				texts = append(texts, row["text"].(string))
			}
			got := strings.Join(texts, " ")
			if !ok {
				got = "lost"
			}
			if got != tt.want {
				t.Errorf("%q and %q: got %q, want %q", tt.all, tt.view, got, tt.want)
			}
		})
	}
}
