package session_test

// submitAgain are forms of several kinds: forms after which a button asks for another press; forms
// that lead to a sign-in with only a field for the e-mail address; forms whose page says that the
// entry already exists; and similar forms that succeed.
var submitAgain = []sentForm{
	{"a button that asks once more", sendsNothing(`f.querySelector('button').textContent='Press once more to send'`), "Press once more to send"},
	{"a button that asks once more, in Russian", sendsNothing(`f.querySelector('button').textContent='Нажмите ещё раз'`), "Нажмите ещё раз"},
	{"a button that asks once more, in French", sendsNothing(`f.querySelector('button').textContent='Cliquez encore une fois'`), "encore une fois"},
	{"a button that asks once more, in Polish", sendsNothing(`f.querySelector('button').textContent='Kliknij ponownie'`), "ponownie"},
	{"a button that says something else", sendsNothing(`f.querySelector('button').textContent='Two left'`), "only a button has changed"},
	{"a button that says something else, in Greek", sendsNothing(`f.querySelector('button').textContent='Δύο ακόμη'`), "Δύο ακόμη"},
	{"another button", sendsNothing(`f.querySelector('button').outerHTML='<button>Continue</button>'`), "Continue"},
	{"a button that says that it was stored", sendsNothing(`localStorage.n=f.n.value;f.querySelector('button').textContent='Stored'`), ""},
	{"a button that says that it was stored, in Russian", sendsNothing(`localStorage.n=f.n.value;f.querySelector('button').textContent='Сохранено'`), ""},
	{"a button with a tick", sendsNothing(`localStorage.n=f.n.value;f.querySelector('button').textContent='✓'`), ""},
	{"a button that is renamed, and a list", sendsNothing(`localStorage.n=f.n.value;f.querySelector('button').textContent='Add another';o.innerHTML='<ul><li>Ann</ul>'`), ""},
	{"a button that is renamed after it was sent", sendsNothing(`fetch('/x/200',{method:'POST'}).then(()=>{f.querySelector('button').textContent='Two left'})`), "its button now says"},
	{"a button beside an empty field", sendsNothing(`localStorage.n=f.n.value;f.n.value='';f.querySelector('button').textContent='Two left'`), ""},

	{"a form to sign in by an address, in place of it", sendsNothing(`fetch('/x/200',{method:'POST'}).then(()=>{f.outerHTML='<form><label>E-mail <input type=email></label><button>Sign in</button></form>'})`), "asks to sign in"},
	{"a form to sign in by an address, as a page", `<form method=post action=/x/mail><label>Name <input name=n></label><button>Save</button></form>`, "asks to sign in"},
	{"a form to sign in by a name, as a page", `<form method=post action=/x/name><label>Name <input name=n></label><button>Save</button></form>`, "asks to sign in"},
	{"a form to sign in by a link, as a page", `<form method=post action=/x/magic><label>Name <input name=n></label><button>Save</button></form>`, "asks to sign in"},
	{"a form to sign in, in German, as a page", `<form method=post action=/x/anmelden><label>Name <input name=n></label><button>Save</button></form>`, "asks to sign in"},
	{"fields to sign in that are no form", `<form method=post action=/x/formless><label>Name <input name=n></label><button>Save</button></form>`, "asks to sign in"},
	{"a form to sign in that was there before", `<header><form><input type=email aria-label=E-mail><button type=button>Log in</button></form></header><form id=f method=post action=/x/header><label>Name <input name=n value=Ann></label><button id=b>Save</button></form>`, ""},
	{"a letter of news in the footer", `<form method=post action=/x/news><label>Name <input name=n value=Ann></label><button>Save</button></form>`, ""},
	{"a link to sign in, and a letter of news", `<form method=post action=/x/thanked><label>Name <input name=n></label><button>Save</button></form>`, ""},
	{"settings with a part about signing in", `<form method=post action=/x/settings><label>Name <input name=n></label><button>Save</button></form>`, ""},

	{"what is there already, and an empty field", sendsNothing(`fetch('/x/200',{method:'POST'}).then(()=>{f.n.value='';m.textContent='Customer Ada exists already'})`), "exists already"},
	{"one of that name, and an empty field", sendsNothing(`fetch('/x/200',{method:'POST'}).then(()=>{f.n.value='';m.textContent='There is already a customer named Ada'})`), "There is already"},
	{"what is there already, in Italian", sendsNothing(`fetch('/x/200',{method:'POST'}).then(()=>{f.n.value='';m.textContent='Il cliente esiste già'})`), "esiste già"},
	{"what is there already, in Hungarian", sendsNothing(`fetch('/x/200',{method:'POST'}).then(()=>{f.n.value='';m.textContent='Az ügyfél már létezik'})`), "már létezik"},
	{"a success beside an empty field", sendsNothing(`fetch('/x/200',{method:'POST'}).then(()=>{f.n.value='';m.textContent='Ada was added'})`), ""},
	{"other words beside an empty field", sendsNothing(`fetch('/x/200',{method:'POST'}).then(()=>{f.n.value='';m.textContent='Ada, Oslo'})`), noSuccess},

	{"a beacon that the server refuses", sendsNothing(`navigator.sendBeacon('/x/500','n');m.textContent='Done'`), "the server refused POST"},
	{"a beacon that is refused late", sendsNothing(`navigator.sendBeacon('/late/500','n');m.textContent='Done'`), "the server refused POST"},
	{"a fetch that outlives its page, refused", sendsNothing(`fetch('/x/500',{method:'POST',body:'n',keepalive:true});m.textContent='Done'`), "the server refused POST"},
	{"a beacon that is taken", sendsNothing(`navigator.sendBeacon('/x/204','n');m.textContent='Done'`), ""},
	{"a beacon that is sent once more", sendsNothing(`navigator.sendBeacon('/once','n');setTimeout(()=>navigator.sendBeacon('/once','n'),200);m.textContent='Done'`), ""},
	{"taken at the second try", sendsNothing(`fetch('/a/once',{method:'POST'}).then(()=>fetch('/a/once',{method:'POST'})).then(()=>{m.textContent='Saved'})`), ""},
	{"refused, and another one taken at the second try", sendsNothing(`fetch('/x/500',{method:'POST'}).then(()=>fetch('/b/once',{method:'POST'})).then(()=>fetch('/b/once',{method:'POST'})).then(()=>{m.textContent='Not all is saved'})`), "/x/500: HTTP 500"},
	{"a beacon of telemetry that is refused", sendsNothing(`navigator.sendBeacon('/collect','n');navigator.sendBeacon('/telemetry/500','n');navigator.sendBeacon('/stats/500','n');fetch('/x/200',{method:'POST'}).then(()=>{m.textContent='Saved'})`), ""},
	{"a beacon to others that is refused", sendsNothing(`navigator.sendBeacon('http://localhost:1/x/500','n');fetch('/x/200',{method:'POST'}).then(()=>{m.textContent='Saved'})`), ""},

	{"a new tab that the server refuses", `<form target=_blank method=post action=/x/500><label>Name <input name=n></label><button>Save</button></form>`, "is HTTP 500"},
	{"a new tab with a name, refused late", `<form target=results method=post action=/late/422><label>Name <input name=n></label><button>Save</button></form>`, "is HTTP 422"},
	{"a new tab with a name", `<form target=results method=post action=/x/thanks><label>Name <input name=n></label><button>Save</button></form>`, ""},
	{"a new tab with an answer that comes late", `<form target=_blank method=post action=/late/200><label>Name <input name=n></label><button>Save</button></form>`, ""},
}

// sendsNothing returns a form that runs script instead of being sent.
func sendsNothing(script string) string {
	return `<form id=f onsubmit="event.preventDefault();go()"><label>Name <input name=n value=Ann></label><button>Save</button><div id=m></div></form><div id=o></div><script>function go(){` + script + `}</script>`
}
