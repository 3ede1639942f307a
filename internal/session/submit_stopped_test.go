package session_test

// submitStopped are forms of several kinds: forms that the browser does not send because a field is
// invalid, although the page has sent another request before; forms with a refused request whose page
// reports success; and similar forms that succeed.
var submitStopped = []sentForm{
	{"a token first, then a field that is missing", sendsLate(`<label>Mail <input name=m type=email required></label>`, `fetch('/late/200').then(()=>f.requestSubmit())`), "the browser finds Mail invalid"},
	{"a token by POST first, then a box", sendsLate(`<label><input type=checkbox required>I accept</label>`, `fetch('/late/200',{method:'POST'}).then(()=>f.requestSubmit())`), "the browser finds I accept invalid"},
	{"a token first, then a hidden box", sendsLate(`<input type=checkbox required hidden name=terms>`, `fetch('/late/200').then(()=>f.requestSubmit())`), "the browser finds"},
	{"a token first, then a pattern", sendsLate(`<label>Zip <input pattern="[0-9]{5}" value=12></label>`, `fetch('/late/200').then(()=>f.requestSubmit())`), "the browser finds Zip invalid"},
	{"a token first, then a list", sendsLate(`<label>Kind <select required><option value="">Choose<option>A</select></label>`, `setTimeout(()=>f.reportValidity()&&f.submit(),300)`), "the browser finds Kind invalid"},
	{"its own check of a field", sendsLate(`<label>Mail <input name=m type=email required></label>`, `fetch('/late/200').then(()=>f.checkValidity()&&f.submit())`), "the browser finds Mail invalid"},
	{"a field that the page writes, then one that is missing", sendsLate(`<label>Mail <input name=m type=email required></label><label>Code <input name=c></label>`, `fetch('/late/200').then(()=>{f.c.value='17';f.requestSubmit()})`), "invalid"},
	{"a token first, and no field is invalid", sendsLate(`<label>Mail <input name=m type=email required value=a@b.example></label>`, `fetch('/x/200').then(()=>f.requestSubmit())`), ""},
	{"a field that is put right", sendsLate(`<label>Zip <input name=z required></label>`, `fetch('/x/200').then(()=>{f.checkValidity();f.z.value='12345';f.requestSubmit()})`), ""},
	{"a check of the next entry", sendsNothing(`fetch('/x/200',{method:'POST'}).then(()=>{m.textContent='Saved';f.n.value='';f.n.required=true;f.checkValidity()})`), ""},
	{"a check of the next entry without words", sendsNothing(`fetch('/x/200',{method:'POST'}).then(()=>{f.n.value='';f.n.required=true;f.checkValidity()})`), ""},
	{"a draft, and what it still wants", sendsLate(`<label>Mail <input name=m type=email required></label>`, `fetch('/late/200',{method:'POST'}).then(()=>{f.checkValidity();o.textContent='Draft saved'})`), ""},

	{"409, then PUT", saysSaved(`let r=await fetch('/x/409',{method:'POST'});if(!r.ok)await fetch('/x/200',{method:'PUT'});`), ""},
	{"another server, after 502", saysSaved(`let r=await fetch('/x/502',{method:'POST'});if(!r.ok)await fetch('/y/200',{method:'POST'});`), ""},
	{"another query, after 401", saysSaved(`await fetch('/x/401?1',{method:'POST'});await fetch('/x/200');await fetch('/x/200?2',{method:'POST'});`), ""},
	{"a refused request beside", saysSaved(`fetch('/x/403',{method:'POST'});await fetch('/late/200',{method:'POST'});`), ""},
	{"a refused request beside, later", saysSaved(`await fetch('/late/200',{method:'POST'});fetch('/x/403',{method:'POST'});`), ""},
	{"a refused beacon beside", saysSaved(`navigator.sendBeacon('/x/403','n');await fetch('/late/200',{method:'POST'});`), ""},
	{"nothing but a refusal", saysSaved(`await fetch('/x/500',{method:'POST'});`), "the server refused POST"},
	{"words before the refusal, and a request beside", sendsLate(``, `o.textContent='Saved';fetch('/x/200',{method:'POST'});fetch('/late/500',{method:'POST'})`), "the server refused POST"},
	{"a request beside, and no words", sendsNothing(`fetch('/x/409',{method:'POST'}).then(()=>fetch('/x/200',{method:'PUT'}))`), "the server refused POST"},
}

// sendsLate returns a form with an additional field, whose button only runs a script.
func sendsLate(field, script string) string {
	return `<form id=f action=/x/thanks method=post><label>Name <input name=n value=Ann></label>` + field + `<button id=b type=button>Send</button></form><div id=o role=status></div><script>b.onclick=()=>{` + script + `}</script>`
}

// saysSaved returns a form that runs script, after which the page says that the entry is saved.
func saysSaved(script string) string {
	return `<form id=f><label>Name <input name=n value=Ann></label><button>Save customer</button></form><div id=o role=status></div><script>f.onsubmit=async(e)=>{e.preventDefault();` + script + `o.textContent='Customer saved'}</script>`
}
