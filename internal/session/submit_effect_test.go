package session_test

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

type sentForm struct {
	name, html string
	fails      string // part of the expected error; "" means success
}

// submitEffects are forms whose page shows its messages without roles and classes.
var submitEffects = []sentForm{
	{"nothing listens", `<form onsubmit="return false"><label>Name <input name=n value=a></label><button>Save</button></form>`, "had no effect"},
	{"a handler that does nothing", `<form><label>Name <input name=n></label><button>Save</button></form><script>document.forms[0].onsubmit = (e) => e.preventDefault()</script>`, "had no effect"},
	{"a ripple", `<form onsubmit="event.preventDefault()"><button onclick="this.insertAdjacentHTML('beforeend', '<span class=ripple></span>');this.classList.add('is-active')">Save</button></form>`, "had no effect"},
	{"a tooltip", `<form onsubmit="event.preventDefault()"><button onmouseover="t.hidden=false">Save</button></form><div role=tooltip id=t hidden>Saves the form</div>`, "had no effect"},
	// A class alone proves nothing, because it may mean an invalid field.
	{"a class of the field", `<form onsubmit="event.preventDefault();this.n.className='is-valid'"><input name=n><button>Save</button></form>`, "had no effect"},
	{"a class that shakes the empty field", `<style>@keyframes k{50%{transform:translateX(4px)}}.shake{animation:k 0.3s}</style><form><input name=n><button type=button onclick="this.form.n.value||this.form.n.classList.add('shake')">Save</button></form>`, "had no effect"},
	{"a class that makes the border red", `<style>.bad{border:2px solid red}</style><form onsubmit="event.preventDefault();this.n.classList.add('bad')"><input name=n><button>Save</button></form>`, "had no effect"},
	{"a class of the form and its button", `<form onsubmit="event.preventDefault();this.classList.add('tried');b.classList.add('is-off')"><input name=n><button id=b>Save</button></form>`, "had no effect"},
	{"telemetry", `<form onsubmit="event.preventDefault();fetch('/telemetry/200',{method:'POST'})"><button>Save</button></form>`, "had no effect"},
	{"polling", `<form onsubmit="event.preventDefault()"><button>Save</button></form><script>setInterval(()=>fetch('/x/news'),200)</script>`, "had no effect"},

	{"a request that reads, which the server refuses", `<form onsubmit="event.preventDefault();fetch('/x/500?n=1')"><button>Save</button></form>`, "the server refused GET"},
	{"a request that reads, which is lost", `<form onsubmit="event.preventDefault();fetch('http://127.0.0.1:1/?n=1').catch(()=>0)"><button>Save</button></form>`, "the server refused GET"},
	{"one of two requests that read is refused", `<form onsubmit="event.preventDefault();fetch('/x/404?n=1');fetch('/x/200?n=2')"><button>Save</button></form>`, ""},
	{"a search that finds nothing", `<form onsubmit="event.preventDefault();fetch('/x/404?q=1').then(()=>t.textContent='Nothing found')"><input name=q><button>Search</button></form><p id=t></p>`, ""},

	{"an error page of the browser", `<form onsubmit="event.preventDefault();setTimeout(()=>location='http://127.0.0.1:1/',200)"><button>Save</button></form>`, "an error page of the browser"},

	{"a request", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'})"><button>Save</button></form>`, ""},
	{"a request that reads", `<form onsubmit="event.preventDefault();fetch('/x/subscribe?n=1')"><button>Save</button></form>`, ""},
	{"a beacon", `<form onsubmit="event.preventDefault();navigator.sendBeacon('/x/200','a')"><button>Save</button></form>`, ""},
	{"a navigation", `<form method=post action=/x/thanks><button>Save</button></form>`, ""},
	{"a navigation that comes late", `<form onsubmit="event.preventDefault();setTimeout(()=>location='/x/thanks',200)"><button>Save</button></form>`, ""},
	{"a toast", `<form onsubmit="event.preventDefault();t.textContent='Stored'"><button>Save</button></form><div id=t></div>`, ""},
	{"a toast that it will be sent later", `<form onsubmit="event.preventDefault();setTimeout(()=>t.textContent='You are offline. Your changes will be sent later.',150)"><label>Name <input name=n value=Ada></label><button>Save</button></form><div id=t></div>`, "You are offline"},
	{"a toast that goes", `<form onsubmit="event.preventDefault();t.textContent='Stored';setTimeout(()=>t.textContent='',700)"><button>Save</button></form><div id=t></div>`, ""},
	{"it empties itself", `<form onsubmit="event.preventDefault();this.n.value=''"><label>Name <input name=n value=Ada></label><button>Save</button></form>`, ""},
	{"it disappears", `<form onsubmit="event.preventDefault();this.remove()"><label>Name <input name=n></label><button>Save</button></form>`, ""},
	{"its dialog closes", `<dialog id=d><form method=dialog><label>Name <input name=n></label><button>Save</button></form></dialog><script>d.showModal()</script>`, ""},
	{"words in green", `<form onsubmit="event.preventDefault();t.textContent='Saved'"><label>Name <input name=n></label><button>Save</button><span id=t style="color:green"></span></form>`, ""},
	{"a tick", `<form onsubmit="event.preventDefault();t.style.display=''"><button>Save</button><svg id=t style="display:none" width=9 height=9></svg></form>`, ""},
	{"a class that shows something", `<style>#t{display:none}#t.show{display:block}</style><form onsubmit="event.preventDefault();t.className='show'"><input name=n><button>Save</button></form><p id=t>Stored</p>`, ""},
	{"a class that shows a tick", `<style>svg{display:none}.done svg{display:inline}</style><form onsubmit="event.preventDefault();this.className='done'"><input name=n><button>Save</button><svg width=9 height=9></svg></form>`, ""},
	{"a new tab", `<form target=_blank method=post action=/x/thanks><button>Save</button></form>`, ""},
	{"a file", `<form onsubmit="event.preventDefault();const a=document.createElement('a');a.href=window.URL.createObjectURL(new Blob(['x']));a.download='x.csv';a.click()"><button>Export</button></form>`, ""},

	// The click handler of the button removes the form, so that the browser sends nothing.
	{"removed by its button", `<form id=s method=post action=/x/thanks><label>Name <input name=n></label><button onclick="s.remove()">Save</button></form>`, "the form was removed from the page before the browser sent the form"},
	{"removed by its button, without an address", `<form id=s><label>Name <input name=n></label><button onclick="s.outerHTML='<p>closed</p>'">Save</button></form>`, "the form was not sent: the form was removed from the page"},
	{"removed by its button, with telemetry", `<form id=s><label>Name <input name=n></label><button onclick="fetch('/telemetry/200');s.remove()">Save</button></form>`, "the form was not sent: the form was removed from the page"},
	{"disabled by its button", `<form id=s><label>Name <input name=n></label><button onclick="this.disabled=true">Save</button></form>`, "the form was not sent: the button was disabled"},
	{"removed by its button, and stored", `<form id=s method=post action=/x/thanks><label>Name <input name=n></label><button onclick="fetch('/x/200',{method:'POST',body:'n'});s.remove()">Save</button></form>`, ""},
	{"removed by its button, and stored later", `<form id=s><label>Name <input name=n></label><button onclick="s.remove();setTimeout(()=>fetch('/x/200',{method:'POST',body:'n'}),300)">Save</button></form>`, ""},
	{"removed by its button, with words", `<form id=s><label>Name <input name=n></label><button onclick="s.outerHTML='<p>Thanks, we have saved it.</p>'">Save</button></form>`, ""},
	{"removed by its button, with a toast", `<form id=s><label>Name <input name=n></label><button onclick="s.outerHTML='<div class=toast>Kundin ist drin</div>'">Save</button></form>`, ""},
	{"removed by its button, whose click is prevented", `<form id=s method=post action=/x/thanks><label>Name <input name=n></label><button onclick="event.preventDefault();s.remove()">Save</button></form>`, ""},

	// Which button is the submit button of the form.
	{"another form signs out", `<header><form method=post action=/x/422><button>Log out</button></form></header><form><label>Name <input name=n value=Ada></label><button type=button onclick="fetch('/x/200',{method:'POST'})">Save</button></form>`, ""},
	{"another form searches", `<header><form method=post action=/x/422><input name=q><button>Search</button></form></header><form><label>Name <input name=n value=Ada></label><button type=button onclick="fetch('/x/200',{method:'POST'})">Save</button></form>`, ""},
	{"another button deletes", `<form onsubmit="event.preventDefault();fetch(event.submitter.id==='d'?'/x/422':'/x/200',{method:'POST'})"><label>Name <input name=n value=Ada></label><button id=d>Delete customer</button><button>Save</button></form>`, ""},

	// The page shows that the form is being sent.
	{"words while it works", `<form id=f onsubmit="event.preventDefault();b.textContent='Saving…';setTimeout(()=>{b.textContent='Save';r.textContent='Name is taken'},3000)"><input name=n><button id=b>Save</button><p id=r></p></form>`, "Name is taken"},
	{"words beside it while it works", `<form id=f onsubmit="event.preventDefault();w.textContent='Please wait…';setTimeout(()=>{w.textContent='';r.textContent='Pick another'},2000)"><input name=n><button id=b>Save</button></form><p id=w></p><p id=r style="color:#c00"></p>`, "Pick another"},
	{"a disabled button", `<form id=f onsubmit="event.preventDefault();b.disabled=true;setTimeout(()=>{b.disabled=false;r.textContent='Name is taken'},3000)"><input name=n><button id=b>Save</button><p id=r style="color:red"></p></form>`, "Name is taken"},
	{"a busy form", `<form id=f onsubmit="event.preventDefault();this.ariaBusy='true';setTimeout(()=>{this.ariaBusy=null;r.textContent='Name is taken'},2000)"><input name=n><button id=b>Save</button><p id=r style="color:red"></p></form>`, "Name is taken"},
	{"words and then success", `<form id=f onsubmit="event.preventDefault();b.textContent='Saving…';setTimeout(()=>{b.textContent='Save';r.textContent='Saved'},2000)"><input name=n><button id=b>Save</button><p id=r></p></form>`, ""},
	{"a button that stays disabled", `<form id=f onsubmit="event.preventDefault();b.disabled=true"><input name=n><button id=b>Save</button></form>`, ""},
	{"an ellipsis of its own", `<form onsubmit="event.preventDefault();r.textContent='Saved'"><input name=n><button type=button>Loading options…</button><button>Save</button></form><p id=r></p>`, ""},

	// Messages in a layer over the page, without a role.
	{"what lies over the page refuses", `<div><div><div><form onsubmit="event.preventDefault();const d=document.createElement('div');d.style='position:fixed;top:9px;right:9px';d.innerHTML='<i></i>Name is already in use<i></i>';document.body.append(d)"><label>Name <input name=n value=Ada></label><button>Save</button></form></div></div></div>`, "already in use"},
	{"what hangs at a field refuses", `<div><div><div><form onsubmit="event.preventDefault();const d=document.createElement('div');d.style='position:absolute;top:99px;left:9px';d.innerHTML='<b></b>号码已存在';document.body.append(d)"><label>Name <input name=n value=Ada></label><button>Save</button></form></div></div></div>`, "已存在"},
	{"what lies over the page says that it was taken", `<div><div><div><form onsubmit="event.preventDefault();const d=document.createElement('div');d.style='position:fixed;top:9px;right:9px';d.innerHTML='<i></i>Saved without errors<i></i>';document.body.append(d)"><label>Name <input name=n value=Ada></label><button>Save</button></form></div></div></div>`, ""},
	{"a menu that lies over the page", `<div><div><div><form onsubmit="event.preventDefault();const d=document.createElement('div');d.style='position:fixed;top:9px;right:9px';d.innerHTML='<a href=#>Failed jobs</a>';document.body.append(d)"><label>Name <input name=n value=Ada></label><button>Save</button></form></div></div></div>`, noSuccess},
	{"what stands in the page speaks of others", `<div><div><div><form onsubmit="event.preventDefault();const d=document.createElement('div');d.style='';d.innerHTML='<p>Jobs of today<i></i></p><p><i></i>3 jobs failed<i></i></p>';document.body.append(d)"><label>Name <input name=n value=Ada></label><button>Save</button></form></div></div></div>`, noSuccess},
	{"a page that lies over another", `<div><div><div><form onsubmit="event.preventDefault();const d=document.createElement('div');d.style='position:fixed;inset:0;background:#fff';d.innerHTML='<p>Jobs of today<i></i></p><p><i></i>3 jobs failed<i></i></p>';document.body.append(d)"><label>Name <input name=n value=Ada></label><button>Save</button></form></div></div></div>`, noSuccess},
	{"layui marks a field", `<div><form class=layui-form onsubmit="event.preventDefault();p.classList.add('layui-form-danger');document.body.insertAdjacentHTML('beforeend','<div class=\'layui-layer layui-layer-dialog layui-layer-msg\' style=\'position:fixed;top:9px\'><div class=layui-layer-content>此项有误</div></div>')"><div><label>Name</label><input name=n value=Ada></div><div><label>Phone</label><input id=p name=p></div><button>Save</button></form></div>`, `"Phone"`},
	{"layui says something else", `<div><form class=layui-form onsubmit="event.preventDefault();document.body.insertAdjacentHTML('beforeend','<div class=\'layui-layer layui-layer-dialog layui-layer-msg\' style=\'position:fixed;top:9px\'><div class=layui-layer-content><i class=layui-icon></i>换一个手机号</div></div>')"><div><label>Name</label><input name=n value=Ada></div><div><label>Phone</label><input id=p name=p></div><button>Save</button></form></div>`, `换一个手机号`},
	{"layui asks", `<div><form class=layui-form onsubmit="event.preventDefault();document.body.insertAdjacentHTML('beforeend','<div class=\'layui-layer layui-layer-dialog\' style=\'position:fixed;top:9px\'><div class=layui-layer-title>信息</div><div class=layui-layer-content>再想想？<i></i></div><div class=layui-layer-btn><a>确定</a><a>取消</a></div></div>')"><div><label>Name</label><input name=n value=Ada></div><div><label>Phone</label><input id=p name=p></div><button>Save</button></form></div>`, `with the buttons ["确定","取消"]`},
	{"layui says that it was taken", `<div><form class=layui-form onsubmit="event.preventDefault();document.body.insertAdjacentHTML('beforeend','<div class=\'layui-layer layui-layer-dialog layui-layer-msg\' style=\'position:fixed;top:9px\'><div class=layui-layer-content><i class=layui-icon></i>提交成功</div></div>')"><div><label>Name</label><input name=n value=Ada></div><div><label>Phone</label><input id=p name=p></div><button>Save</button></form></div>`, ``},
	{"layui says so by a tick", `<div><form class=layui-form onsubmit="event.preventDefault();document.body.insertAdjacentHTML('beforeend','<div class=\'layui-layer layui-layer-dialog layui-layer-msg\' style=\'position:fixed;top:9px\'><div class=layui-layer-content><i class=\'layui-icon layui-icon-success\'></i>客户资料</div></div>')"><div><label>Name</label><input name=n value=Ada></div><div><label>Phone</label><input id=p name=p></div><button>Save</button></form></div>`, ``},

	// Messages in red.
	{"the same form again", `<p>Sign up</p><form method=post action=/again/plain><label>Name <input name=n></label><button>Save</button></form>`, "Name is already taken"},
	{"red beside it", `<p>Sign up</p><form method=post action=/again/beside><label>Name <input name=n></label><button>Save</button></form>`, "Choose something else"},
	{"red above it", `<p>Sign up</p><form method=post action=/again/above><label>Name <input name=n></label><button>Save</button></form>`, "Choose something else"},
	{"red in a list above it", `<p>Sign up</p><form method=post action=/again/list><label>Name <input name=n></label><button>Save</button></form>`, "Choose something else"},
	{"it was refused before, too", `<p style="color:red">Name is already taken</p><form method=post action=/again/above2><label>Name <input name=n></label><button>Save</button></form>`, "Name is already taken"},
	{"an answer to a script", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{r.textContent='Choose something else'})"><label>Name <input name=n></label><button>Save</button></form><div><p id=r style="color:rgb(220 38 38)"></p></div>`, "Choose something else"},
	{"a refusal to a script", `<form onsubmit="event.preventDefault();fetch('/x/422',{method:'POST'}).then(()=>{r.textContent='Choose something else'})"><label>Name <input name=n></label><button>Save</button></form><p id=r style="color:oklch(0.577 0.245 27.325)"></p>`, "Choose something else"},

	{"green above it", `<p>Sign up</p><form method=post action=/again/green><label>Name <input name=n></label><button>Save</button></form>`, ""},
	// Messages in a heading or a dialog, and sign-in forms.
	{"an error page with 200", `<form method=post action=/x/error><label>Name <input name=n></label><button>Save</button></form>`, "Error"},
	{"a heading in its place", `<form onsubmit="event.preventDefault();this.outerHTML='<h2>Something went wrong</h2>'"><label>Name <input name=n></label><button>Save</button></form>`, "Something went wrong"},
	{"a payment that was not completed", `<form onsubmit="event.preventDefault();this.outerHTML='<h2>Payment not completed</h2>'"><label>Name <input name=n></label><button>Pay</button></form>`, "Payment not completed"},
	{"a result of a library", `<form onsubmit="event.preventDefault();this.outerHTML='<div class=ant-result><div class=ant-result-title>Submission Failed</div></div>'"><label>Name <input name=n></label><button>Save</button></form>`, "Submission Failed"},
	{"an error dialog", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>d.showModal())"><label>Name <input name=n></label><button>Pay</button></form><dialog id=d><p>Payment was declined</p><button>OK</button></dialog>`, "Payment was declined"},
	{"a dialog of an ended session", `<form onsubmit="event.preventDefault();document.body.insertAdjacentHTML('beforeend','<div role=dialog><h2>The session has expired</h2><p>Sign in again</p></div>')"><label>Name <input name=n></label><button>Save</button></form>`, "The session has expired"},
	{"a form to sign in", `<form method=post action=/x/signin><label>Name <input name=n></label><button>Save</button></form>`, "asks to sign in"},
	{"a form to sign in at the same address", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{document.body.innerHTML='<form><input name=u><input type=password><button>Log in</button></form>'})"><label>Name <input name=n></label><button>Save</button></form>`, "asks to sign in"},
	{"a dialog of success", `<form onsubmit="event.preventDefault();d.showModal()"><label>Name <input name=n></label><button>Save</button></form><dialog id=d><h2>Thank you</h2><p>Order placed. If something went wrong, write to us.</p></dialog>`, ""},
	{"a heading of success", `<form onsubmit="event.preventDefault();this.outerHTML='<h2>Your request was not in vain: order placed</h2>'"><label>Name <input name=n></label><button>Save</button></form>`, ""},
	{"headings about errors", `<h2>Error log</h2><form onsubmit="event.preventDefault();l.innerHTML='<h3>Error report 7</h3>'"><label>Name <input name=n></label><button>Find</button></form><div id=l></div>`, ""},
	{"a heading that says so in German", `<form onsubmit="event.preventDefault();this.outerHTML='<h2>Die Zahlung ist fehlgeschlagen.</h2>'"><label>Name <input name=n></label><button>Zahlen</button></form>`, "fehlgeschlagen"},
	{"headings about refusals in German", `<form method=post action=/x/abgelehnt><label>Name <input name=n></label><button>Suchen</button></form>`, ""},
	{"a password to choose", `<form onsubmit="event.preventDefault();this.innerHTML='<label>Password <input type=password></label><button>Create account</button>'"><label>Name <input name=n></label><button>Next</button></form>`, ""},

	{"red as before", `<p style="color:red">Fields with * are required</p><form method=post action=/again/note><label>Name <input name=n></label><button>Save</button></form>`, "the page came back unchanged"},
	{"a red button in a new row", `<form onsubmit="event.preventDefault();l.innerHTML='<li>Milk <span style=color:red>high</span> <button style=color:red>Delete</button></li>'"><label>Name <input name=n></label><button>Add</button></form><ul id=l></ul>`, ""},
	{"red in a table", `<form onsubmit="event.preventDefault();l.innerHTML='<tr><td><span style=color:red>overdue</span></td></tr>'"><label>Name <input name=n></label><button>Add</button></form><table><tbody id=l></tbody></table>`, ""},
	{"success in the red of the house", `<form onsubmit="event.preventDefault();r.textContent='Thank you, message sent'"><label>Name <input name=n></label><button>Save</button></form><p id=r style="color:red"></p>`, ""},
	{"red on the next page", `<form method=post action=/x/red><label>Name <input name=n value=Ann></label><button>Save</button></form>`, ""},
	{"a red price", `<form onsubmit="event.preventDefault();r.textContent='$ 20.00'"><label>Number <input name=n></label><button>Save</button></form><p id=r style="color:red"></p>`, ""},

	// Unknown messages: if the form does not change, the action fails unless the message is a known
	// success.
	{"a dialog asks first", `<form onsubmit="event.preventDefault();document.body.insertAdjacentHTML('beforeend','<div role=dialog><h4>Save customer?</h4><p>This will notify the team.</p><button type=button>Cancel</button><button type=button>Save</button></div>')"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "a dialog has opened"},
	{"a dialog asks after a look", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div role=dialog><h4>Possible duplicate</h4><p>A customer named Ada exists. Create anyway?</p><button type=button>Back</button><button type=button>Create anyway</button></div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "Create anyway"},
	{"a box without a role asks first", `<form onsubmit="event.preventDefault();document.body.insertAdjacentHTML('beforeend','<div class=modal style=position:fixed;top:50px;background:white>Are you sure? <button>Yes</button><button>No</button></div>')"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form>`, "Are you sure?"},
	{"a box asks once it is saved", `<form onsubmit="event.preventDefault();this.remove();document.body.insertAdjacentHTML('beforeend','<div class=modal style=position:fixed;top:50px;background:white>Saved, thank you. Add another one? <button>Yes</button><button>No</button></div>')"><label>Name <input name=n></label><button id=b>Save</button></form>`, ""},
	{"a dialog refuses", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div role=dialog><h4>Achtung</h4><p>Der Kunde konnte nicht angelegt werden.</p><button type=button>OK</button></div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "konnte nicht"},
	{"a dialog refuses in other words", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div role=dialog><h4>提示</h4><p>库存不够</p><button type=button>知道了</button></div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "库存不够"},
	{"a dialog says it was taken", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div role=dialog><h4>提示</h4><p>提交成功</p><button type=button>确定</button></div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a toast in French", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>Le client est verrouillé</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "Le client est verrouillé"},
	{"a toast in Spanish", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>No se ha podido guardar</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "No se ha podido guardar"},
	{"a toast in English", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>You do not have permission to edit customers</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "You do not have permission to edit customers"},
	{"a toast in German", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>Diese Nummer ist bereits vergeben.</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "Diese Nummer ist bereits vergeben."},
	{"a toast in Chinese", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>该客户已存在</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "该客户已存在"},
	{"a toast in Polish", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>Klient o takim adresie już istnieje</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "Klient o takim adresie już istnieje"},
	{"a toast of success in French", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>Client enregistré</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a detail in a toast marked as a success", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div role=alert class=&quot;x-toast-message x-toast-success&quot;><b>Saved</b><div class=x-toast-detail>See you soon</div></div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a notice marked as positive", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div role=alert class=&quot;x-note bg-positive&quot;><i>check_circle</i>Guest has come</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a detail in a toast marked as an error", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div role=alert class=&quot;x-toast-message x-toast-error&quot;><b>Hm</b><div class=x-toast-detail>See you soon</div></div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "See you soon"},
	{"a toast of success in Spanish", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>Cliente guardado</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a toast of success in English", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>All good: customer saved</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a toast of success in German", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>Der Kunde wurde angelegt.</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a toast of success in Chinese", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>客户已添加</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a toast of success in Polish", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>Dane zostały zapisane</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a toast of success in Japanese", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>保存しました</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a toast of success in Korean", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>저장되었습니다</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a toast of success in Turkish", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>Kaydedildi</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a toast of success in Russian", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>document.body.insertAdjacentHTML('beforeend','<div class=toast>Успешно сохранено</div>'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"words below in German", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{r.innerHTML='<p>Bitte geben Sie eine Telefonnummer an.</p>'})"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "Bitte geben Sie eine Telefonnummer an."},
	{"words below in Chinese", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{r.innerHTML='<p>该邮箱已被注册</p>'})"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "该邮箱已被注册"},
	{"words below in Turkish", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{r.innerHTML='<p>Bu e-posta zaten kayıtlı.</p>'})"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "Bu e-posta zaten kayıtlı."},
	{"words of success below", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{r.innerHTML='<p>Vielen Dank, die Nachricht ist unterwegs.</p>'})"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"results below", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{r.innerHTML='<p>Ada Lovelace, London</p><p>Alan Turing, London</p><p>Grace Hopper, New York</p><p>Edsger Dijkstra, Austin</p><p>Donald Knuth, Stanford</p>'})"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"words of a search", `<form onsubmit="event.preventDefault();fetch('/x/200?q=1').then(()=>{r.innerHTML='<p>Ada Lovelace, London</p>'})"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"words and an emptied form", `<form onsubmit="event.preventDefault();this.n.value='';fetch('/x/200',{method:'POST'}).then(()=>{r.innerHTML='<p>Ada Lovelace, London</p>'})"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, ""},
	{"a hint", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{r.innerHTML='<div role=alert class=alert-info>Request is with your manager</div>'})"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "no known words of success"},
	{"a list of messages", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{this.reset();r.innerHTML='<ul class=messages><li class=warning>Your plan allows 3 users.</li></ul>'})"><label>Mail <input name=n></label><button id=b>Add</button></form><div id=r></div><script>document.querySelector('input').value='ada@b.c'</script>`, "no known words of success"},
	{"flashes", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{this.reset();r.innerHTML='<ul class=flashes><li>Seats are used up</li></ul>'})"><label>Mail <input name=n></label><button id=b>Add</button></form><div id=r></div><script>document.querySelector('input').value='ada@b.c'</script>`, "no known words of success"},
	{"a plain list that refuses", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{this.reset();r.innerHTML='<ul><li>This address belongs to another account</li></ul>'})"><label>Mail <input name=n></label><button id=b>Add</button></form><div id=r></div><script>document.querySelector('input').value='ada@b.c'</script>`, "no known words of success"},
	{"a row of a table that refuses", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{this.reset();r.innerHTML='<table><tr><td>Limit of 3 users reached</td></tr></table><p>Upgrade first</p>'})"><label>Mail <input name=n></label><button id=b>Add</button></form><div id=r></div><script>document.querySelector('input').value='ada@b.c'</script>`, "no known words of success"},
	{"a list with what was typed", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{this.reset();r.innerHTML='<ul><li>Bob</li><li>ada@b.c, since today</li></ul>'})"><label>Mail <input name=n></label><button id=b>Add</button></form><div id=r></div><script>document.querySelector('input').value='ada@b.c'</script>`, ""},
	{"words in place of a list", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{this.reset();r.innerHTML='Limit of 2 tasks reached'})"><label>Task <input name=n></label><button id=b>Add</button></form><div id=r><ul><li>Walk</li><li>Read</li></ul></div><script>document.querySelector('input').value='Sleep'</script>`, "no known words of success"},
	{"what was chosen, in place of the form", `<div id=r><form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{r.innerHTML='<p>Plan: Gold</p><button>Change plan</button>'})"><label>Plan <select name=p><option>Free<option selected>Gold</select></label><button id=b>Save</button></form></div>`, ""},
	{"something else in place of the form", `<div id=r><form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{r.innerHTML='<p>Plan: Free</p><button>Change plan</button>'})"><label>Plan <select name=p><option>Free<option selected>Gold</select></label><button id=b>Save</button></form></div>`, "no known words of success"},
	{"messages and an empty form", `<form method=post action=/x/usedup><label>Name <input name=n value=Ada></label><button id=b>Save</button></form>`, "no known words of success"},
	{"a list of others under a message", `<form method=post action=/x/othersay><label>Name <input name=n value=Ada></label><button id=b>Save</button></form>`, "no known words of success"},
	{"a list with its own row", `<form method=post action=/x/withmine><label>Name <input name=n value=Ada></label><button id=b>Save</button></form>`, ""},
	{"a warning that refuses", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>{r.innerHTML='<div role=alert class=alert-warning>Stock is too low, order not created</div>'})"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "not created"},
	{"an alert of the browser", `<form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'}).then(()=>alert('库存不够'))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "库存不够"},
	{"the page gives up", `<form onsubmit="event.preventDefault();const c=new AbortController();setTimeout(()=>c.abort(),300);fetch('/slow',{method:'POST',signal:c.signal}).catch(()=>0)"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "gave up"},
	{"a name like telemetry", `<form onsubmit="event.preventDefault();fetch('/api/collections/500',{method:'POST'})"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "HTTP 500"},
	{"metrics of its own", `<form onsubmit="event.preventDefault();fetch('/api/metrics',{method:'POST',body:'{}'}).catch(()=>0)"><label>Name <input name=n value=Ada></label><button>Save</button></form>`, ""},
	{"logs of its own, with a number", `<form onsubmit="event.preventDefault();fetch('/logs/500',{method:'POST',body:'{}'}).catch(()=>0)"><label>Name <input name=n value=Ada></label><button>Save</button></form>`, "HTTP 500"},
	{"a name of telemetry, put", `<form onsubmit="event.preventDefault();fetch('/track',{method:'PUT',body:'{}'}).catch(()=>0)"><label>Name <input name=n value=Ada></label><button>Save</button></form>`, ""},
	{"telemetry at the root", `<form onsubmit="event.preventDefault();fetch('/v1/track',{method:'POST',body:'{}'}).catch(()=>0)"><label>Name <input name=n value=Ada></label><button>Save</button></form>`, "had no effect"},
	{"telemetry elsewhere", `<form onsubmit="event.preventDefault();fetch('http://127.0.0.9:9/x/track',{method:'POST',body:'{}'}).catch(()=>0)"><label>Name <input name=n value=Ada></label><button>Save</button></form>`, "had no effect"},
	{"a frame that is answered with an error", `<form method=post action=/x/500 target=f><label>Name <input name=n value=Ada></label><button>Save</button></form><iframe name=f></iframe>`, "HTTP 500"},
	{"a spinner in the button", `<form onsubmit="event.preventDefault();b.innerHTML='<i class=\'fa fa-spin\' style=\'display:inline-block;width:9px;height:9px\'></i> Save';fetch('/x/200',{method:'POST'}).then(()=>setInterval(()=>fetch('/x/job'),1200)&&setTimeout(()=>{b.textContent='Save';r.innerHTML='<p class=text-danger>Duplicate key</p>'},3000))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "Duplicate key"},
	{"a progress bar", `<form onsubmit="event.preventDefault();r.innerHTML='<div style=height:9px><div role=progressbar aria-valuenow=0 style=\'width:0;height:9px\'></div>';fetch('/x/200',{method:'POST'}).then(()=>setTimeout(()=>{r.innerHTML='<p class=text-danger>Duplicate key</p>'},3000))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "Duplicate key"},
	{"German words while it works", `<form onsubmit="event.preventDefault();b.textContent='Wird gespeichert …';fetch('/x/200',{method:'POST'}).then(()=>setTimeout(()=>{b.textContent='Speichern';r.innerHTML='<p class=text-danger>Speichern fehlgeschlagen</p>'},2500))"><label>Name <input name=n value=Ada></label><button id=b>Save</button></form><div id=r></div>`, "Speichern fehlgeschlagen"},
	{"the same form again, with words above it", `<p>Sign up</p><form method=post action=/again/must><label>Name <input name=n value=Ada></label><button>Save</button></form>`, "Pflichtfelder"},
	{"an error page in German", `<form method=post action=/x/database><label>Name <input name=n></label><button>Save</button></form>`, "Datenbankfehler"},
	{"an error page of a database", `<form method=post action=/x/duplicate><label>Name <input name=n></label><button>Save</button></form>`, "Duplicate entry"},
	{"access denied", `<form method=post action=/x/denied><label>Name <input name=n></label><button>Save</button></form>`, "Access denied"},
	{"a warning on the next page", `<form method=post action=/x/warned><label>Name <input name=n></label><button>Save</button></form>`, "could not be saved"},
}

var submitAnswers = map[string]string{
	"back":      `<form method=post action=/x/back><label>Name <input name=n value=Ada></label><button>Save</button></form>`,
	"empty":     `<form method=post action=/x/empty><label>Name <input name=n></label><button>Save</button></form>`,
	"listed":    `<form method=post action=/x/listed><label>Name <input name=n></label><button>Save</button></form><p>Ada</p>`,
	"usedup":    `<ul class=messages><li class=warning>Seats are used up</li></ul><form method=post action=/x/usedup><label>Name <input name=n></label><button>Save</button></form>`,
	"othersay":  `<p>Please upgrade first.</p><table><tr><th>Name<tr><td>Bob<tr><td>Eve</table>`,
	"withmine":  `<p>All names here</p><table><tr><th>Name<tr><td>Bob<tr><td>Ada</table>`,
	"plain":     `<p>Sign up</p><form method=post><label>Name <input name=n></label><span style="color:red">Name is already taken</span><button>Save</button></form>`,
	"beside":    `<p>Sign up</p><form method=post><label>Name <input name=n></label><button>Save</button></form><div style="color:#dc3545">Choose <b>something</b> else</div>`,
	"above":     `<p>Sign up</p><div class=text-red-600 style="color:#b91c1c">Choose something else</div><div><form method=post><label>Name <input name=n></label><button>Save</button></form></div>`,
	"list":      `<p>Sign up</p><ul style="color:red"><li>Choose something else</ul><form method=post><label>Name <input name=n></label><button>Save</button></form>`,
	"above2":    `<p style="color:red">Name is already taken</p><form method=post><label>Name <input name=n></label><button>Save</button></form>`,
	"green":     `<p>Sign up</p><p style="color:green">Your name was stored</p><form method=post><label>Name <input name=n></label><button>Save</button></form>`,
	"note":      `<p style="color:red">Fields with * are required</p><form method=post><label>Name <input name=n></label><button>Save</button></form>`,
	"must":      `<p>Bitte füllen Sie alle Pflichtfelder aus</p><form method=post><label>Name <input name=n></label><button>Save</button></form>`,
	"database":  `<h2>Datenbankfehler</h2><p>ORA-00001</p>`,
	"duplicate": `Duplicate entry 'A-17' for key 'PRIMARY' <a href=/>Back</a>`,
	"denied":    `<p>Access denied. Your role does not allow this.</p><a href=/>Back</a>`,
	"warned":    `<div class="alert alert-warning">The customer could not be saved. Please, try again.</div><table><tr><td>Ada</table>`,
	"thanks":    `<h1>Thanks</h1>`,
	"error":     `<h1>Error</h1><p>Your order could not be placed.</p>`,
	"abgelehnt": `<h1>Abgelehnte Anträge</h1><h2>Fehlgeschlagene Zahlungen</h2><table><tr><th>Name<tr><td>Ada</table>`,
	"signin":    `<h1>Sign in</h1><form><label>User <input name=u></label><label>Password <input type=password></label><button>Sign in</button></form>`,
	"mail":      `<h2>Sign in</h2><form><label>E-mail <input type=email></label><button>Continue</button></form><footer><form><input type=email name=news><button>Subscribe</button></form></footer>`,
	"name":      `<form><label>User name <input name=user></label><button>Log in</button></form>`,
	"magic":     `<form><label>E-mail <input type=email></label><button>Send me a magic link</button></form>`,
	"anmelden":  `<h2>Anmeldung</h2><form><label>Benutzername <input name=username></label><button>Weiter</button></form>`,
	"formless":  `<h2>Log in</h2><div><label>E-mail <input type=email></label><button>Next</button></div>`,
	"limit":     `<header><a href=/>Shop</a></header><h2>Five customers is all that your plan holds</h2><p>A larger one holds more.</p><a href=/plans>Plans</a>`,
	"trial":     `<h2>Ihr Probezeitraum ist um</h2><a href=/plans>Tarife</a>`,
	"gate":      `<h2>One more thing</h2><form><label>Code <input name=code></label><button>Next</button></form>`,
	"service":   `<h2>Welcome back</h2><p>Shop</p><a href=/by>Continue with Google</a>`,
	"soon":      `<h2>We'll be right back</h2><p>Scheduled maintenance</p>`,
	"conflict":  `<h2>Customers</h2><p>This one was updated by another user in the meantime</p><ul><li>Bob</ul>`,
	"white":     `<script>document.body.replaceChildren()</script>`,
	"loads":     `<p>Loading…</p>`,
	"step":      `<h2>Step 2 of 3</h2><form><label>Street <input name=s></label><button>Next</button></form>`,
	"detail":    `<h2>Ada Byron</h2><p>Oslo</p><a href=/edit>Edit</a>`,
	"board":     `<h2>Today</h2>` + `<p>One</p><p>Two</p><p>Three</p><p>Four</p><p>Five</p><p>Six</p><p>Seven</p><p>Eight</p><p>Nine</p><p>Ten</p><p>Eleven</p>`,
	"header":    `<header><form><input type=email aria-label=E-mail><button>Log in</button></form></header><p>Ann, Oslo</p>`,
	"news":      `<h2>Ann</h2><p>Oslo</p><footer><h3>Letter</h3><form><input type=email name=news><button>Subscribe</button></form></footer>`,
	"thanked":   `<header><a href=/in>Sign in</a></header><h2>Thanks</h2><form><label>E-mail <input type=email></label><button>Subscribe</button></form>`,
	"others":    `<h2>Customers</h2><p class=notice>Your trial ended yesterday</p><table><tr><td>Bob</td></tr></table>`,
	"silent":    `<h2>Customers</h2><p>2 of them</p><table><tr><td>Bob</td></tr><tr><td>Eve</td></tr></table>`,
	"flash":     `<h2>Customers</h2><p class=notice>Your customer was saved</p><table><tr><td>Bob</td></tr></table>`,
	"among":     `<h2>Customers</h2><p>Here you see all customers</p><table><tr><td>Bob</td></tr><tr><td>Ada Byron</td></tr></table>`,
	"again":     `<p>Die E-Mail-Adresse ist vergeben.</p>` + leadsWith("again", ""),
	"five":      `<p class=error>You have 5 of 5 customers.</p>` + leadsWith("five", ""),
	"added":     `<p>Ada Byron was added.</p>` + leadsWith("added", ""),
	"settings":  `<h2>Ann</h2><section><h3>Sign in</h3><form><label>E-mail <input type=email></label><label>Name <input name=user></label><button>Change</button></form></section>`,
	"red":       `<p style="color:red">All fields are needed</p><form method=post><label>Street <input name=street></label> <label>Town <input name=town></label><button>Next</button></form>`,
}

// TestFormSubmitEffects checks that a submit without any effect fails, and so does a submit after
// which the form shows a complaint in plain or red text. Any other effect is a success.
func TestFormSubmitEffects(t *testing.T) {
	t.Parallel()
	forms := slices.Concat(submitEffects, submitAsks, submitAgain, submitLate, submitDoubts, submitStopped)
	var once sync.Map // addresses whose first request has been refused
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		parts := strings.Split(r.URL.Path, "/")
		last := parts[len(parts)-1]
		if parts[1] == "" {
			i, _ := strconv.Atoi(r.URL.Query().Get("i"))
			fmt.Fprint(w, "<!doctype html><title>t</title><h1>T</h1>", forms[i].html)
			return
		}
		_, again := once.LoadOrStore(r.URL.Path, true)
		switch {
		case last == "collect", last == "once" && !again:
			last = "500"
		case parts[1] == "late":
			select {
			case <-time.After(1500 * time.Millisecond):
			case <-r.Context().Done():
			}
		}
		if last == "slow" {
			select {
			case <-time.After(5 * time.Second):
			case <-r.Context().Done():
			}
		}
		if code, err := strconv.Atoi(last); err == nil {
			w.WriteHeader(code)
		}
		fmt.Fprint(w, "<!doctype html><title>t</title><h1>T</h1>", submitAnswers[last])
	}))
	b := newBench(t, nil, nil)
	all := make([]int, len(forms))
	for i := range all {
		all[i] = i
	}
	for _, i := range testkit.Some(t, "forms that were sent", 48, all) {
		tt := forms[i]
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, base+"/?i="+strconv.Itoa(i))
			r := b.run(t, "components:form:submit", nil)
			if tt.fails != "" {
				wantError(t, r, diag.StepFailed, tt.fails)
			} else {
				data(t, r)
			}
		})
	}
}
