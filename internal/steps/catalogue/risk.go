package catalogue

// What a step may do that a person may have to approve, as far as the step alone says so.

import (
	"strings"

	"github.com/actionregistry/action/internal/steps"
)

// RiskOf returns the risk that an op has on every page, or "" if it has none. It never returns
// leave_origin or submit, which depend on the page: see [PressOf] and [Address].
func RiskOf(o *steps.Op) steps.Risk {
	do, _ := o.Args[steps.VerbArg].LiteralText()
	switch o.Entry.Name {
	case "upload":
		return steps.RiskUpload
	case "download":
		return steps.RiskDownload
	case "eval":
		return steps.RiskEval
	case "wait":
		if o.PolicyName() == scriptWait {
			return steps.RiskEval
		}
	case "page_tools":
		if do == "call" {
			return steps.RiskEval
		}
	case "dialog":
		if do == "accept" {
			return steps.RiskDialog
		}
	}
	return ""
}

// A Press is the way in which an op presses something on the page. It shows where to check whether
// the op may send a form or lead to another origin.
type Press uint8

const (
	NoPress   Press = iota
	ByPointer       // it presses its element, or what is at a point
	ByKey           // it presses keys in its element, or in the one that has the focus
	ByButton        // it presses or releases a button where the mouse is
)

// PressOf returns the way in which an op presses something. For a step that sets a control, it
// returns NoPress, because only a script of the page could then send a form.
func PressOf(o *steps.Op) Press {
	switch o.Entry.Name {
	case "click", "dblclick", "click_and_hold", "load_more_until":
		return ByPointer
	case "press", "type", "key_down", "key_up":
		return ByKey
	case "mouse_down", "mouse_up":
		return ByButton
	}
	return NoPress
}

// Address returns the expression for the address that an op opens. goes reports whether the op
// opens an address at all. If goes is true and x is nil, as for `back`, only the browser knows the
// address.
func Address(o *steps.Op) (x *steps.Expr, goes bool) {
	do, _ := o.Args[steps.VerbArg].LiteralText()
	switch o.Entry.Name {
	case "open":
		return o.Args["url"], true
	case "back", "forward":
		return nil, true
	case "tab", "window":
		if do == "new" && o.Args["url"] != nil {
			return o.Args["url"], true
		}
	}
	return nil, false
}

// MaySend reports whether the keys of an op may send a form or press what has the focus. values are
// its arguments, by name.
func MaySend(o *steps.Op, values map[string]any) bool {
	if text, ok := values["text"].(string); ok && o.Args["text"] != nil {
		return strings.ContainsAny(text, "\r\n")
	}
	key, _ := values["key"].(string)
	key = key[strings.LastIndexByte(strings.TrimSuffix(key, "+"), '+')+1:]
	return key == " " || strings.EqualFold(key, "space") || strings.HasSuffix(strings.ToLower(key), "enter")
}

// Spot returns the point of the viewport at which an op acts, if it has no element.
func Spot(o *steps.Op, values map[string]any) (x, y float64, ok bool) {
	x, okX := number(values["x"])
	y, okY := number(values["y"])
	return x, y, okX && okY && o.Args["x"] != nil
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}
