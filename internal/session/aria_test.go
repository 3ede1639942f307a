package session_test

// Tests of the patterns of the W3C's ARIA Authoring Practices. Definitions operate them with steps,
// by keyboard and by pointer.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/pages"
)

const ariaActions = `
namespace: aria
version: 1.0.0
env: [{name: BASE, secret: false}]
selectors:
  out: css:#out
  city: "role:textbox[name='City']"
  state: "role:combobox[name='State']"
  states: "role:listbox[name='States']"
  red: "role:slider[name='Red']"
actions:
  dialog:keyboard:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-dialog.html"}}
      - {action: press, args: {key: Enter, selector: "role:button[name='Add address']"}}
      - {action: wait, args: {selector: "role:dialog[name='Add delivery address']"}}
      - {action: is, args: {selector: "role:textbox[name='Street']", state: focused}, output: street}
      - {action: type, args: {text: "1 Main"}}
      - {action: press, args: {key: Tab}}
      - {action: type, args: {text: Oslo}}
      - {action: press, args: {key: Tab, count: 3}}        # round the trap, back to the street
      - {action: press, args: {key: Shift+Tab}}            # backwards round it: Cancel
      - {action: press, args: {key: Shift+Tab}}
      - {action: press, args: {key: Enter}}
      - {action: wait, args: {selector: role:dialog, state: hidden}}
      - {action: is, args: {selector: "role:button[name='Add address']", state: focused}, output: back}
      - {action: get, args: {selector: "${selectors.out}", what: text}, output: out}
    returns: {got: "${steps.street.focused} ${steps.back.focused} ${steps.out.text}"}
  dialog:pointer:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-dialog.html"}}
      - {action: click, args: {selector: "role:button[name='Add address']"}}
      - {action: fill_form, args: {fields: {Street: 2 High, City: Rome}}}
      - {action: click, args: {selector: "role:dialog >> role:button[name='Add']"}}
      - {action: wait, args: {selector: role:dialog, state: hidden}}
      - {action: get, args: {selector: "${selectors.out}", what: text}, output: out}
    returns: {got: "${steps.out.text}"}
  dialog:covered:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-dialog.html"}}
      - {action: click, args: {selector: "role:button[name='Add address']"}}
      - {action: click, args: {selector: "css:#open"}, timeout: 400ms}
  combobox:keyboard:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-combobox.html"}}
      - {action: type, args: {selector: "${selectors.state}", text: A}}
      - {action: wait, args: {selector: "${selectors.states}"}}
      - {action: find, args: {css: "[role=option]"}, output: options}
      - {action: press, args: {key: ArrowDown, count: 2}}
      - {action: get, args: {selector: "role:option[selected=true]", what: text}, output: at}
      - {action: press, args: {key: Enter}}
      - {action: wait, args: {selector: "${selectors.states}", state: hidden}}
      - {action: get, args: {selector: "${selectors.state}", what: value}, output: value}
      - {action: press, args: {key: Escape, selector: "${selectors.state}"}}
      - {action: get, args: {selector: "${selectors.state}", what: value}, output: cleared}
    returns: {got: "${steps.options.count} ${steps.at.text} ${steps.value.value} '${steps.cleared.value}'"}
  combobox:pointer:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-combobox.html"}}
      - {action: click, args: {selector: "role:button[name='States']"}}
      - {action: click, args: {selector: "role:option[name='Oregon']"}}
      - {action: wait, args: {selector: "role:combobox[name='State'][expanded=false]"}}
      - {action: get, args: {selector: "${selectors.out}", what: text}, output: out}
      - {action: fill, args: {selector: "${selectors.state}", value: Color}}
      - {action: click, args: {selector: "role:option[name='Colorado']"}}
      - {action: get, args: {selector: "label:State", what: value}, output: value}
    returns: {got: "${steps.out.text} ${steps.value.value}"}
  treegrid:keyboard:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-treegrid.html"}}
      - {action: press, args: {key: ArrowRight, selector: "role:row >> has-text:Treegrids are awesome >> nth:0"}}
      - {action: press, args: {key: ArrowDown, count: 2}}
      - {action: press, args: {key: ArrowRight, count: 2}}
      - {action: press, args: {key: Enter}}
      - {action: get, args: {selector: "${selectors.out}", what: text}, output: opened}
      - {action: press, args: {key: ArrowLeft, count: 4}}
      - {action: find, args: {css: "tbody tr:not(.hidden)"}, output: rows}
      - {action: press, args: {key: End}}
      - {action: is, args: {selector: "role:row >> has-text:Lunch", state: focused}, output: last}
    returns: {got: "${steps.opened.text} ${steps.rows.count} ${steps.last.focused}"}
  treegrid:pointer:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-treegrid.html"}}
      - {action: click, args: {selector: "text:Treegrids are awesome"}}
      - {action: click, args: {selector: "text:re: re: Treegrids"}}
      - {action: dblclick, args: {selector: "text:the last word"}}
      - {action: get, args: {selector: "${selectors.out}", what: text}, output: opened}
      - {action: extract, args: {rows: "css:tbody tr:not(.hidden)", fields: {level: {what: attr, attr: aria-level}, sender: "css:td >> nth:1"}}, output: seen}
    returns: {got: "${steps.opened.text} ${steps.seen.count} ${steps.seen.rows[3].level} ${steps.seen.rows[3].sender}"}
  tabs:keyboard:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-tabs.html"}}
      - {action: press, args: {key: ArrowRight, selector: "role:tab[selected=true]"}}
      - {action: get, args: {selector: "role:tabpanel", what: text}, output: second}
      - {action: press, args: {key: End}}
      - {action: get, args: {selector: "role:tab[selected=true]", what: text}, output: last}
      - {action: press, args: {key: ArrowRight}}
      - {action: get, args: {selector: "role:tab[selected=true]", what: text}, output: round}
      - {action: press, args: {key: Tab}}
      - {action: is, args: {selector: role:tabpanel, state: focused}, output: panel}
    returns: {got: "${steps.second.text} ${steps.last.text} ${steps.round.text} ${steps.panel.focused}"}
  tabs:pointer:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-tabs.html"}}
      - {action: click, args: {selector: "role:tab[name='Ida da Fonseca']"}}
      - {action: wait, args: {selector: "role:tabpanel[name='Ida da Fonseca']"}}
      - {action: get, args: {selector: role:tabpanel, what: text}, output: panel}
    returns: {got: "${steps.panel.text}"}
  slider:keyboard:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-slider.html"}}
      - {action: press, args: {key: ArrowRight, selector: "${selectors.red}", count: 3}}
      - {action: press, args: {key: PageUp}}
      - {action: get, args: {selector: "${selectors.red}", what: value}, output: there}
      - {action: press, args: {key: Home}}
      - {action: key_down, args: {key: ArrowRight}}
      - {action: key_down, args: {key: ArrowRight}}
      - {action: key_up, args: {key: ArrowRight}}
      - {action: get, args: {selector: "${selectors.red}", what: value}, output: held}
    returns: {got: "${steps.there.value} ${steps.held.value}"}
  slider:pointer:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-slider.html"}}
      - {action: get, args: {selector: "css:#rail", what: box}, output: rail}
      - {action: drag, args: {from: "${selectors.red}", to: {x: 220, y: "${steps.rail.box.y}"}}, output: dragged}
      - {action: get, args: {selector: "${selectors.red}", what: value}, output: there}
      - {action: click, args: {selector: "css:#rail", position: {x: 30, y: 5}}}
      - {action: get, args: {selector: "${selectors.red}", what: value}, output: pressed}
      - {action: hover, args: {selector: "${selectors.red}"}}
      - {action: mouse_down}
      - {action: mouse_move, args: {x: 120, y: 60}}
      - {action: mouse_up}
      - {action: get, args: {selector: "${selectors.red}", what: value}, output: byhand}
    returns: {got: "${steps.dragged.kind} ${steps.dragged.changed} ${steps.there.value} ${steps.pressed.value} ${steps.byhand.value}"}
  menu:keyboard:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-menu.html"}}
      # A mouse that rests where the menu comes up closes its submenu, with the page's
      # next frame: the run before may have left it there.
      - {action: mouse_move, args: {x: 600, y: 400}}
      - {action: press, args: {key: ArrowDown, selector: "role:button[name='Text style']"}}
      - {action: press, args: {key: b}}
      - {action: press, args: {key: Space}}
      - {action: get, args: {selector: "${selectors.out}", what: text}, output: bold}
      - {action: press, args: {key: Enter}}
      - {action: press, args: {key: c}}
      - {action: press, args: {key: ArrowRight}}
      - {action: press, args: {key: ArrowDown}}
      - {action: press, args: {key: Enter}}
      - {action: get, args: {selector: "${selectors.out}", what: text}, output: color}
      - {action: press, args: {key: ArrowUp}}
      - {action: is, args: {selector: "role:menuitem[name='Paste']", state: focused}, output: last}
      - {action: press, args: {key: Escape}}
      - {action: wait, args: {selector: role:menu, state: hidden}}
    returns: {got: "${steps.bold.text} ${steps.color.text} ${steps.last.focused}"}
  menu:pointer:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-menu.html"}}
      - {action: click, args: {selector: "role:button[name='Text style']"}}
      - {action: check, args: {selector: "role:menuitemcheckbox[name='Bold']"}}
      - {action: get, args: {selector: "${selectors.out}", what: text}, output: bold}
      - {action: click, args: {selector: "role:button[name='Text style']"}}
      - {action: hover, args: {selector: "role:menuitem[name='Color']"}}
      - {action: click, args: {selector: "role:menuitemradio[name='Blue']"}}
      - {action: get, args: {selector: "${selectors.out}", what: text}, output: color}
    returns: {got: "${steps.bold.text} ${steps.color.text}"}
  menu:disabled:
    steps:
      - {action: open, args: {url: "${env.BASE}/aria-menu.html"}}
      - {action: click, args: {selector: "role:button[name='Text style']"}}
      - {action: click, args: {selector: "role:menuitem[name='Paste']"}, timeout: 400ms}
`

func TestARIAPatterns(t *testing.T) {
	t.Parallel()
	base := serve(t, pages.Handler())
	b := newBench(t, map[string]string{"aria.yaml": ariaActions}, nil, "BASE="+base)
	tests := []struct{ action, got string }{
		{"dialog:keyboard", "true true added 1 Main, Oslo"},
		{"dialog:pointer", "added 2 High, Rome"},
		{"combobox:keyboard", "3 Alaska Alaska ''"},
		{"combobox:pointer", "chose Oregon Colorado"},
		{"treegrid:keyboard", "opened the last word 2 true"},
		{"treegrid:pointer", "opened the last word 5 3 cy@example.test"},
		{"tabs:keyboard", "Carl played the flute. Ida da Fonseca Maria Ahlefeldt true"},
		{"tabs:pointer", "Ida sang opera."},
		{"slider:keyboard", "141 2"},
		{"slider:pointer", "pointer true 200 30 100"},
		{"menu:keyboard", "Bold true Blue true true"},
		{"menu:pointer", "Bold true Blue true"},
	}
	for _, tt := range testkit.Some(t, "patterns", 6, tests) {
		t.Run(tt.action, func(t *testing.T) {
			if got := fmt.Sprint(b.mustRun(t, "aria:"+tt.action, nil)["got"]); got != tt.got {
				t.Errorf("got %q, want %q", got, tt.got)
			}
		})
	}
	refusals := []struct{ action, missing, text string }{
		{"dialog:covered", "hit", "covered by <div"},
		{"menu:disabled", "enabled", "aria-disabled"},
	}
	for _, tt := range refusals {
		t.Run(tt.action, func(t *testing.T) {
			r := b.run(t, "aria:"+tt.action, nil)
			wantError(t, r, diag.ElementNotInteractable, tt.text)
			if r.Error != nil && !strings.Contains(fmt.Sprint(r.Error.Details["missing"]), tt.missing) {
				t.Errorf("details %v, want missing %s", r.Error.Details, tt.missing)
			}
		})
	}
}
