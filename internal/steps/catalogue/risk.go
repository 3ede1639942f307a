package catalogue

// What a step may do that a person may have to approve, as far as the step alone says so.

import (
	"strings"

	"github.com/actionregistry/action/internal/steps"
)

// RiskOf returns the risk of an op that does not depend on the page, or "" if there is none. The
// risks leave_origin and submit depend on the page: see [PressOf] and [Address].
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

// A Press says how an op presses something on the page.
type Press uint8

const (
	NoPress   Press = iota
	ByPointer       // it presses its element, or what is at a point
	ByKey           // it presses keys in its element, or in the one that has the focus
	ByButton        // it presses or releases a button where the mouse is
)

// PressOf returns how an op presses something on the page. For a step that sets a control, such as
// `fill`, it returns NoPress.
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

// Address returns the expression for the address that an op opens. For `back` and `forward`, x is
// nil, because only the browser knows the address. goes is false for ops that open no address.
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

// MaySend reports whether an op presses Enter or Space, which may send a form or press the focused
// element. values maps the names of the op's arguments to their values.
func MaySend(o *steps.Op, values map[string]any) bool {
	if text, ok := values["text"].(string); ok && o.Args["text"] != nil {
		return strings.ContainsAny(text, "\r\n")
	}
	key, _ := values["key"].(string)
	key = key[strings.LastIndexByte(strings.TrimSuffix(key, "+"), '+')+1:]
	return key == " " || strings.EqualFold(key, "space") || strings.HasSuffix(strings.ToLower(key), "enter")
}

// Spot returns the point of the viewport at which an op acts. ok is false if the op has no point.
// values maps the names of the op's arguments to their values.
func Spot(o *steps.Op, values map[string]any) (x, y float64, ok bool) {
	x, okX := steps.Float(values["x"])
	y, okY := steps.Float(values["y"])
	return x, y, okX && okY && o.Args["x"] != nil
}
