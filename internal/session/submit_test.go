package session_test

import (
	"fmt"
	"net/http"
	"path"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// TestFormSubmitComplaints tests messages that refuse a form, and messages that do not.
func TestFormSubmitComplaints(t *testing.T) {
	t.Parallel()
	html := ""
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			code, _ := strconv.Atoi(path.Base(r.URL.Path))
			if strings.HasPrefix(r.URL.Path, "/slow") {
				select {
				case <-time.After(800 * time.Millisecond):
				case <-r.Context().Done():
				}
			}
			w.WriteHeader(code)
			fmt.Fprint(w, "<!doctype html><title>t</title><h1>answer</h1><table><tr><td>7</table>")
			switch path.Dir(r.URL.Path) {
			case "/again":
				fmt.Fprint(w, `<form method=post><label>Name <input name=n></label><span style="color:red">Name is required</span><button>Save</button></form>`)
			case "/next":
				fmt.Fprint(w, `<form method=post><label>Code <input name=code></label><label>Name <input name=n></label><span>The code must be 6 digits</span><button>Next</button></form>`)
			case "/field":
				fmt.Fprint(w, `<form method=post><label>Name <input name=n></label><div class=field-error>Only letters, please</div><button>Save</button></form>`)
			case "/flash":
				fmt.Fprint(w, `<div class="flash alert">Your card was declined</div>`)
			case "/banner":
				fmt.Fprint(w, `<div class="alert alert-danger">Something broke</div>`)
			}
			return
		}
		fmt.Fprint(w, "<!doctype html><meta charset=utf-8><title>t</title><h1>T</h1>"+html)
	}))
	b := newBench(t, nil, nil)
	type row struct{ html, complaint string }
	for i, tt := range testkit.Some(t, "forms", 10, []row{
		{`<form onsubmit="event.preventDefault();a.ariaInvalid='true';m.textContent='Name is required'"><label for=a>Name</label><input id=a aria-describedby=m><p id=m></p><button>Save</button></form>`, "Name is required"},
		{`<form onsubmit="event.preventDefault();a.ariaInvalid='true';m.textContent='Name is bad'"><label for=a>Name</label><input id=a aria-errormessage=m><p id=m></p><button>Save</button></form>`, "Name is bad"},
		{`<form onsubmit="event.preventDefault();a.classList.add('is-invalid')"><style>.invalid-feedback{display:none}.is-invalid~.invalid-feedback{display:block}</style><label for=a>Name</label><input id=a><div class=invalid-feedback>Give a name</div><button>Save</button></form>`, "Give a name"},
		{`<form method=post action=/x/422><button>Save</button></form>`, "HTTP 422"},
		{`<form method=post action=/x/500><button>Save</button></form>`, "HTTP 500"},
		{`<form method=post action=/x/200><button>Save</button></form>`, ""},
		{`<form onsubmit="event.preventDefault();fetch('/x/422',{method:'POST'})"><button>Save</button></form>`, "HTTP 422"},
		{`<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>fetch('/gone'))"><button>Save</button></form>`, ""},
		{`<form onsubmit="event.preventDefault();fetch('/telemetry/400',{method:'POST'});r.textContent='Stored'"><button>Save</button></form><p id=r></p>`, ""},
		{`<form onsubmit="event.preventDefault();r.innerHTML='<div class=\'alert alert-success\' role=alert>Saved!</div>'"><label>Name <input></label><button>Save</button></form><div id=r></div>`, ""},
		{`<div role=alert>Beta version</div><form onsubmit="event.preventDefault();r.textContent='Stored'"><button>Save</button></form><p id=r></p>`, ""},
		{`<form onsubmit="event.preventDefault();r.innerHTML='<div role=alert>Could not be saved</div>'"><button>Save</button></form><div id=r></div>`, "Could not be saved"},
		{`<form onsubmit="event.preventDefault();r.innerHTML='<div role=alert>Your changes were saved</div>'"><button>Save</button></form><div id=r></div>`, ""},
		{`<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>setTimeout(()=>{r.innerHTML='<div role=alert class=alert-danger>Taken</div>'},300))"><button>Save</button></form><div id=r></div>`, "Taken"},
		{`<form onsubmit="event.preventDefault();r.innerHTML='<div role=alert class=\'MuiAlert-root MuiAlert-standardWarning\'>Quota nearly used</div>'"><button>Save</button></form><div id=r></div>`, ""},
		{`<div role=alert id=w>Fill the form</div><form onsubmit="event.preventDefault();w.textContent='Name is missing'"><button>Save</button></form>`, "Name is missing"},
		{`<form onsubmit="event.preventDefault();r.innerHTML='<ul class=errorlist><li>This field is required.</ul>'"><div id=r></div><button>Save</button></form>`, "This field is required."},
		{`<form onsubmit="event.preventDefault();history.pushState(0,0,'#done')"><button>Save</button></form>`, ""},
		{`<div role=alert id=w style="display:none">Name is taken</div><form onsubmit="event.preventDefault();w.style.display=''"><button>Save</button></form>`, "Name is taken"},
		// A slow answer, followed by an error.
		{`<form onsubmit="event.preventDefault();fetch('/slow/200',{method:'POST'}).then(()=>{r.innerHTML='<div role=alert>Name is taken</div>'})"><button>Save</button></form><div id=r></div>`, "Name is taken"},
		// The same complaint as before the press: it disappears and appears again, or is a new
		// element.
		{`<div id=r><div role=alert>Name is invalid</div></div><form onsubmit="event.preventDefault();r.innerHTML='';fetch('/x/200',{method:'POST'}).then(()=>setTimeout(()=>{r.innerHTML='<div role=alert>Name is invalid</div>'},200))"><button>Save</button></form>`, "Name is invalid"},
		{`<div id=r><div role=alert>Name is invalid</div></div><form onsubmit="event.preventDefault();r.innerHTML='<div role=alert>Name is invalid</div>'"><button>Save</button></form>`, "Name is invalid"},
		{`<div id=r><div role=alert>Beta version</div></div><form onsubmit="event.preventDefault();r.innerHTML='<div role=alert>Beta version</div>';this.b.textContent='Again'"><button name=b>Save</button></form>`, ""},
		// Toasts, and messages in the form itself or in the next form.
		{`<form onsubmit="event.preventDefault();r.textContent='Could not save the order'"><button>Save</button></form><div id=r role=status></div>`, "Could not save"},
		{`<form onsubmit="event.preventDefault();r.textContent='Saved without errors'"><button>Save</button></form><div id=r role=status></div>`, ""},
		{`<form onsubmit="event.preventDefault();r.textContent='Loaded 3 of 9'"><button>Save</button></form><div id=r aria-live=polite></div>`, ""},
		{`<form onsubmit="event.preventDefault();r.innerHTML='<div role=alert>Your order was placed. Please check your mail.</div>'"><button>Save</button></form><div id=r></div>`, ""},
		{`<form method=post action=/again/200><label>Name <input name=n></label><button>Save</button></form>`, "Name is required"},
		{`<form method=post action=/next/200><label>Name <input name=n></label><button>Save</button></form>`, ""},
		{`<form method=post action=/banner/200><label>Name <input name=n></label><button>Save</button></form>`, "Something broke"},
		{`<form onsubmit="event.preventDefault();this.innerHTML='<p>Password must be long</p><input name=password type=password>'"><label>Name <input name=n></label><button>Save</button></form>`, ""},
		{`<form method=post action=/flash/200><label>Name <input name=n></label><button>Save</button></form>`, "card was declined"},
		{`<form method=post action=/field/200><label>Name <input name=n></label><button>Save</button></form>`, "Only letters"},
		{`<form onsubmit="event.preventDefault();r.textContent='Oops, something went wrong'"><button>Save</button></form><div id=r class=toast></div>`, "something went wrong"},
		{`<form onsubmit="event.preventDefault();r.textContent='Please check your inbox'"><button>Save</button></form><div id=r role=status></div>`, ""},
		{`<form onsubmit="return confirm('Send it?')" method=post action=/x/200><button>Save</button></form>`, "Send it?"},
		{`<form onsubmit="event.preventDefault();alert('Could not save')"><button>Save</button></form>`, "Could not save"},
		{`<form onsubmit="event.preventDefault();alert('Saved')"><button>Save</button></form>`, ""},
	}) {
		html = tt.html
		b.open(t, base+"/?"+strconv.Itoa(i))
		r := b.run(t, "components:form:submit", nil)
		if tt.complaint != "" {
			if r.Error == nil {
				t.Errorf("%s: succeeded, want %q", tt.html, tt.complaint)
				continue
			}
			wantError(t, r, diag.StepFailed, tt.complaint)
		} else if r.Error != nil {
			t.Errorf("%s: %v", tt.html, r.Error)
		}
	}
}

// TestFormErrorsReadsAlerts checks that form:errors includes plain alerts.
func TestFormErrorsReadsAlerts(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<!doctype html><title>t</title><form><label for=a>Name</label><input id=a aria-invalid=true aria-describedby=m><p id=m role=alert>Name is bad</p>
			<div role=alert>Look again</div><div role=alert class=alert-success>Saved</div><div role=alert></div><button>Save</button></form>`)
	}))
	b := newBench(t, nil, nil)
	b.open(t, base)
	r := b.mustRun(t, "components:form:errors", nil)
	want(t, r, "count", "2")
}
