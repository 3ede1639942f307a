package session_test

import (
	"fmt"
	"strings"
)

// held returns a form that keeps the typed value and runs script instead of being sent. The
// variable e is an empty element of the form. If sent is set, the page posts the form with fetch
// first.
func held(sent bool, script string) string {
	post := ""
	if sent {
		post = "await fetch('/x/200',{method:'POST'});"
	}
	return `<div id=up></div><form id=f><label>Name <input name=n value="Ada Byron"></label><label>E-mail <input name=m value=ada@x.test></label><p id=e></p><button id=b>Save</button></form><div id=below></div>
		<script>f.onsubmit=async(event)=>{event.preventDefault();` + post + script + `}</script>`
}

// wordsIn returns a form that puts words into the element with this id, which is in the form or
// beside it.
func wordsIn(sent bool, id, words string) string {
	return held(sent, fmt.Sprintf("%s.textContent=%q", id, words))
}

// leads returns a form that leads to another page.
func leads(to string) string {
	return `<form method=post action=/x/` + to + `><label>Name <input name=n value="Ada Byron"></label><button>Save</button></form>`
}

// leadsWith returns a form with two fields that leads to another page.
func leadsWith(to, name string) string {
	return `<form method=post action=/x/` + to + `><label>Name <input name=n value="` + name + `"></label><label>E-mail <input name=m value="` + name + `"></label><button>Save</button></form>`
}

const (
	noSuccess = "has no known words of success"
	noneTaken = "it had no effect: the form still holds"
)

// submitDoubts are forms that do not change, while the page says or asks something in unknown words
// or ways.
var submitDoubts = []sentForm{
	{"a line in French", wordsIn(false, "e", "Renseignez votre numéro"), noSuccess},
	{"a line in Dutch", wordsIn(false, "e", "Vul een nummer in"), noSuccess},
	{"a line in Korean", wordsIn(false, "e", "전화번호를 적어 주세요"), noSuccess},
	{"a line in Icelandic", wordsIn(true, "e", "Veldu annað nafn"), "the form says"},
	{"a line in Latin above all", wordsIn(true, "up", "Elige aliud nomen"), "the form says"},
	{"a colon", wordsIn(false, "up", "E-mail: domain out of range"), noSuccess},
	{"a limit at the top of the page", "<h2>New customer</h2><p>All fields</p>" + held(true, `document.body.prepend('Your plan has room for five customers. ',Object.assign(document.createElement('b'),{textContent:'Upgrade'}))`), noSuccess},
	{"words of an unknown element", held(true, `e.outerHTML='<x-hint>Pick another name</x-hint>'`), noSuccess},
	{"a heading with links", held(false, `up.innerHTML='<h2>There is something to do</h2><ul><li><a href=#n>Give your full name</a></li></ul>'`), noSuccess},
	{"words on the button", wordsIn(true, "b", "Failed – again?"), "its buttons say"},
	{"a button that offers to try again", wordsIn(true, "b", "Try again"), "its buttons say"},
	{"a button that offers to try again, in German", wordsIn(true, "b", "Erneut versuchen"), "its buttons say"},
	{"words of success on the button", wordsIn(true, "b", "Saved ✓"), ""},
	{"words and an emptied field", held(true, `e.textContent='Pick a shorter one';f.m.value=''`), noSuccess},
	{"words and another field", held(true, `e.textContent='This way only';b.insertAdjacentHTML('beforebegin','<label>Reason <textarea name=r></textarea></label>')`), noSuccess},
	{"a challenge in a frame", held(false, `below.innerHTML='<div style="position:fixed;inset:80px;background:#fff"><iframe srcdoc="<p>Select all lights</p>"></iframe></div>'`), noneTaken},
	{"a puzzle", held(false, `below.innerHTML='<div style="position:fixed;inset:80px;background:#fff">Drag the piece to complete the puzzle <input type=range></div>'`), "no known words of success"},
	{"a puzzle in Chinese", held(false, `e.textContent='拖动滑块完成拼图'`), noSuccess},
	{"a slider in the form", held(false, `e.innerHTML='<input type=range>'`), noneTaken},
	{"a box that asks for the password", held(true, `below.innerHTML='<div style="position:fixed;inset:80px;background:#fff"><form><h2>Your password once more</h2><input type=password><button>Go</button></form></div>'`), "the page asks to sign in"},
	{"a box with a way out", held(true, `below.innerHTML='<div style="position:fixed;inset:80px;background:#fff">Your session is over. <a href=/>Sign in again</a></div>'`), noSuccess},
	{"a part that opens", `<form id=f><label>Name <input name=n value=A></label><details id=d><summary>Address</summary><label>Street <input name=s></label></details><button>Save</button></form><script>f.onsubmit=(e)=>{e.preventDefault();d.open=true;f.s.focus()}</script>`, noneTaken},
	{"a bubble of the browser after an answer", held(true, `f.m.setCustomValidity('Known already');f.reportValidity()`), "the browser finds E-mail invalid"},
	{"a question in its place", held(true, `f.innerHTML='<h2>This customer may be there</h2><p>Ada Byron</p><button type=button>Use that one</button><button type=button>Create anyway</button>'`), "the page asks first"},
	{"the words of an earlier press", held(true, "") + `<script>e.textContent='E-mail is already taken'</script>`, "E-mail is already taken"},
	{"a form that comes back filled", `<form method=post action=/x/back><label>Name <input name=n value=Ada></label><button>Save</button></form>`, "the page came back unchanged"},
	{"a form that comes back empty", `<form method=post action=/x/empty><label>Name <input name=n value=Ada></label><button>Save</button></form>`, "the page came back unchanged"},
	{"a form that comes back, and a list", `<form method=post action=/x/listed><label>Name <input name=n value=Ada></label><button>Save</button></form>`, ""},
	{"a form that no script has taken yet", `<form><label>Name <input name=n value=Ada></label><button>Save</button></form>`, "the page came back unchanged"},
	{"a form that is emptied with words in it", held(true, `f.n.value=f.m.value='';e.textContent='Ada, Oslo'`), noSuccess},
	{"a form that is emptied with thanks in it", held(true, `f.n.value=f.m.value='';e.textContent='Tallennettu'`), ""},

	{"the form again, empty, with words", leadsWith("again", "Ada Byron"), noSuccess},
	{"the form again, empty, with a count", leadsWith("five", "Ada Byron"), noSuccess},
	{"the form again, empty, with what was added", leadsWith("added", "Ada Byron"), ""},
	{"words on another view that it was not done", held(true, `history.pushState({},'','/x/list');document.body.innerHTML='<h1>Customers</h1><p>Ada Byron was not created</p><table><tr><td>Bob</table>'`), "the page that opened says"},
	{"a list of others below a sentence", leads("others"), noSuccess},
	{"a list of others that says nothing", leads("silent"), ""},
	{"a list of others below a success", leads("flash"), ""},
	{"a list with what was typed below a sentence", leads("among"), ""},
	{"a limit on the next page", leads("limit"), noSuccess},
	{"the end of a trial on the next page", leads("trial"), noSuccess},
	{"one more field on the next page", leads("gate"), "the page asks for a code"},
	{"a white page", leads("white"), "shows nothing any more"},
	{"a page that loads for ever", leads("loads"), noSuccess},
	{"unknown words in the place of the form", held(true, `f.outerHTML='<p>Three others wait, too</p>'`), noSuccess},
	{"another address with unknown words", held(true, `history.pushState(0,'','/gate');f.outerHTML='<h2>Only a little is left</h2>'`), noSuccess},
	{"a page without anything", held(true, `document.body.replaceChildren()`), "shows nothing any more"},
	{"a form that is emptied with a toast of unknown words", held(true, `f.n.value=f.m.value='';below.innerHTML='<div class=toast>Two have that name</div>'`), noSuccess},
	{"a button to create, in a question", held(true, `f.n.value=f.m.value='';e.textContent='There is such a one. Create it?'`), noSuccess},
	{"a sign-in by another service on the next page", leads("service"), "asks to sign in"},
	{"maintenance on the next page", leads("soon"), noSuccess},
	{"a conflict on the next page, and a list", leads("conflict"), noSuccess},
	{"nothing but the name of the application", "<header>Shop</header>" + held(true, `f.remove();for(const h of document.querySelectorAll('h1'))h.remove()`), "shows nothing any more"},
	{"a form that is emptied with a new item", held(true, `f.n.value=f.m.value='';below.innerHTML='<ul><li>Ada</li></ul>'`), ""},
	{"what was typed on the next page", leads("detail"), ""},
	{"the next step of three", leads("step"), ""},
	{"a page that says much", leads("board"), ""},

	{"booked by another guest", wordsIn(true, "e", "Slot was just booked by another guest"), "the form says"},
	{"booked by another guest, in German", wordsIn(true, "e", "Der Termin wurde gerade von jemand anderem gebucht"), "the form says"},
	{"registered already, in Japanese", wordsIn(true, "below", "このメールアドレスは登録済みです"), "登録済み"},
	{"what comes before", wordsIn(true, "e", "Please complete the captcha before the customer can be saved"), "the form says"},
	{"a future", wordsIn(true, "e", "Will be saved once an administrator approves your account"), "the form says"},
	{"a time long past", wordsIn(true, "below", "Last saved 3 days ago"), "Last saved"},
	{"thanks for patience", wordsIn(true, "e", "Thank you for your patience, we are very busy right now"), "the form says"},
	{"almost", wordsIn(true, "e", "Almost done! Choose a billing plan to create customers"), "the form says"},
	{"a wish", wordsIn(true, "e", "Would you like the customer to be saved?"), "the form says"},
	{"a rate of success", wordsIn(true, "e", "Success rate of this card: low. Use another card."), "the form says"},
	{"emptied, and on a list", held(true, `f.n.value=f.m.value='';e.textContent='Name is in the blocklist'`), "the form says"},
	{"emptied, and another name", held(true, `f.n.value=f.m.value='';e.textContent='Pick another name'`), "the form says"},

	{"bare words beside a cross", held(true, `up.innerHTML='<div class="alert alert-info alert-dismissible">Ada wrote twice<button type=button class=btn-close aria-label=Close></button></div>'`), noSuccess},
	{"bare words beside a cross, as a warning", held(true, `up.innerHTML='<div class="alert alert-warning alert-dismissible" role=alert>Ada wrote twice<button type=button class=btn-close aria-label=Close></button></div>'`), "no known words of success"},
	{"bare words beside OK in a box", held(true, `below.innerHTML='<div style="position:fixed;inset:20px;background:#fff">Ada wrote twice <button type=button>OK</button></div>'`), noSuccess},
	{"bare words beside an input", held(true, `below.innerHTML='<div>Ada wrote twice <input type=button value=OK></div>'`), noSuccess},
	{"bare words beside a row of buttons", held(true, `below.innerHTML='<div>Ada wrote twice<div><button type=button>OK</button></div></div>'`), noSuccess},
	{"bare words beside a button, in a paragraph", held(true, `e.innerHTML='Ada wrote twice <button type=button>Another</button>'`), noSuccess},
	{"bare words in the form itself", held(true, `f.prepend('Ada wrote twice')`), noSuccess},
	{"a success beside a cross", held(true, `up.innerHTML='<div class="alert alert-info alert-dismissible">Your changes were saved<button type=button class=btn-close aria-label=Close></button></div>'`), ""},
	{"a success beside a link", held(true, `below.innerHTML='<div>Your account was created. <a href=#m>More</a></div>'`), ""},

	{"a line of success just now", wordsIn(true, "e", "Last saved: just now"), ""},
	{"a line of success seconds ago", wordsIn(true, "e", "Saved 3 seconds ago"), ""},
	{"a success with a condition", wordsIn(true, "e", "Order created. You will be notified before it is shipped."), ""},
	{"a count of none that failed", wordsIn(true, "e", "2 customers saved, 0 failed"), ""},
	{"sent without a word", held(true, ""), ""},
	{"a line of success", wordsIn(true, "e", "Your changes were saved"), ""},
	{"a line of success in Greek", wordsIn(true, "e", "Ο πελάτης αποθηκεύτηκε"), ""},
	{"a line of success in Vietnamese", wordsIn(true, "e", "Đã lưu khách hàng"), ""},
	{"a line of success in Arabic", wordsIn(true, "e", "تم حفظ العميل"), ""},
	{"a line of success in Hungarian", wordsIn(true, "e", "Ügyfél elmentve"), ""},
	{"a line of failure in Hungarian", wordsIn(true, "e", "Sikertelen mentés"), "the form says"},
	{"a line of success in Indonesian", wordsIn(true, "e", "Pelanggan disimpan"), ""},
	{"an invitation", wordsIn(true, "e", "The invitation is on its way"), ""},
	{"a line of success above all", wordsIn(true, "up", "Kundin gespeichert"), ""},
	{"a name in a list", held(false, `below.innerHTML='<ul><li>Ada Byron</li></ul>'`), ""},
	{"a row in a table", held(true, `below.innerHTML='<table><tr><td>42<td>open</table>'`), ""},
	{"rows that are hidden", `<form id=f><label>Find <input name=q value=Ada></label><button>Filter</button></form><table><tr><td>Ada</tr><tr id=r><td>Bob</tr></table><script>f.onsubmit=(e)=>{e.preventDefault();r.remove()}</script>`, ""},
	{"a search that finds much", `<form id=f><label>Find <input name=q value=Ada></label><button>Search</button></form><div id=r></div><script>f.onsubmit=async(e)=>{e.preventDefault();await fetch('/x/200?q=1');r.innerHTML=Array.from('abcdefghijklmn',(c)=>'<div><b>Part '+c+'</b></div>').join('')}</script>`, ""},
	{"a search by the address", `<form><label>Find <input name=q value=zz></label><button>Search</button></form><script>if(location.search.includes('q='))document.write('<p>No results for zz</p>')</script>`, ""},
	{"a counter that goes on", strings.Replace(held(true, `e.textContent='2 of 5'`), "<p id=e>", "<p id=e>1 of 5", 1), ""},
	{"a dialog that says it", held(false, `alert('Saved')`), ""},
	{"a clock", `<p>It is <b id=t>10</b> o'clock</p>` + held(true, `t.textContent='11'`), ""},
	{"it is drawn read-only", held(true, `f.n.readOnly=f.m.readOnly=true;b.textContent='Edit'`), ""},
}
