package selectors_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/selectors"
)

// options returns the options of a step in a file that declares some params and aliases.
func options() selectors.Options {
	aliases := []string{"modal", "modal_ok", "row"}
	return selectors.Options{
		Expr: expr.Options{
			Params: map[string]bool{"x": true, "n": true, "where": true},
			Locals: []string{"item", "index"},
		},
		Aliases:         func(name string) bool { return slices.Contains(aliases, name) },
		AliasNames:      aliases,
		IsSelectorParam: func(name string) bool { return name == "where" },
	}
}

// good holds sources and their canonical forms; "" is the source itself.
var good = []struct{ name, src, want string }{
	{"css without kind", `#save`, `css:#save`},
	{"css", `css:.ant-modal .ant-btn-primary`, ``},
	{"css trimmed", "  css:  a \n", `css:a`},
	{"css pseudo class", `a:hover`, `css:a:hover`},
	{"css functional pseudo class", `tr:nth-child(2n + 1 of .x)`, `css:tr:nth-child(2n + 1 of .x)`},
	{"css pseudo element", `li::marker`, `css:li::marker`},
	{"css vendor", `input:-webkit-autofill`, `css:input:-webkit-autofill`},
	{"css with the name of a kind", `css:label:hover`, ``},
	{"css label kind", `label:hover`, ``},
	{"css escape", `css:#a\.b\:c`, ``},
	{"css escaped space at the end", `css:.a\ `, ``},
	{"css attribute", `a[href^="http"][target=_blank i]`, `css:a[href^="http"][target=_blank i]`},
	{"css namespace", `css:svg|a [xlink|href] [*|x]`, ``},
	{"css string with brackets", `css:[a="x] >> y)"]`, ``},
	{"css comment", `css:a /* >> " */ b`, ``},
	{"css not", `css:div:not(.a, [b="("]) > p + q ~ r, s`, ``},
	{"css scope", `css::scope > td`, ``},
	{"css string in parentheses", `css:p:lang("en")`, ``},
	{"css lists and states", `css:a , b > c:is(h1,h2):not(:first-child) p::part(x)`, ``},
	{"css nth", `css:a:nth-child(-n+3):nth-last-child(2 of :not(.x))`, ``},
	{"css relative has", `css:a:has(> img, + p, ~ q)`, ``},
	{"css escapes of frameworks", `css:.sm\:w-1\/2.top-\[3px\].\31 a.\#x`, ``},
	{"css names", `css:.été.😀.-a.--a._a`, ``},
	{"css attributes", `css:[lang|="en"][a = 'x' s][aria-label=a\ b]:lang(en-US)`, ``},
	{"css any namespace", `css:*|* a/**/b`, ``},
	{"css adjacent", `css:input[type='radio']:checked+label`, ``},
	{"xpath", `//a[text()='x >> y']`, `xpath://a[text()='x >> y']`},
	{"xpath in parentheses", `(//a)[1]`, `xpath:(//a)[1]`},
	{"xpath backslash", `xpath://a[.='\']`, ``},
	{"role", `role:button`, ``},
	{"role name", `role:button[name='OK']`, ``},
	{"role name in double quotes", `role:button[name="OK"]`, `role:button[name='OK']`},
	{"role name bare", `role:button[name= New order ]`, `role:button[name='New order']`},
	{"role name with quotes", `role:button[name="It's \"it\""]`, ``},
	{"role name with bracket and chain", `role:button[name='a] >> b']`, ``},
	{"role contains and pattern", `role:row[name*='Ann'][name~=/^A.b\/c$/]`, `role:row[name*='Ann'][name~="^A.b\\/c$"]`},
	{"role pattern with class and flag", `role:row[name~=/[/\]]x/i]`, `role:row[name~="(?i)[/\\]]x"]`},
	{"role states", `role:checkbox[checked][disabled=false][expanded=true]`, `role:checkbox[checked][disabled=false][expanded]`},
	{"role mixed", `role:checkbox[checked='mixed'] [pressed=mixed]`, `role:checkbox[checked=mixed][pressed=mixed]`},
	{"role level", `role:heading[level=2]`, ``},
	{"role hole", `role:${params.x}[level=${n}]`, `role:${params.x}[level=${params.n}]`},
	{"text", `text:New order`, ``},
	{"text trimmed", `text:  New order  `, `text:New order`},
	{"text with quotes and brackets", `text:It's "it" [x] #1`, ``},
	{"text in quotes", `text:"a >> b"`, ``},
	{"text in quotes without need", `text:"a"`, `text:a`},
	{"text escapes", `text:"é\u00e9\ud83d\ude00\n\"\\"`, `text:"éé😀\n\"\\"`},
	{"text with one quote", `text:"a`, `text:"\"a"`},
	{"text with quoted word", `text:"a" b`, `text:"\"a\" b"`},
	{"text contains", `text*:order`, ``},
	{"text pattern", `text~:^Order \d+$`, ``},
	{"text pattern with flag", `text~:(?i)order`, ``},
	{"text smile", `text::)`, `text:":)"`},
	{"text dollars", `text:$${x} costs $5`, `text:"\u0024{x} costs $5"`},
	{"text dollar before a hole", `text:"\u0024${x}"`, `text:"\u0024${params.x}"`},
	{"label", `label*:Name`, ``},
	{"placeholder", `placeholder~:Sea.ch`, ``},
	{"alt", `alt:Logo`, ``},
	{"title", `title:Close`, ``},
	{"testid", `testid:save-${x}`, `testid:save-${params.x}`},
	{"chain", `css:tr  >>  has-text:Ann >> role:button[name='Edit']`, `css:tr >> has-text:Ann >> role:button[name='Edit']`},
	{"chain over lines", "css:tr\n>> nth:-1", `css:tr >> nth:-1`},
	{"chain with kinds left out", `tr >> //td >> a:hover`, `css:tr >> xpath://td >> css:a:hover`},
	{"has", `css:tr >> has:(text:Ann)`, ``},
	{"has with apostrophe", `css:tr >> has:(text:it's (here))`, ``},
	{"has with chain", `css:tr >> has:(.a >> has:(role:link) >> nth:0) >> text:x`, `css:tr >> has:(css:.a >> has:(role:link) >> nth:0) >> text:x`},
	{"has with closing parenthesis", `css:tr >> has:(text:"a) b")`, `css:tr >> has:(text:"a) b")`},
	{"has-text pattern", `css:tr >> has-text~:^A`, ``},
	{"nth hole", `css:tr >> nth:${index}`, ``},
	{"frame", `frame:#pay >> role:button`, `frame:css:#pay >> role:button`},
	{"frame with kind", `frame:title:Chart >> frame:role:figure >> text:x`, ``},
	{"frame alias", `frame:${selectors.modal} >> text:x`, ``},
	{"ref", `@e5`, ``},
	{"ref of a snapshot", `@snap_ab12cd:e5`, ``},
	{"alias", `${selectors.modal}`, ``},
	{"alias in a chain", `${ selectors["modal"] } >> css:button`, `${selectors.modal} >> css:button`},
	{"step ref", `css:tr >> ${steps.found.ref}`, ``},
	{"param of type selector", `${where} >> text:x`, `${params.where} >> text:x`},
	{"css hole in a string", `css:[a="x${x}y"]`, `css:[a="x${params.x}y"]`},
	{"css hole as a value", `css:[a=row-${x}]`, `css:[a="row-${params.x}"]`},
	{"css hole as a name", `css:.${x} #a-${x}-b [data-${x}]`, `css:.${params.x} #a-${params.x}-b [data-${params.x}]`},
	{"css hole behind hex", `css:.\31${x}`, `css:.\31 ${params.x}`},
	{"css hole as an integer", `css:h${n}:nth-child(${n}n + ${n})`, `css:h${params.n}:nth-child(${params.n}n + ${params.n})`},
	{"css dollar operator", `css:[a$="$${x}"]`, ``},
	{"xpath holes", `//a[.="it's ${x}"][${n}]`, `xpath://a[.="it's ${params.x}"][${params.n}]`},
	{"class", `class:select-dropdown`, ``},
	{"class names", `class: select-dropdown.is_open.已选 `, `class:select-dropdown.is_open.已选`},
	{"class holes", `class:${x}.a-${n}`, `class:${params.x}.a-${params.n}`},
	{"class in parentheses", `css:a >> has:(class:a.b)`, ``},
	{"not", `css:li >> not:(.disabled)`, `css:li >> not:(css:.disabled)`},
	{"is", `css:li >> is:(.active)`, `css:li >> is:(css:.active)`},
	{"is filter", `css:li >> is:(has-text:a)`, ``},
	{"under", `css:#tree >> under:(role:treeitem)`, ``},
	{"linked", `role:combobox >> linked:aria-controls`, ``},
	{"not of a chain", `css:li >> not:(css:ul >> has:(text:x) >> css:li)`, ``},
	{"not of filters", `css:tr >> not:(has-text:Total) >> not:(nth:0) >> not:(visible:) >> not:(has:(css:p)) >> not:(not:(css:a))`, ``},
	{"not of an alias", `css:tr >> not:(${selectors.row})`, ``},
	{"closest", `text:Ann >> closest:(role:row)`, ``},
	{"next", `text:Ann >> next:( ${where} )`, `text:Ann >> next:(${params.where})`},
	{"visible", `css:a >> visible:`, ``},
	{"visible with spaces", `css:a >> visible: >> text:x`, ``},
	{"any", `any:(#a | role:button | //p)`, `any:(css:#a | role:button | xpath://p)`},
	{"either", `either:(#a | role:button >> nth:0)`, `either:(css:#a | role:button >> nth:0)`},
	{"any over lines", "any:(#a\n| #b\t|\n#c)", `any:(css:#a | css:#b | css:#c)`},
	{"any of chains", `any:(css:a >> has:(text:x | y) >> nth:0 | frame:#f >> css:b) >> css:c`, `any:(css:a >> has:(text:"x | y") >> nth:0 | frame:css:#f >> css:b) >> css:c`},
	{"any of filters", `css:li >> any:(has-text:Ann | visible: | nth:-1)`, ``},
	{"any of references", `any:(@e5 | ${selectors.modal} | ${steps.found.ref} | ${where})`, `any:(@e5 | ${selectors.modal} | ${steps.found.ref} | ${params.where})`},
	{"any with bars that are none", `any:(css:svg|a | css:[lang|="en"] | css:[a="x | y"] | xpath:(//a | //b) | text:a|b | text~:^(a | b)$ | role:button[name='a | b'])`, `any:(css:svg|a | css:[lang|="en"] | css:[a="x | y"] | xpath:(//a | //b) | text:a|b | text~:"^(a | b)$" | role:button[name='a | b'])`},
	{"any with quoted bars", `any:(text:"a | b" | text:"|" | text:"a)")`, ``},
	{"any in any", `any:(any:(css:a | css:b) | not) >> css:c`, `any:(any:(css:a | css:b) | css:not) >> css:c`},
	{"any with holes", `any:(text:${x} | css:[a="${x}"])`, `any:(text:${params.x} | css:[a="${params.x}"])`},
	{"a frame of any", `frame:any:(css:#a | css:#b) >> css:c`, ``},
	{"a bar in a text", `text:a | b`, `text:"a | b"`},
	{"none", `none`, ``},
	{"none in a chain", ` none >> css:a`, `none >> css:a`},
	{"none in parentheses", `any:(none | css:a >> not:( none ))`, `any:(none | css:a >> not:(none))`},
	{"not none", `css:none >> none-such >> a none`, `css:none >> css:none-such >> css:a none`},
	{"pattern hole", `text~:^Order ${x}+$`, `text~:^Order ${params.x}+$`},
}

func TestParse(t *testing.T) {
	for _, tt := range good {
		t.Run(tt.name, func(t *testing.T) {
			s, err := selectors.Parse(tt.src, options())
			if err != nil {
				t.Fatalf("Parse(%q): %v", tt.src, err)
			}
			want := tt.want
			if want == "" {
				want = tt.src
			}
			if got := s.String(); got != want {
				t.Errorf("Parse(%q).String() = %q, want %q", tt.src, got, want)
			}
			again, err := selectors.Parse(s.String(), options())
			if err != nil {
				t.Fatalf("Parse(%q): %v", s.String(), err)
			}
			if got := again.String(); got != want {
				t.Errorf("parsed again: %q, want %q", got, want)
			}
		})
	}
}

// bad holds sources with the column, a part of the message and of the hint.
var bad = []struct {
	name, src string
	column    int
	msg, hint string
}{
	{"empty", ``, 1, "found the end, expected a selector", "css:#save"},
	{"blank", `  `, 3, "found the end", ""},
	{"empty first part", `>> a`, 1, "found >>", "one >>"},
	{"empty part", `a >> >> b`, 6, "found >>", ""},
	{"empty last part", `a >> `, 6, "found the end", ""},
	{"unknown kind", `txt:OK`, 1, "unknown selector kind txt", "did you mean text:?"},
	{"ref without @", `e72`, 1, "found e72, expected @e72", "write @e72"},
	{"ref without @, then a part", `e72>> css:a`, 1, "found e72, expected @e72", "css:e72"},
	{"ref without @ behind a part", `css:form >> e72`, 13, "found e72, expected @e72", "write @e72"},
	{"ref without @ in parentheses", `css:a >> has:(e72)`, 15, "found e72, expected @e72", "write @e72"},
	{"ref without @ of a frame", `frame:e72 >> css:a`, 7, "found e72, expected @e72", "write @e72"},
	{"ref of a snapshot without @", `snap_ab12cd:e72`, 1, "unknown selector kind snap_ab12cd", "write @snap_ab12cd:e72"},
	{"kind in capitals", `Role:button`, 1, "unknown selector kind Role", "did you mean role:?"},
	{"unknown kind far off", `frobnicate:OK`, 1, "unknown selector kind", "css:frobnicate:"},
	{"pseudo class of others", `button:has-text("OK")`, 1, "unknown selector kind button", ">> has-text:"},
	{"pseudo class of others in css", `css:div p:contains(OK)`, 10, "found :contains", "has-text:"},
	{"operator that does not exist", `text^:a`, 5, "found ^ after text", "text*: and text~:"},
	{"operator of has-text", `css:tr >> has-text*:a`, 19, "found * after has-text", "has-text~:"},
	{"operator of css", `css*:a`, 4, "found * after css", "without an operator"},
	{"empty css", `css:`, 5, "found nothing after `css:`", "css:#save"},
	{"empty text", `text: >> a`, 7, "found nothing after `text:`", "text:OK"},
	{"empty quoted text", `text:" "`, 6, "found an empty text", "match anything"},
	{"css quote", `css:[a="b]`, 8, `found an unclosed "`, "close"},
	{"css bracket", `css:a[b`, 6, "found an unclosed [", "]"},
	{"css closing", `css:a)`, 6, "found ) without an opening bracket", ""},
	{"css wrong closing", `css:a[b)`, 8, "found ), expected ]", ""},
	{"css digit class", `css:.1a`, 6, "found 1", "[class="},
	{"css no name", `css:a..b`, 7, "found .", ""},
	{"css attribute value", `css:[a=5]`, 8, "found 5", "quotes"},
	{"css attribute with spaces", `css:[a=b c]`, 10, "found c, expected ]", "quotes"},
	{"css attribute operator", `css:[a!=b]`, 7, "found !", ""},
	{"css chain without spaces", `css:a>>b`, 6, "found >>, expected a space", "css:a >> css:b"},
	{"css leading combinator", `css:> td`, 5, "found >, expected a selector before it", ":scope"},
	{"css trailing combinator", `css:a >`, 7, "found > at the end", ""},
	{"css trailing comma", `css:a,`, 6, "found , at the end", ""},
	{"css junk", `css:a;b`, 6, "found ;", ""},
	{"css equals", `text=OK`, 5, "found =", "text:OK"},
	{"css slash", `/html/body`, 1, "found /", "xpath:"},
	{"css dollar", `css:a $x`, 7, "found $", "braces"},
	{"css brace", `css:a{b}`, 6, "found {", ""},
	{"css string", `css:"a"`, 5, `found "`, ""},
	{"css parenthesis", `css:a (b)`, 7, "found (", ""},
	{"css backslash", `css:a\`, 6, `found \ at the end`, ""},
	{"css comment without end", `css:a /* b`, 7, "found an unclosed comment", ""},
	{"xpath bracket", `//a[`, 4, "found an unclosed [", ""},
	{"role unknown", `role:buton`, 6, "unknown ARIA role buton", "did you mean button?"},
	{"role of an element", `role:input`, 6, "unknown ARIA role input", "textbox"},
	{"role empty", `role:[name='x']`, 6, "found [ after role:", ""},
	{"role text behind", `role:button "OK"`, 13, `found " after the role`, "[name='OK']"},
	{"role attribute unknown", `role:button[nam='x']`, 13, "unknown attribute nam", "did you mean name?"},
	{"role attribute aria", `role:button[aria-checked]`, 13, "unknown attribute aria-checked", "checked"},
	{"role name without value", `role:button[name]`, 17, "found ] after name", "[name='OK']"},
	{"role name operator", `role:button[name^='x']`, 17, "found ^=", "*="},
	{"role name quote", `role:button[name='x]`, 18, "found an unclosed '", ""},
	{"role name behind quote", `role:button[name='x'y]`, 21, "found y, expected ]", `\'`},
	{"role name escape", `role:button[name='C:\dir']`, 21, `found the escape \d`, `\\`},
	{"role name contains nothing", `role:button[name*='']`, 19, "found an empty text", ""},
	{"role pattern without slashes", `role:button[name~=x]`, 19, "found x after name~=", "/pattern/"},
	{"role pattern flag", `role:button[name~=/x/g]`, 22, "found the flag g", ""},
	{"role state value", `role:checkbox[checked=maybe]`, 23, `found "maybe"`, "[checked=true]"},
	{"role state mixed", `role:button[disabled=mixed]`, 22, `found "mixed"`, ""},
	{"role level", `role:heading[level=0]`, 20, `found "0"`, ""},
	{"role without end", `role:button[name='x'`, 12, "found an unclosed [", ""},
	{"nth text", `css:a >> nth:x`, 14, "found nth:x, expected an integer", "nth:0"},
	{"nth fraction", `css:a >> nth:1.5`, 14, "found nth:1.5", ""},
	{"nth first", `nth:0`, 1, "found a filter", "css:li >> nth:0"},
	{"row first", `row:Ann`, 1, "found `row:` at the beginning", "role:table >> row:Ann"},
	{"has-text first", `has-text:x`, 1, "found a filter", ""},
	{"has without parentheses", `css:a >> has:text:x`, 14, "found t after `has:`, expected (", "has:(text:OK)"},
	{"has without end", `css:a >> has:(text:x`, 14, "found an unclosed (", ""},
	{"has empty", `css:a >> has:()`, 15, "found )", ""},
	{"has with filter first", `css:a >> has:(nth:0)`, 15, "found a filter", ""},
	{"has with more behind", `css:a >> has:(text:x) y`, 23, "found y after has", ">>"},
	{"has with an inner error", `css:a >> has:(css:p >> txt:x)`, 24, "unknown selector kind txt", ""},
	{"class empty", `class:`, 7, "found nothing after `class:`, expected names of classes", "class:select-dropdown"},
	{"class with a dot", `class:.a`, 7, "found ., expected the name of a class", "class:select-dropdown.open"},
	{"class with a dot behind", `class:a.`, 9, "found the end, expected the name", ""},
	{"class with spaces", `class:a b`, 9, "found b after class", "separate parts with >>"},
	{"class with other characters", `class:w-1/2`, 10, "found / in the name", "css:"},
	{"class with an alias", `class:${selectors.modal}`, 7, "inside a part", ""},
	{"class operator", `class*:a`, 6, "found * after class", "without an operator"},
	{"class misspelt", `clas:a`, 1, "unknown selector kind clas", "did you mean class:?"},
	{"not first", `not:(css:a)`, 1, "found a filter", "`not:` narrows the matches of the part before it, so it cannot come first: write for example css:li >> not:("},
	{"visible first", `visible:`, 1, "found a filter", "class:select-dropdown >> visible:"},
	{"visible with a body", `css:a >> visible:true`, 18, "found t after visible:", ">>"},
	{"visible without a colon", `css:a >> visible`, 17, "found the end after visible, expected :", "write visible:"},
	{"closest first", `closest:(css:a) >> css:b`, 1, "found `closest:` at the beginning", "text:Ann >> closest:("},
	{"closest in a not", `css:a >> not:(closest:(css:b))`, 15, "found `closest:` at the beginning", ""},
	{"closest of a filter", `css:a >> closest:(has-text:b)`, 19, "found a filter", ""},
	{"linked first", `linked:for`, 1, "found `linked:` at the beginning", "linked:aria-controls"},
	{"under first", `under:(css:li)`, 1, "found `under:` at the beginning", "under:(role:treeitem)"},
	{"under of a frame", `frame:#a >> under:(css:b)`, 13, "found `under:` directly after `frame:`", "css:button >> under:"},
	{"is first", `is:(css:a)`, 1, "found a filter", "is:(css:.active)"},
	{"is without a colon", `css:a >> is(css:b)`, 12, "found ( after is, expected :", "is:(css:.active)"},
	{"closest of a frame", `frame:#a >> closest:(css:b)`, 13, "found `closest:` directly after `frame:`", "css:button >> closest:"},
	{"closest without a colon", `css:a >> closest(css:b)`, 17, "found ( after closest, expected :", "closest:(css:form)"},
	{"next first", `next:(css:a)`, 1, "found `next:` at the beginning", "text:Orders >> next:("},
	{"next empty", `css:a >> next:()`, 16, "found )", ""},
	{"next misspelt", `css:a >> nex:(a)`, 10, "unknown selector kind nex", "did you mean next:?"},
	{"any of one", `any:(css:a)`, 11, "found one selector in `any:`", "css:select | role:combobox"},
	{"either of one", `either:(css:a)`, 14, "found one selector in `either:`", "(css:.own | role:option)"},
	{"any without spaces", `any:(text:a|b)`, 14, "found one selector in `any:`", "a space on each side"},
	{"any with nothing behind", `any:(css:a |)`, 13, "found ), expected a selector", ""},
	{"any with nothing before", `any:(| css:a)`, 6, "found |, expected a selector", ""},
	{"any without end", `any:(css:a | css:b`, 5, "found an unclosed (", "close any with \")\""},
	{"any without parentheses", `any:css:a`, 5, "found c after `any:`, expected (", "any:(css:select"},
	{"any of filters first", `any:(css:a | nth:0)`, 1, "found a filter", ""},
	{"any of frames", `any:(frame:#a | frame:#b) >> css:c`, 6, "found `frame:` as the last part", ""},
	{"any with an inner error", `any:(css:a | txt:b)`, 14, "unknown selector kind txt", ""},
	{"any of whole params", `any:(${x} | css:a)`, 6, "as a whole selector", ""},
	{"any too deep", strings.Repeat("any:(a | ", 11) + "b" + strings.Repeat(")", 11), 95, "nested too deeply", ""},
	{"none with a colon", `none:x`, 5, "found : after `none`", "without a colon"},
	{"none with a body", `none x`, 6, "found x after none", ">>"},
	{"frame of a filter", `frame:visible: >> css:a`, 7, "found a filter", ""},
	{"more behind a ref", `@e5 css:a`, 5, "found c after the ref", ">>"},
	{"frame last", `frame:#x`, 1, "found `frame:` as the last part", ""},
	{"frame of a frame", `frame:frame:#x >> a`, 7, "found frame:frame:", ""},
	{"ref", `@5`, 1, "found @5, expected a ref", "@e5"},
	{"ref with a hole", `@e${x}`, 1, "found @e${x}", "steps.found.ref"},
	{"pattern", `text~:a(b`, 7, "missing closing )", ""},
	{"pattern look-ahead", `text~:a(?=b)`, 7, "(?=", "look-around"},
	{"pattern back-reference", `text~:(a)\1`, 7, `\1`, "back-references"},
	{"pattern hole in a class", `text~:[${x}]`, 7, "found ${params.x} where a pattern cannot contain a reference", ""},
	{"pattern hole in a count", `text~:a{${n}}`, 7, "found ${params.n} where a pattern cannot contain a reference", ""},
	{"pattern hole behind backslash", `text~:a\${x}`, 7, "found ${params.x} where a pattern cannot contain a reference", ""},
	{"pattern too large", `text~:` + strings.Repeat(`(?i:\p{Lu})`, 300), 7, "bytes of JavaScript", ""},
	{"text escape", `text:"\q"`, 7, `found the escape \q`, ""},
	{"text lone surrogate", `text:"\ud83d"`, 7, `found an incomplete \u`, ""},
	{"alias inside a part", `css:div ${selectors.modal}`, 9, "found the alias ${selectors.modal} inside a part", "between >>"},
	{"alias in a text", `text:${selectors.modal}`, 6, "inside a part", ""},
	{"alias unknown", `${selectors.modl_ok}`, 1, "unknown selector alias modl_ok", "did you mean modal_ok?"},
	{"alias with a path", `${selectors.modal.primary}`, 1, "found a path after the alias", ""},
	{"selector param inside a part", `css:a${where}`, 6, "found the selector param ${params.where} inside a part", "string"},
	{"whole param", `${x}`, 1, "found ${params.x} as a whole selector", "type: selector"},
	{"whole part param", `css:a >> ${x}`, 10, "as a whole selector", "text:${params.x}"},
	{"whole item", `${item}`, 1, "as a whole selector", "text:${item}"},
	{"css bare hole", `css:${x} a`, 5, "found ${params.x}, expected a selector", ""},
	{"css hole as pseudo class", `css:a:${x}`, 7, "expected the name of a pseudo-class", ""},
	{"css hole behind backslash", `css:.a\${x}`, 7, `found \ before`, ""},
	{"css hole in a comment", `css:a /* ${x} */ b`, 10, "in a CSS comment", ""},
	{"role with a hole behind", `role:but${x}`, 9, "after but", "one reference"},
	{"unknown root", `text:${foo.bar}`, 8, "", ""},
	{"too long", `text:` + strings.Repeat("x", 4100), 1, "selector of 4105 bytes", ""},
	{"too many parts", strings.Repeat("a >> ", 32) + "a", 161, "at most 32", ""},
	{"too deep", `a` + strings.Repeat(" >> has:(a", 11) + strings.Repeat(")", 11), 110, "nested too deeply", ""},
	{"not UTF-8", "text:\xff", 6, "not UTF-8", ""},
	{"second line", "css:a\n  >> txt:b", 6, "unknown selector kind", ""},
}

func TestParseErrors(t *testing.T) {
	for _, tt := range bad {
		t.Run(tt.name, func(t *testing.T) {
			s, err := selectors.Parse(tt.src, options())
			if err == nil {
				t.Fatalf("Parse(%q) = %s, want an error", tt.src, s)
			}
			e := diag.As(err)
			if e == nil || e.Code != diag.DefinitionInvalid {
				t.Fatalf("Parse(%q): %#v, want DEFINITION_INVALID", tt.src, err)
			}
			if e.Pos.Column != tt.column || !e.Pos.IsValid() {
				t.Errorf("Parse(%q): at %v, want column %d (%s)", tt.src, e.Pos, tt.column, e.Msg)
			}
			if !strings.Contains(e.Msg, tt.msg) {
				t.Errorf("Parse(%q): message %q, want %q in it", tt.src, e.Msg, tt.msg)
			}
			if e.Hint == "" || !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("Parse(%q): hint %q, want %q in it", tt.src, e.Hint, tt.hint)
			}
		})
	}
}

func TestParseOptions(t *testing.T) {
	tests := []struct {
		name, src string
		o         selectors.Options
		want      string // canonical form, or "CODE line:column"
	}{
		{"literal", `text:${x}`, selectors.Options{Literal: true}, `text:"\u0024{x}"`},
		{"literal css", `css:[a="${x}"]`, selectors.Options{Literal: true}, `css:[a="$${x}"]`},
		{"by hand", `txt:x`, selectors.Options{Literal: true, Code: diag.ParamInvalid}, `PARAM_INVALID 1:1`},
		{"reference by hand", `text:${`, selectors.Options{Code: diag.ParamInvalid}, `PARAM_INVALID 1:6`},
		{"security", `text:${params.__proto__}`, selectors.Options{}, `SECURITY_ERROR 1:15`},
		{"fragment begins with a filter", `nth:0 >> a`, selectors.Options{Fragment: true}, `nth:0 >> css:a`},
		{"fragment ends in a frame", `frame:#x`, selectors.Options{Fragment: true}, `frame:css:#x`},
		{"fragment in a has", `a >> has:(nth:0)`, selectors.Options{Fragment: true}, `DEFINITION_INVALID 1:11`},
		{"aliases not known", `${selectors.any}`, selectors.Options{}, `${selectors.any}`},
		{"position", `css:a >> txt:b`, selectors.Options{Expr: expr.Options{
			Pos: func(off int) diag.Pos { return diag.Pos{Line: 7, Column: 100 + off} }}}, `DEFINITION_INVALID 7:109`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, err := selectors.Parse(tt.src, tt.o)
			var got string
			if e := diag.As(err); e != nil {
				got = string(e.Code) + " " + e.Pos.String()
			} else {
				got = s.String()
			}
			if got != tt.want {
				t.Errorf("got %s, want %s (%v)", got, tt.want, err)
			}
		})
	}
}

func TestRefs(t *testing.T) {
	s, err := selectors.Parse(`${selectors.row} >> css:[a="${x}"] >> has:(${selectors.modal} >> ${selectors.row}) >> nth:${index}`, options())
	if err != nil {
		t.Fatal(err)
	}
	var refs []string
	for _, r := range s.Refs() {
		refs = append(refs, r.String())
	}
	want := "${selectors.row} ${params.x} ${selectors.modal} ${selectors.row} ${index}"
	if got := strings.Join(refs, " "); got != want {
		t.Errorf("Refs() = %s, want %s", got, want)
	}
	if got := strings.Join(s.Aliases(), " "); got != "row modal" {
		t.Errorf("Aliases() = %s, want row modal", got)
	}
}

func TestRolesAreListedOnce(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range selectors.Roles() {
		if seen[r] {
			t.Errorf("role %s is listed twice", r)
		}
		seen[r] = true
	}
}
