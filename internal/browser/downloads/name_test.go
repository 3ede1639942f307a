package downloads

import (
	"strings"
	"testing"
)

func TestFileName(t *testing.T) {
	for suggested, want := range map[string]string{
		"report.csv":                    "report.csv",
		"../../etc/passwd":              "passwd",
		`..\..\boot.ini`:                "boot.ini",
		"..":                            "download",
		"":                              "download",
		".bashrc":                       "bashrc",
		"a/":                            "download",
		"x\x00y\x1b[31m\u202egpj.exe":   "xy[31mgpj.exe",
		"Bericht Größe (1).pdf":         "Bericht Größe (1).pdf",
		strings.Repeat("ä", 300) + ".c": strings.Repeat("ä", 99) + ".c",
		"bad\xff.txt":                   "bad.txt",
	} {
		if got := FileName(suggested); got != want {
			t.Errorf("FileName(%q) = %q, want %q", suggested, got, want)
		}
	}
}
