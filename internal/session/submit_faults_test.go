package session_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// submitFaults are answers with status 200 to a posted form. Some are error messages of programs,
// databases and services instead of a page. Others are pages and data that only contain the words of
// such messages, or report success.
var submitFaults = []struct {
	name, kind, body string
	fails            string // part of the expected error; "" means success
}{
	{"a traceback of Python", "text/plain", "Traceback (most recent call last):\n  File \"/srv/app/views.py\", line 41, in save\n    db.execute(q)\nsqlite3.IntegrityError: UNIQUE constraint failed: customer.name\n", "Traceback"},
	{"a short traceback of Python", "text/plain", "Traceback (most recent call last):\n File \"a.py\"\nKeyError: n", "KeyError"},
	{"a stack of Java", "text/html", `<html><body><h1>HTTP Status 500 - Internal Server Error</h1><pre>java.lang.NullPointerException` + "\n\tat com.x.Save.run(Save.java:17)" + `</pre></body></html>`, "NullPointerException"},
	{"a report of Tomcat", "text/html", `<h1>HTTP Status 500 – Internal Server Error</h1><hr><p><b>Type</b> Exception Report</p><p><b>Message</b> Name is null</p><hr><h3>Apache Tomcat/9.0.1</h3>`, "Exception Report"},
	{"a white label", "text/html", `<h1>Whitelabel Error Page</h1><p>This application has no explicit mapping for /error.</p><div>There was an unexpected error (type=Internal Server Error, status=500).</div>`, "Whitelabel"},
	{"an exception of Java, alone", "text/plain", "java.sql.SQLIntegrityConstraintViolationException: Duplicate value", "Duplicate value"},
	{"an exception of Kotlin in a thread", "text/plain", "Exception in thread \"main\" java.lang.IllegalStateException: Name\n\tat MainKt.main(Main.kt:7)", "IllegalStateException"},
	{"an error of Node", "text/html", `<pre>TypeError: Cannot read properties of undefined (reading &#39;id&#39;)<br> &nbsp; &nbsp;at save (/srv/app/index.js:17:9)<br> &nbsp; &nbsp;at Layer.handle (/srv/node_modules/express/lib/router/layer.js:95:5)</pre>`, "TypeError"},
	{"an error of Node, alone", "text/plain", "ReferenceError: customer is not defined", "customer is not defined"},
	{"frames of Node", "text/plain", "save failed\n    at Object.<anonymous> (/srv/file.js:3:4)\n    at node:internal/main/run_main_module:28:49", "Object.<anonymous>"},
	{"a panic of Go", "text/plain", "panic: runtime error: invalid memory address or nil pointer dereference\n\ngoroutine 1 [running]:\nmain.main()\n\t/srv/main.go:7 +0x1d", "goroutine 1"},
	{"an error of Ruby", "text/plain", "ActiveRecord::RecordInvalid (Validation of the name):\n\napp/controllers/customers_controller.rb:12:in `create'", "RecordInvalid"},
	{"an undefined method of Ruby", "text/plain", "NoMethodError: undefined method `name' for nil", "NoMethodError"},
	{"an exception of .NET", "text/plain", "System.InvalidOperationException: Sequence contains no elements\n   at Shop.Save(Customer c) in C:\\shop\\Save.cs:line 12", "InvalidOperationException"},
	{"a panic of Rust", "text/plain", "thread 'main' panicked at src/main.rs:3:5:\nname is empty", "panicked"},
	{"a changeset of Elixir", "text/plain", "** (Ecto.ConstraintError) constraint error when attempting to insert struct", "ConstraintError"},
	{"a script of Perl", "text/plain", "Can't call method \"name\" on an undefined value at /srv/save.pl line 17.", "undefined value"},
	{"a row of Postgres", "text/html", "ERROR: duplicate key value violates unique constraint \"customer_pkey\"\nDETAIL: Key (name)=(Ada) already exists.", "duplicate key"},
	{"a foreign key of Postgres", "text/plain", `pq: insert or update on table "orders" violates foreign key constraint "orders_customer"`, "foreign key"},
	{"the syntax of MySQL", "text/html", "You have an error in your SQL syntax; check the manual near 'Ada' at line 1", "SQL syntax"},
	{"a row of SQLite", "text/plain", "UNIQUE constraint failed: customer.name", "customer.name"},
	{"a row of SQL Server", "text/plain", "Msg 2627, Level 14, State 1, Line 1\nViolation of PRIMARY KEY constraint 'PK_c'.", "Msg 2627"},
	{"a row of Mongo", "text/plain", "E11000 duplicate key error collection: shop.customers index: name_1 dup key", "E11000"},
	{"a gateway", "text/html", `<center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center>`, "502 Bad Gateway"},
	{"an error in a word", "text/plain", "ERROR", "ERROR"},
	{"an error in German", "text/plain", "Fehler: Name fehlt", "Name fehlt"},

	{"JSON that is not ok", "application/json", `{"ok":false,"error":"Name taken"}`, "Name taken"},
	{"JSON with errors", "application/json", "{\n  \"errors\": [\n    {\"field\": \"name\", \"text\": \"taken\"}\n  ],\n  \"data\": null\n}", "taken"},
	{"JSON whose success is false", "application/json", `{"data":{"name":"Ada","tags":["a","b"]},"success":false}`, "success"},
	{"JSON with a code of an error", "application/json", `{"id":null,"errcode":40013,"errmsg":"no such name"}`, "40013"},
	{"JSON with a status", "application/json", `{"timestamp":"2026-01-02","status":409,"path":"/save"}`, "409"},
	{"JSON with a status in words", "application/json", `{"status":"error","id":7}`, "error"},
	{"JSON in one part", "application/json", `{"response":{"success":false}}`, "success"},
	{"JSON in a list", "application/json", `[{"errorCode":"DUPLICATE_VALUE","fields":["name"]}]`, "DUPLICATE_VALUE"},
	{"JSON with a message", "application/json", `{"message":"The name is already taken.","fields":{"name":["taken"]}}`, "already taken"},
	{"JSON of a problem", "application/problem+json", `{"type":"https://shop.test/problems/taken","title":"Taken","detail":"Ada is there"}`, "Taken"},
	{"JSON of a problem with its status", "application/problem+json", `{"type":"about:blank","title":"Conflict","status":409}`, "Conflict"},
	{"JSON that is sent as a page", "text/html", `{"ok":false,"reason":"taken"}`, "taken"},
	{"XML of an error", "application/xml", `<?xml version="1.0"?><error><code>17</code><message>Name taken</message></error>`, "Name taken"},
	{"XML of an error in capitals", "text/xml", `<?xml version="1.0"?><Error><Code>NoSuchName</Code></Error>`, "NoSuchName"},
	{"XML whose status is one", "text/xml", `<response status="fail"><name>Ada</name></response>`, "Ada"},
	{"XML with errors", "text/xml", `<result><id>0</id><errors><e>Name taken</e></errors></result>`, "Name taken"},
	{"XML of SOAP", "text/xml", `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><s:Fault><faultstring>Name taken</faultstring></s:Fault></s:Body></s:Envelope>`, "Name taken"},

	{"JSON that is ok", "application/json", `{"ok":true,"id":7}`, ""},
	{"JSON with empty errors", "application/json", `{"id":7,"error":null,"errors":[],"message":"","status":"active"}`, ""},
	{"JSON with no error", "application/json", `{"code":0,"msg":"success","error":"0","errcode":0}`, ""},
	{"JSON with 200", "application/json", `{"code":200,"message":"Created","status":201}`, ""},
	{"JSON of a list of errors", "application/json", `{"items":[{"status":404,"error":"Not found"},{"status":500,"error":"x"}],"total":2}`, ""},
	{"JSON with a text of an error in it", "application/json", `{"id":7,"note":"{\"ok\":false,\"error\":\"Name taken\"}","tags":["error","failed"]}`, ""},
	{"JSON of what was sent", "application/json", `{"name":"Error","city":"Failed","form":{"error":"none","status":"failed"}}`, ""},
	{"XML that is ok", "text/xml", `<result><success>true</success><errors/><id>7</id></result>`, ""},
	{"XML of a list of errors", "text/xml", `<items><item><error>Name taken</error></item><item/></items>`, ""},
	{"JSON with a long code", "application/json", `{"code":1001,"msg":"known there","data":null}`, "known there"},
	{"a line of unknown words", "text/plain", "known there", "known there"},
	{"JSON with a long code of a success", "application/json", `{"code":1000,"msg":"OK","data":{"id":5}}`, ""},
	{"a short line", "text/plain", "OK", ""},
	{"a line", "text/plain", "Created order 17", ""},
	{"a page with a sample of code", "text/html", `<header><a href=/>Shop</a></header><h1>Errors in Go</h1><p>Error: what to do</p><p>By Ada</p><pre>panic: boom` + "\n\ngoroutine 1 [running]:\nmain.main()" + `</pre>`, ""},
	{"a page of help with a stack", "text/html", `<nav><a href=/>Docs</a></nav><main><h1>TypeError</h1><p>Ada, 3 May</p><pre>TypeError: x is undefined<br> at save (/srv/app/index.js:17:9)</pre></main>`, ""},
	{"a page with a stack under a heading", "text/html", `<h1>Saved report</h1><pre>java.lang.NullPointerException` + "\n\tat com.x.Save.run(Save.java:17)" + `</pre><a href=/>Back</a>`, ""},
	{"an issue of that name", "text/html", `<nav><a href=/>Issues</a> <a href=/new>New</a></nav><h1>TypeError: Cannot read properties of undefined</h1><p>Opened by Ada</p>`, ""},
	{"a page that thanks", "text/html", `<h1>Thank you</h1><p>We have received your report of error 500.</p>`, ""},
	{"a table of errors", "text/html", `<h1>Errors of this week</h1><table><tr><th>Error<th>Count<tr><td>KeyError: n<td>3</table>`, "no known words of success"},
	{"a page about exceptions", "text/html", `<h2>Exceptional service</h2><p>Ada</p><p>Your errand is under way. Deliveries fail on no day.</p>`, ""},
}

// TestFormSubmitFaults checks that the answer to a form is a failure if it is the error message of a
// program instead of a page, whatever the programming language.
func TestFormSubmitFaults(t *testing.T) {
	t.Parallel()
	base := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			i, _ := strconv.Atoi(r.URL.Query().Get("i"))
			w.Header().Set("Content-Type", submitFaults[i].kind+"; charset=utf-8")
			fmt.Fprint(w, submitFaults[i].body)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>t</title><h1>New customer</h1><form method=post><label>Name <input name=n value=Ada></label><button>Save</button></form>")
	}))
	b := newBench(t, nil, nil)
	b.submits(t, base, "answers that are no pages", 32, len(submitFaults), func(i int) (name, fails string) { return submitFaults[i].name, submitFaults[i].fails })
}

// submits sends the forms of the pages /?i=0 to /?i=n-1 of base; with -short it leaves out some of
// them (see [testkit.Some], which gets label and most). row returns the name of a page, and a part of
// the expected error, or "" for success.
func (b *bench) submits(t *testing.T, base, label string, most, n int, row func(i int) (name, fails string)) {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	for _, i := range testkit.Some(t, label, most, all) {
		name, fails := row(i)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := b.beside(t)
			b.open(t, base+"/?i="+strconv.Itoa(i))
			if r := b.run(t, "components:form:submit", nil); fails != "" {
				wantError(t, r, diag.StepFailed, fails)
			} else {
				data(t, r)
			}
		})
	}
}
