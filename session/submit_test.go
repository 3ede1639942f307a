package session_test

import (
	"fmt"
	"net/http"
	"path"
	"strconv"
	"testing"

	"actionregistry/diag"
)

// TestFormSubmitComplaints: what says that a form was refused, and what does not.
func TestFormSubmitComplaints(t *testing.T) {
	html := ""
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			code, _ := strconv.Atoi(path.Base(r.URL.Path))
			w.WriteHeader(code)
			fmt.Fprint(w, "<title>t</title><h1>answer</h1>")
			return
		}
		fmt.Fprint(w, "<!doctype html><meta charset=utf-8><title>t</title><h1>T</h1>"+html)
	}))
	b := newBench(t, nil, nil)
	for i, tt := range []struct{ html, complaint string }{
		{`<form onsubmit="event.preventDefault();a.ariaInvalid='true';m.textContent='Name is required'"><label for=a>Name</label><input id=a aria-describedby=m><p id=m></p><button>Save</button></form>`, "Name is required"},
		{`<form onsubmit="event.preventDefault();a.ariaInvalid='true';m.textContent='Name is bad'"><label for=a>Name</label><input id=a aria-errormessage=m><p id=m></p><button>Save</button></form>`, "Name is bad"},
		{`<form onsubmit="event.preventDefault();a.classList.add('is-invalid')"><style>.invalid-feedback{display:none}.is-invalid~.invalid-feedback{display:block}</style><label for=a>Name</label><input id=a><div class=invalid-feedback>Give a name</div><button>Save</button></form>`, "Give a name"},
		{`<form method=post action=/x/422><button>Save</button></form>`, "HTTP 422"},
		{`<form method=post action=/x/500><button>Save</button></form>`, "HTTP 500"},
		{`<form method=post action=/x/200><button>Save</button></form>`, ""},
		{`<form onsubmit="event.preventDefault();fetch('/x/422',{method:'POST'})"><button>Save</button></form>`, "HTTP 422"},
		{`<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>fetch('/gone'))"><button>Save</button></form>`, ""},
		{`<form onsubmit="event.preventDefault();fetch('/telemetry/400',{method:'POST'})"><button>Save</button></form>`, ""},
		{`<form onsubmit="event.preventDefault();r.innerHTML='<div class=\'alert alert-success\' role=alert>Saved!</div>'"><label>Name <input></label><button>Save</button></form><div id=r></div>`, ""},
		{`<div role=alert>Beta version</div><form onsubmit="event.preventDefault()"><button>Save</button></form>`, ""},
		{`<form onsubmit="event.preventDefault();r.innerHTML='<div role=alert>Could not be saved</div>'"><button>Save</button></form><div id=r></div>`, "Could not be saved"},
		{`<form onsubmit="event.preventDefault();r.innerHTML='<div role=alert>Your changes were saved</div>'"><button>Save</button></form><div id=r></div>`, ""},
		{`<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>setTimeout(()=>{r.innerHTML='<div role=alert class=alert-danger>Taken</div>'},300))"><button>Save</button></form><div id=r></div>`, "Taken"},
		{`<form onsubmit="event.preventDefault();r.innerHTML='<div role=alert class=\'MuiAlert-root MuiAlert-standardWarning\'>Quota nearly used</div>'"><button>Save</button></form><div id=r></div>`, ""},
		{`<div role=alert id=w>Fill the form</div><form onsubmit="event.preventDefault();w.textContent='Name is missing'"><button>Save</button></form>`, "Name is missing"},
		{`<form onsubmit="event.preventDefault();r.innerHTML='<ul class=errorlist><li>This field is required.</ul>'"><div id=r></div><button>Save</button></form>`, "This field is required."},
		{`<form onsubmit="event.preventDefault();history.pushState(0,0,'#done')"><button>Save</button></form>`, ""},
		{`<div role=alert id=w style="display:none">Name is taken</div><form onsubmit="event.preventDefault();w.style.display=''"><button>Save</button></form>`, "Name is taken"},
	} {
		html = tt.html
		b.open(t, base+"/?"+strconv.Itoa(i))
		r := b.run(t, "components:form:submit", nil)
		if tt.complaint != "" {
			wantError(t, r, diag.StepFailed, tt.complaint)
		} else if r.Error != nil {
			t.Errorf("%s: %v", tt.html, r.Error)
		}
	}
}
