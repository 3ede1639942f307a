package session_test

// submitLate are forms on pages that change without the press, late or continuously, and forms with
// an error message that was there before.
var submitLate = []sentForm{
	{"a page that draws late", `<form onsubmit="event.preventDefault()"><label>Name <input name=n></label><button>Save</button></form><p id=o></p><script>setTimeout(()=>o.textContent='Ada Lovelace',500)</script>`, "nothing"},
	{"a page that draws late, with a complaint", `<form novalidate onsubmit="event.preventDefault()"><label>Name <input name=n></label><button>Save</button><p>Name is required</p></form><p id=o></p><script>setTimeout(()=>o.textContent='Ada Lovelace',400)</script>`, "nothing"},
	{"a skeleton that is filled", `<form onsubmit="event.preventDefault()"><label>Name <input name=n></label><button>Save</button></form><div id=o class=skeleton><i></i></div><script>setTimeout(()=>{o.className='';o.innerHTML='<p>3 orders'},600)</script>`, "nothing"},
	{"a skeleton that is filled during the press", `<form onsubmit="event.preventDefault()" onmousedown="o.className='';o.innerHTML='<p>3 orders'"><label>Name <input name=n></label><button>Save</button></form><div id=o class=skeleton><i></i></div>`, "nothing"},
	{"a clock", `<p id=o></p><form onsubmit="event.preventDefault()"><label>Name <input name=n></label><button>Save</button></form><script>let k=0;setInterval(()=>o.textContent='12:00:'+ ++k,300)</script>`, "nothing"},
	{"a complaint that stays beside a count", `<form novalidate onsubmit="event.preventDefault();o.textContent=+o.textContent+1"><label>Name <input name=n></label><button>Save</button><p>Name is required</p><i id=o>0</i></form>`, "Name is required"},
	{"a complaint that stays, in Chinese", `<form novalidate onsubmit="event.preventDefault();o.textContent=+o.textContent+1"><label>姓名 <input name=n></label><button>保存</button><p>姓名不能为空</p><i id=o>0</i></form>`, "姓名不能为空"},

	{"a clock, and a request", `<p id=o></p><form onsubmit="event.preventDefault();fetch('/x/200',{method:'POST'})"><label>Name <input name=n></label><button>Save</button></form><script>let k=0;setInterval(()=>o.textContent='12:00:'+ ++k,300)</script>`, ""},
	{"words that come late", `<form onsubmit="event.preventDefault();setTimeout(()=>o.textContent='Saved',400)"><label>Name <input name=n></label><button>Save</button></form><p id=o></p>`, ""},
	{"a note about fields that are required", `<form onsubmit="event.preventDefault();o.innerHTML='<li>Milk'"><label>Name <input name=n></label><p>Fields with * are required</p><button>Add</button></form><ul id=o></ul>`, ""},
}
