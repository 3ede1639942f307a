// Package keys describes a US keyboard: its keys, the characters that they type, and chords as
// people write them (Enter, Control+Shift+a). It sends nothing: package browser converts keys to
// input events.
package keys

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/actionregistry/action/diag"
)

// A Key is a key that can be pressed. Text is the text that it types, or "".
type Key struct {
	Key     string // KeyboardEvent.key
	Code    string // KeyboardEvent.code
	KeyCode int    // KeyboardEvent.keyCode
	Text    string
	Shift   bool // typing it requires Shift
}

// A Chord is a key pressed while modifiers are held.
type Chord struct {
	Modifiers []Key
	Key       Key
}

// Bits returns the modifiers of c as the bits that the protocol's input events use.
func (c Chord) Bits() int {
	names := make([]string, len(c.Modifiers))
	for i, m := range c.Modifiers {
		names[i] = m.Key
	}
	return Bits(names)
}

// Bits returns the modifiers with these names as the bits that the protocol's input events use.
func Bits(names []string) int {
	bits := 0
	for _, n := range names {
		bits |= map[string]int{"Alt": 1, "Control": 2, "Meta": 4, "Shift": 8}[n]
	}
	return bits
}

var modifiers = map[string]Key{
	"Alt":     {Key: "Alt", Code: "AltLeft", KeyCode: 18},
	"Control": {Key: "Control", Code: "ControlLeft", KeyCode: 17},
	"Meta":    {Key: "Meta", Code: "MetaLeft", KeyCode: 91},
	"Shift":   {Key: "Shift", Code: "ShiftLeft", KeyCode: 16},
}

// Named returns the key with a name of more than one character, such as Enter. If there is none, it
// returns the zero Key.
func Named(name string) Key { return named[name] }

// named holds the keys that have a name of more than one character.
var named = makeNamed()

func makeNamed() map[string]Key {
	keys := map[string]Key{
		"Enter": {Code: "Enter", KeyCode: 13, Text: "\r"}, "Tab": {Code: "Tab", KeyCode: 9},
		"Space":     {Key: " ", Code: "Space", KeyCode: 32, Text: " "},
		"Backspace": {KeyCode: 8}, "Delete": {KeyCode: 46}, "Insert": {KeyCode: 45}, "Escape": {KeyCode: 27},
		"Home": {KeyCode: 36}, "End": {KeyCode: 35}, "PageUp": {KeyCode: 33}, "PageDown": {KeyCode: 34},
		"ArrowLeft": {KeyCode: 37}, "ArrowUp": {KeyCode: 38}, "ArrowRight": {KeyCode: 39}, "ArrowDown": {KeyCode: 40},
		"CapsLock": {KeyCode: 20}, "NumLock": {KeyCode: 144}, "ScrollLock": {KeyCode: 145}, "Pause": {KeyCode: 19},
		"PrintScreen": {KeyCode: 44}, "ContextMenu": {KeyCode: 93},
	}
	for i := 1; i <= 12; i++ {
		name := "F" + string("0123456789"[i/10]) + string("0123456789"[i%10])
		name = strings.Replace(name, "F0", "F", 1)
		keys[name] = Key{KeyCode: 111 + i}
	}
	for name, k := range modifiers {
		keys[name] = k
	}
	for name, k := range keys {
		if k.Key == "" {
			k.Key = name
		}
		if k.Code == "" {
			k.Code = name
		}
		keys[name] = k
	}
	return keys
}

// keyAliases are alternative names of keys.
var keyAliases = map[string]string{
	"Esc": "Escape", "Return": "Enter", "Del": "Delete", "Ctrl": "Control", "Cmd": "Meta", "Command": "Meta",
	"Option": "Alt", "Up": "ArrowUp", "Down": "ArrowDown", "Left": "ArrowLeft", "Right": "ArrowRight",
}

// punctuation lists the keys that are not letters: code, keyCode, and the characters without and
// with Shift.
var punctuation = []struct {
	code         string
	keyCode      int
	plain, shift byte
}{
	{"Backquote", 192, '`', '~'}, {"Digit1", 49, '1', '!'}, {"Digit2", 50, '2', '@'}, {"Digit3", 51, '3', '#'},
	{"Digit4", 52, '4', '$'}, {"Digit5", 53, '5', '%'}, {"Digit6", 54, '6', '^'}, {"Digit7", 55, '7', '&'},
	{"Digit8", 56, '8', '*'}, {"Digit9", 57, '9', '('}, {"Digit0", 48, '0', ')'}, {"Minus", 189, '-', '_'},
	{"Equal", 187, '=', '+'}, {"BracketLeft", 219, '[', '{'}, {"BracketRight", 221, ']', '}'},
	{"Backslash", 220, '\\', '|'}, {"Semicolon", 186, ';', ':'}, {"Quote", 222, '\'', '"'},
	{"Comma", 188, ',', '<'}, {"Period", 190, '.', '>'}, {"Slash", 191, '/', '?'},
}

// Typed returns the key that types r, if a US keyboard has one.
func Typed(r rune) (Key, bool) {
	switch {
	case r == '\n' || r == '\r':
		return named["Enter"], true
	case r == '\t':
		return named["Tab"], true
	case r == ' ':
		return named["Space"], true
	case r >= 'a' && r <= 'z':
		upper := string(r - 'a' + 'A')
		return Key{Key: string(r), Code: "Key" + upper, KeyCode: int(upper[0]), Text: string(r)}, true
	case r >= 'A' && r <= 'Z':
		return Key{Key: string(r), Code: "Key" + string(r), KeyCode: int(r), Text: string(r), Shift: true}, true
	}
	for _, k := range punctuation {
		if r == rune(k.plain) || r == rune(k.shift) {
			return Key{Key: string(r), Code: k.code, KeyCode: k.keyCode, Text: string(r), Shift: r == rune(k.shift)}, true
		}
	}
	return Key{}, false
}

// Parse parses a chord such as "Enter", "a", "Control+Shift+ArrowLeft" or "Control++". The modifier
// ControlOrMeta is replaced by controlOrMeta.
func Parse(text, controlOrMeta string) (Chord, error) {
	var c Chord
	rest := text
	for {
		name, after, more := strings.Cut(rest, "+")
		if !more || after == "" || name == "" { // the last key: "a", "+" or "Control++"
			break
		}
		m, ok := modifiers[canonical(name, controlOrMeta)]
		if !ok {
			return c, unknownKey(text, name, modifierNames())
		}
		c.Modifiers = append(c.Modifiers, m)
		rest = after
	}
	name := canonical(rest, controlOrMeta)
	if k, ok := named[name]; ok {
		c.Key = k
		return c, nil
	}
	if r, size := utf8.DecodeRuneInString(name); size == len(name) && size > 0 && r != utf8.RuneError {
		if k, ok := Typed(r); ok {
			c.Key = k
		} else {
			c.Key = Key{Key: name, Text: name}
		}
		return c, nil
	}
	return c, unknownKey(text, rest, keyNames())
}

func canonical(name, controlOrMeta string) string {
	if name == "ControlOrMeta" {
		return controlOrMeta
	}
	if full, ok := keyAliases[name]; ok {
		return full
	}
	return name
}

func unknownKey(text, name string, known []string) error {
	hint := diag.DidYouMean(name, known)
	if hint == "" {
		hint = "use a character, a key such as Enter or ArrowDown, or a chord such as Control+a"
	}
	if text == "" {
		return diag.New(diag.ParamInvalid, "the key is empty").WithHint("%s", hint)
	}
	return diag.New(diag.ParamInvalid, "unknown key %q in %q", name, text).WithHint("%s", hint)
}

func keyNames() []string {
	names := make([]string, 0, len(named))
	for name := range named {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func modifierNames() []string { return []string{"Alt", "Control", "ControlOrMeta", "Meta", "Shift"} }
