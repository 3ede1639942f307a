package browser

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
)

// The value of a control is compared with the requested one. An input mask may group, fold case and
// trim; any other difference is an error.
func TestFillCompares(t *testing.T) {
	tests := []struct {
		name, kind, value, holds string
		ok                       bool
	}{
		{"grouped", "text", "1234.5", "1,234.50", true},
		{"with a currency", "text", "1234.5", "¥ 1,234.50", true},
		{"grouped by points", "text", "1234.5", "1.234,50", true},
		{"a decimal comma", "text", "1.5", "1,5", true},
		{"thousands, where no language is given", "text", "1,500", "1500.00", true},
		{"thousands as decimals, where no language is given", "text", "1,500", "1.50", false},
		{"thousands of an English page", "text lang=en", "12.345", "12,345", false},
		{"decimals of a German page", "text lang=de", "12.5", "12,5", true},
		{"thousands of a German page", "text lang=de", "12.345", "12.345,00", true},
		{"thousands of a German page as decimals", "text lang=de", "1.500", "1,50", false},
		{"thousands of a Turkish page as decimals", "text lang=tr", "250.000", "250 ₺", false},
		{"decimals of a French page", "text lang=fr", "1.500", "1,500", true},
		{"in Brazilian money", "text lang=pt-BR", "12.5", "R$ 12,50", true},
		{"a debt in Brazilian money", "text lang=pt-BR", "-12.5", "-R$ 12,50", true},
		{"in Peruvian money", "text lang=es-PE", "12.5", "S/ 12.50", true},
		{"in dollars of Canada", "text lang=en-CA", "1234.5", "CA$1,234.50", true},
		{"in ringgit", "text lang=ms", "12.50", "RM12.50", true},
		{"in francs", "text lang=de-CH", "-12.50", "CHF-12.50", true},
		{"in Polish money", "text lang=pl", "1234.5", "1 234,50 zł", true},
		{"in yen", "text lang=ja", "1500", "1,500円", true},
		{"with a unit", "text lang=en", "12.5", "12.5 kg", true},
		{"degrees", "text lang=en", "12.5", "12.5°C", true},
		{"a price for each", "text lang=de", "12.5", "12,5 €/kg", true},
		{"thousands of it", "text lang=en", "5", "5k", false},
		{"ten thousand of it", "text lang=zh", "5", "5万", false},
		{"a credit", "text lang=en", "5.00", "5.00 CR", false},
		{"another number with a unit", "text lang=en", "12.5", "125 kg", false},
		{"a debt in parentheses", "text", "-5", "(5.00)", true},
		{"a debt of what was none", "text", "5.00", "(5.00)", false},
		{"a debt of money", "text", "5.00", "($5.00)", false},
		{"a minus behind", "text", "5.00", "5.00-", false},
		{"German capitals", "text lang=de", "Straße", "STRASSE", true},
		{"an address in other letters", "text", "straße@x.de", "strasse@x.de", false},
		{"a Turkish percent sign", "text lang=tr", "12,5", "%12,5", true},
		{"another number with it", "text lang=tr", "12,5", "%125", false},
		{"Turkish capitals", "text lang=tr", "izmir", "İZMİR", true},
		{"capitals of a Turkish name", "text", "Diyarbakır", "DIYARBAKIR", true},
		{"Greek capitals", "text lang=el", "Αθήνα", "ΑΘΗΝΑ", true},
		{"a German number as thousands", "text lang=de", "1,500", "1.500", false},
		{"an English number, grouped", "text lang=en-GB", "1,500", "1 500", true},
		{"grouped in German", "text lang=de", "1234.5", "1.234,50", true},
		{"a comma in no language", "text lang=x-none", "12.345", "12,345", false},
		{"a point in no language", "text lang=x-none", "12,345", "12.345", false},
		{"a comma of decimals in no language", "text lang=x-none", "12.5", "12,5", true},
		{"a comma and a point in no language", "text lang=x-none", "1,234.5", "1.234,50", true},
		{"Persian digits", "text lang=fa", "1234.5", "۱٬۲۳۴٫۵", true},
		{"other Persian digits", "text lang=fa", "1234", "۱۲۳۵", false},
		{"Arabic digits", "text lang=ar", "1234", "١٬٢٣٤", true},
		{"an Arabic decimal sign", "text lang=ar", "1234", "١٫٢٣٤", false},
		{"a fraction", "text", "1 1/2", "11/2", false},
		{"a percent sign", "text", "50", "50%", true},
		{"no percent sign", "text", "50%", "50", false},
		{"another minus", "text", "-5", "−5.00", true},
		{"no sign", "text", "-5", "5", false},
		{"a sign", "text", "5", "-5", false},
		{"no point", "text", "1.5", "15", false},
		{"no decimal comma", "text", "1,5", "15", false},
		{"a point", "text", "15", "1.5", false},
		{"in cents", "text", "1234", "12.34", false},
		{"rounded", "text", "1.005", "1.01", false},
		{"rounded far behind", "text", "12345678901234567890", "12345678901234567000", false},
		{"no zero in front", "text", "007", "7", false},
		{"a plus", "tel", "+15551234567", "+1 (555) 123-4567", true},
		{"a country", "tel", "2125550123", "+1 (212) 555-0123", true},
		{"a country of a number that has it", "text", "12125550123", "+1 (212) 555-0123", true},
		{"a country in place of a digit", "tel", "2125550123", "+1 (125) 550-123", false},
		{"a country before fewer digits", "tel", "21255501234", "+1 (212) 555-0123", false},
		{"a country before a number without its zero", "tel", "0212555012", "+1 (212) 555-012", false},
		{"a country before an empty part", "tel", "212555012", "+1 (212) 555-012_", false},
		{"a country before a number of another", "tel", "00442125550123", "+1 0044 2125550123", false},
		{"a number that is no longer the same", "text", "234567", "+1 234 567", false},
		{"no plus", "tel", "+15551234567", "15551234567", false},
		{"a card", "text", "4111111111111111", "4111 1111 1111 1111", true},
		{"a date", "text", "28022026", "28/02/2026", true},
		{"a tax number", "text", "12345678909", "123.456.789-09", true},
		{"a date whose parts are others", "text", "1999-12-31", "19/99/1231", false},
		{"a date with other separators", "text", "1999-12-31", "1999/12/31", true},
		{"a date with points", "text", "28.02.2026", "28/02/2026", true},
		{"a date without separators", "text", "28/02/2026", "28022026", false},
		{"a month whose parts are others", "text", "2024-05", "20/2405", false},
		{"a month with a space, whose parts are others", "text", "2024 05", "20/2405", false},
		{"a time whose parts are others", "text", "10:05", "1:005", false},
		{"a range in one", "text", "10-20", "1020", false},
		{"a range of digits in one", "text", "3-5", "35", false},
		{"a range with a space", "text", "10-20", "10 - 20", true},
		{"a card with dashes", "text", "4111-1111-1111-1111", "4111 1111 1111 1111", true},
		{"a card with spaces", "text", "4111 1111 1111 1111", "4111111111111111", true},
		{"a phone number", "text", "5551234567", "(555) 123-4567", true},
		{"a phone number with dashes", "text", "555-123-4567", "(555) 123-4567", true},
		{"an international phone number", "text", "+1 555-123-4567", "+15551234567", true},
		{"an international phone number in other groups", "text", "+1 5551234567", "+1 (555) 123-4567", true},
		{"a unit", "text", "12.5kg", "125kg", false},
		{"an e-mail address", "email", "a.b@c.test", "ab@c.test", false},
		{"an e-mail address as text", "text", "ab@c.test", "abc.test", false},
		{"an e-mail address in lower case", "text", "A@B.test", "a@b.test", true},
		{"several e-mail addresses", "email multiple", "a@b.test, c@d.test", "a@b.test,c@d.test", true},
		{"an e-mail address of another host", "email", "ada@münchen.test", "ada@munchen.test", false},
		{"a URL", "url", "https://x.test/a-b", "https://x.test/ab", false},
		{"a URL as text", "text", "https://x.test/?a=1&b", "https://x.test/?a=1b", false},
		{"a path", "text", "/usr/bin", "usrbin", false},
		{"a host", "text", "www.example.test", "wwwexampletest", false},
		{"a number of a network", "text", "10.20.30.40", "10203040", false},
		{"a quote", "text", "O'Brien", "OBrien", false},
		{"a curly quote", "text", "O'Brien", "O’Brien", true},
		{"a hash", "text", "#fff", "fff", false},
		{"an ampersand", "text", "a & b", "a b", false},
		{"a hyphen", "text", "Jean-Luc", "JeanLuc", false},
		{"trimmed", "text", " Ada ", "Ada", true},
		{"cut", "text", "Ada Lovelace", "Ada Lov", false},
		{"two words in one", "text", "Ada Lovelace", "AdaLovelace", false},
		{"words and white space", "text", "Ada  Lovelace", "ada lovelace", true},
		{"a number without its space", "text", "NL91 ABNA 0417", "NL91ABNA0417", true},
		{"a key without its spaces", "text", "ABCD EFGH", "ABCDEFGH", true},
		{"a Chinese name without its space", "text", "张 三", "张三", true},
		{"a key in groups", "text", "abcdefghij", "ABCDE-FGHIJ", true},
		{"a password in upper case", "password", "s3cret", "S3CRET", false},
		{"a password that shows its letters, in lower case", "text name=new_password", "GeHeim1", "geheim1", false},
		{"a German password that shows its letters", "text name=passwort", "GeHeim1", "geheim1", false},
		{"a password trimmed", "password", "s3cret ", "s3cret", false},
		{"a password without punctuation", "password", "s3-cret!", "s3cret", false},
		{"lines", "textarea", "a\r\nb", "a\nb", true},
		{"lines joined", "textarea", "1.5\n2", "1.5 2", true},
		{"lines without a point", "textarea", "1.5\nb", "15\nb", false},
		{"editable", "div", "a  b", "a\u00a0b", true},
		{"editable without a sign", "div", "-5", "5", false},
	}
	for _, tt := range testkit.Kinds(t, "rows", 9, tests, func(i int) any { return fmt.Sprint(tests[i].kind, tests[i].ok) }) {
		t.Run(tt.name, func(t *testing.T) {
			el, prop := fmt.Sprintf("<input id=f type=%s>", tt.kind), "value"
			switch tt.kind {
			case "textarea":
				el = "<textarea id=f></textarea>"
			case "div":
				el, prop = "<div id=f contenteditable></div>", "textContent"
			}
			ctx, p := show(t, fmt.Sprintf("%s<script>f.oninput = () => { f.%s = %q }</script>", el, prop, tt.holds))
			got, err := p.Fill(ctx, within(css("#f"), soon), tt.value)
			if tt.ok {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if err == nil {
				t.Fatalf("filled %q, holds %q: no error", tt.value, got.Value)
			}
			e := wantCode(t, err, diag.StepFailed)
			if all := fmt.Sprint(e.Msg, e.Hint, e.Details); tt.kind == "password" && strings.Contains(strings.ToLower(all), "cret") {
				t.Errorf("the error shows the password: %s", all)
			}
		})
	}
}

// If the page replaces the element, its replacement is found and compared in the same way.
func TestFillReplaced(t *testing.T) {
	const page = `<div id=d><input id=f></div><script>
		f.oninput = () => { d.innerHTML = '<input id=f>'; document.getElementById('f').value = %q }</script>`
	for _, tt := range []struct {
		value, holds string
		ok           bool
	}{{"1234", "1,234", true}, {"-5", "5", false}, {"Ada", "", false}} {
		t.Run(tt.value, func(t *testing.T) {
			ctx, p := show(t, fmt.Sprintf(page, tt.holds))
			_, err := p.Fill(ctx, within(css("#f"), soon), tt.value)
			if !tt.ok {
				wantCode(t, err, diag.StepFailed, fmt.Sprintf("holds %q", tt.holds))
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// The typed text must be at the caret, and nothing else may have changed.
func TestTypeCompares(t *testing.T) {
	const at = "f.setSelectionRange(1, 1)"
	tests := []struct {
		name, html, script, text string
		says                     string // of the error; "": none
	}{
		{"at the end", "<input id=f value=a>", "", "bc", ""},
		{"at the caret", "<input id=f value=ad>", "f.focus(); " + at, "bc", ""},
		{"in the place of what is selected", "<input id=f value=old>", "f.focus(); f.select()", "new", ""},
		{"a mask", "<input id=f>", "f.oninput = () => { f.value = f.value.replace(/\\D/g, '').replace(/^(\\d{3})(\\d)/, '$1-$2') }", "123456", ""},
		{"upper case", "<input id=f>", "f.oninput = () => { f.value = f.value.toUpperCase() }", "ab", ""},
		{"a number", "<input id=f type=number>", "", "-1.5", ""},
		{"an e-mail address", "<input id=f type=email>", "", "a@b.test", ""},
		{"a text area", "<textarea id=f></textarea>", "", "a\nb", ""},
		{"editable", "<div id=f contenteditable>a </div>", "", "bc", ""},
		{"control characters", "<input id=f>", "", "a\x01b\x7f", ""},
		{"emptied by Enter", "<input id=f>", "f.onkeydown = (e) => { if (e.key === 'Enter') f.value = '' }", "hello\n", ""},
		{"made a tag", "<div><span id=tag></span><input id=f></div>", "f.oninput = () => { if (f.value.endsWith(',')) { tag.textContent = f.value.slice(0, -1); f.value = '' } }", "red,", ""},
		{"the focus goes on", "<input id=f maxlength=1><input id=g maxlength=1>", "f.oninput = () => g.focus()", "12", ""},
		{"emptied", "<input id=f>", "f.oninput = () => { f.value = '' }", "abc", `holds ""`},
		{"letters lost", "<input id=f>", "f.oninput = () => { f.value = f.value.replace('b', '') }", "abc", `holds "ac"`},
		{"added to", "<input id=f>", "f.oninput = () => { if (f.value === 'Ber') f.value = 'Berlin' }", "Ber", `holds "Berlin"`},
		{"editable added to", "<div id=f contenteditable></div>", "f.oninput = () => { if (f.textContent === 'Ber') f.textContent = 'Berlin' }", "Ber", `holds "Berlin"`},
		{"a sign lost", "<input id=f>", "f.oninput = () => { f.value = f.value.replace('-', '') }", "-5", `holds "5"`},
		{"keys refused", "<input id=f>", "f.onkeydown = (e) => { if (e.key === 'b') e.preventDefault() }", "abc", "took 2 of the 3"},
		{"full", "<input id=f maxlength=2>", "", "abc", "took 2 of the 3"},
		{"a password changed", "<input id=f type=password>", "f.oninput = () => { f.value = f.value.toUpperCase() }", "Ab3", "does not hold what was typed"},
	}
	for _, tt := range testkit.Kinds(t, "rows", 5, tests, func(i int) any { return tests[i].says }) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, tt.html+"<script>"+tt.script+"</script>")
			target := within(css("#f"), soon)
			_, err := p.Type(ctx, &target, tt.text, 0)
			if tt.says == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			e := wantCode(t, err, diag.StepFailed, tt.says)
			if strings.Contains(tt.name, "password") && strings.Contains(strings.ToLower(fmt.Sprint(e.Msg, e.Hint, e.Details)), "ab3") {
				t.Errorf("the error shows the password: %v", e)
			}
		})
	}
}

// A name that matches several options selects none of them.
func TestSelectAmbiguous(t *testing.T) {
	const list = `<select id=f><option value="">-<option value=il>Springfield<option value=ma>Springfield<option value=2>1<option value=1>2<option value=x>Same<option value=x>Same<option value=d disabled>Only<option value=e>Only<option value=h hidden>Shown<option value=s>Shown</select>`
	tests := []struct {
		value, by, want string
		says            string
	}{
		{"Springfield", "", "", `2 options`},
		{"Springfield", "label", "", `"Springfield" (value "il"), "Springfield" (value "ma")`},
		{"ma", "", "ma", ""},
		{"ma", "value", "ma", ""},
		{"1", "", "", `"1" (value "2"), "2" (value "1")`},
		{"1", "value", "1", ""},
		{"1", "label", "2", ""},
		{"Same", "", "x", ""},
		{"Only", "", "e", ""},
		{"Shown", "", "s", ""},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.value+" by "+tt.by, func(t *testing.T) {
			ctx, p := show(t, list)
			got, err := p.Select(ctx, within(css("#f"), 700*time.Millisecond), []string{tt.value}, tt.by)
			if tt.says != "" {
				wantCode(t, err, diag.ElementAmbiguous, tt.says)
				if now := evaluate(t, ctx, p, "f.value"); now != "" {
					t.Errorf("selected %q", now)
				}
				return
			}
			if err != nil || len(got) != 1 || got[0] != tt.want {
				t.Errorf("selected %q, %v, want %q", got, err, tt.want)
			}
		})
	}
}

// A page may empty its input after it has taken the files over, but not to discard them.
func TestUploadEmptied(t *testing.T) {
	const empty, emptied = "i.value = ''", "emptied or removed by the page"
	tests := []struct {
		name, script, failed string
	}{
		{"shows the name", "out.textContent = i.files[0].name; " + empty, ""},
		{"shows the name later", "const n = i.files[0].name; " + empty + "; setTimeout(() => { out.innerHTML = '<b>' + n + '</b>' }, 100)", ""},
		{"shows a picture", "out.innerHTML = '<img width=10 height=10 src=\"' + URL.createObjectURL(i.files[0]) + '\">'; " + empty, ""},
		{"sends it", "const d = new FormData(); d.append('f', i.files[0]); fetch('/', { method: 'POST', body: d }); " + empty, ""},
		{"throws it away", empty, emptied},
		{"throws it away with an alarm", "out.setAttribute('role', 'alert'); out.textContent = i.files[0].name + ' is too large'; " + empty, "is too large"},
		{"asks the server for something else", "fetch('/?x'); " + empty, emptied},
	}
	for _, tt := range testkit.Some(t, "rows", 2, tests) {
		t.Run(tt.name, func(t *testing.T) {
			ctx, p := show(t, "<input id=i type=file><p id=out></p><script>i.onchange = () => { "+tt.script+" }</script>")
			up, err := p.Upload(ctx, css("#i"), filesAt(t, "a.txt"))
			if tt.failed != "" {
				wantCode(t, err, diag.StepFailed, tt.failed)
			} else if err != nil || up.Kept {
				t.Errorf("got %+v, %v", up, err)
			}
		})
	}
}
