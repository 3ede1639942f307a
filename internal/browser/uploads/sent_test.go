package uploads

import (
	"slices"
	"testing"

	"github.com/actionregistry/action/internal/browser/network"
	"github.com/actionregistry/action/internal/driver"
)

// sentOf returns what a tab has sent: one request for each body, answered with the status.
func sentOf(status int, bodies ...*Body) *Sent {
	traffic := new(network.Traffic)
	traffic.Init()
	s := &Sent{least: shortText, whole: 1000, sessions: []string{"s"}}
	s.Init(nil, traffic)
	for _, b := range bodies {
		v := &network.RequestWillBeSent{RequestID: "r", LoaderID: "doc", FrameID: "main", Document: "https://a.test/"}
		v.Request.Method, v.Request.URL, v.Request.HasBody = "POST", "https://a.test/up", true
		v.Request.Headers = []byte(`{"content-type": "` + b.kind + `"}`)
		noted := s.Note(v, traffic.NoteSent("s", v, network.Origin{Number: 1, Main: "main"}))
		noted.text = b.text
		answer := &network.ResponseReceived{RequestID: "r"}
		answer.Response.Status = status
		traffic.NoteAnswer(answer)
	}
	return s
}

func body(kind, text string) *Body { return &Body{kind: kind, text: &text} }

func TestWhichFilesAreSent(t *testing.T) {
	const form = "multipart/form-data; boundary=b"
	part := func(name string) string {
		return `Content-Disposition: form-data; name="f"; filename="` + name + "\"\r\n"
	}
	names := []string{"a.txt", "b.txt"}
	tests := []struct {
		name    string
		bodies  []*Body
		lacking []string
		want    []string
	}{
		{"nothing", nil, names, names},
		{"nothing is lacking", nil, nil, nil},
		{"both in one", []*Body{body(form, part("a.txt")+part("b.txt"))}, names, nil},
		{"one of them", []*Body{body(form, part("a.txt"))}, names, []string{"b.txt"}},
		{"one in each", []*Body{body(form, part("a.txt")), body(form, part("b.txt"))}, names, nil},
		{"one without a name", []*Body{body(form, part("a.txt")), body("application/octet-stream", "x")}, names, nil},
		{"a short text is no file", []*Body{body("application/json", `{"seen": "a.txt"}`)}, names, names},
		{"names in JSON, quoted", []*Body{body(form, part("x")+part("y")+`["a.txt","b.txt"]`)}, names, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := sentOf(200, tt.bodies...).Unsent(t.Context(), names, tt.lacking, 0); !slices.Equal(got, tt.want) {
				t.Errorf("not sent: %q, want %q", got, tt.want)
			}
		})
	}
}

func TestRefusedFiles(t *testing.T) {
	for status, want := range map[int]struct {
		refused, again bool
	}{200: {}, 302: {}, 400: {true, false}, 409: {true, true}, 413: {true, false}, 503: {true, true}} {
		s := sentOf(status, body("application/octet-stream", "x"))
		if says, again := s.Refused(t.Context(), 0, false, false); (says != "") != want.refused || again != want.again {
			t.Errorf("HTTP %d: refused with %q, again %v; want %+v", status, says, again, want)
		}
		if says, _ := s.Refused(t.Context(), 1, false, false); says != "" || !s.Answered(0) || s.Count() != 1 {
			t.Errorf("HTTP %d: of what was sent before: %q, answered %v, %d bodies", status, says, s.Answered(0), s.Count())
		}
	}
}

// The length from which a text may contain a file depends on the smallest file.
func TestLengthOfATextThatHoldsAFile(t *testing.T) {
	tests := []struct {
		files        []driver.UploadFile
		least, whole int64
	}{
		{[]driver.UploadFile{{Path: "a.pdf", Size: 100_000}}, 5000, 100_000},
		{[]driver.UploadFile{{Path: "a.pdf", Size: 100}}, 100, 100},
		{[]driver.UploadFile{{Path: "a.png", Size: 100_000}}, shortText, 100_000},
		{[]driver.UploadFile{{Path: "a.pdf", Size: 100_000}, {Path: "b.pdf", Size: 1000}}, shortText, 1000},
		{[]driver.UploadFile{{Path: "folder", Folder: true}}, 0, 0},
	}
	for _, tt := range tests {
		if least, whole := leastText(tt.files); least != tt.least || whole != tt.whole {
			t.Errorf("%+v: %d and %d, want %d and %d", tt.files, least, whole, tt.least, tt.whole)
		}
	}
}
