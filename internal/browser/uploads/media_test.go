package uploads

import "testing"

func TestAccepts(t *testing.T) {
	tests := []struct {
		accept, name string
		want         bool
	}{
		{"", "a.exe", true},
		{".pdf", "a.pdf", true},
		{".pdf", "A.PDF", true},
		{" .doc , .docx ", "a.docx", true},
		{".pdf", "a.png", false},
		{".tar.gz", "a.tar.gz", true},
		{"image/*", "a.png", true},
		{"image/*", "a.txt", false},
		{"image/jpg", "a.jpeg", true},
		{"text/csv", "a.csv", true},
		{"application/vnd.ms-excel", "a.csv", true},
		{"image/*", "no ending", false},
		{"image/*", "a.neverheardof", true},
		{"image/*,.heic", "a.heic", true},
		{"*/*", "a.txt", true},
		{"*", "a.txt", true},
		{"images", "a.txt", true},
	}
	for _, tt := range tests {
		if got := Accepts(tt.accept, tt.name); got != tt.want {
			t.Errorf("Accepts(%q, %q) = %v, want %v", tt.accept, tt.name, got, tt.want)
		}
	}
}
