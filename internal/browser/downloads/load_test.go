package downloads

import (
	"encoding/json"
	"testing"

	"github.com/actionregistry/action/internal/browser/cdp"
)

func TestLoad(t *testing.T) {
	const cont, stop = "Fetch.continueResponse r", "Fetch.failRequest r Aborted"
	for _, tt := range []struct {
		name    string
		event   string // the params of Fetch.requestPaused, without the id
		sent    string
		status  int
		failure string
	}{
		{"a page", `"frameId":"f","responseStatusCode":200,"responseHeaders":[{"name":"A","value":"b"}]`, cont + " A: b Content-Disposition: attachment", 0, ""},
		{"a file with a name", `"frameId":"f","responseStatusCode":200,"responseHeaders":[{"name":"content-disposition","value":"inline; filename=a.pdf"}]`,
			cont + " Content-Disposition: attachment; filename=a.pdf", 0, ""},
		{"a redirect", `"frameId":"f","responseStatusCode":302`, cont, 0, ""},
		{"an error of the server", `"frameId":"f","responseStatusCode":404`, stop, 404, ""},
		{"no content", `"frameId":"f","responseStatusCode":204`, stop, 204, ""},
		{"a failure", `"frameId":"f","responseErrorReason":"ConnectionRefused"`, stop, 0, "https://a.test/ net::ERR_CONNECTION_REFUSED"},
		{"another frame", `"frameId":"g","responseStatusCode":404`, cont, 0, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t)
			l, err := f.Load(t.Context(), "f")
			if err != nil {
				t.Fatal(err)
			}
			f.wantSent("Browser.setDownloadBehavior allowAndName", "Target.attachToTarget f", "Fetch.enable")
			e := &cdp.Event{Session: "s1", Method: "Fetch.requestPaused", Params: json.RawMessage(`{"requestId":"r","request":{"url":"https://a.test/"},` + tt.event + `}`)}
			explain := func(address, failure string) string { return address + " " + failure }
			f.Paused(e, explain)
			f.wantSent(tt.sent)
			if status, failure := l.Refused(); status != tt.status || failure != tt.failure {
				t.Errorf("refused: %d %q, want %d %q", status, failure, tt.status, tt.failure)
			}
			other := *e
			other.Session = "s2"
			f.Paused(&other, explain)
			l.End()
			f.Paused(e, explain) // which comes too late
			f.wantSent("Target.detachFromTarget s1")
		})
	}
}
