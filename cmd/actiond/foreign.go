package main

import "slices"

// Commands of other tools that people and agents type out of habit, with hints for the equivalent
// commands of this one.

// A foreignWord is the beginning of a command line of another tool, with a hint for users who type
// it here.
type foreignWord struct {
	words []string // the command and the words that must follow it
	hint  string
}

// foreignCommands lists commands of other tools that do not exist here. The first match wins.
var foreignCommands = []foreignWord{
	{[]string{"goto"}, "open an address with: action open URL"},
	{[]string{"navigate"}, "open an address with: action open URL"},
	{[]string{"visit"}, "open an address with: action open URL"},
	{[]string{"close"}, "end the session with: action session close (one tab: action tab close)"},
	{[]string{"quit"}, "end the session with: action session close"},
	{[]string{"exit"}, "end the session with: action session close"},
	{[]string{"connect"}, "attach to a running browser with --cdp, as in: action open URL --cdp PORT"},
	{[]string{"tap"}, "press an element with: action click SELECTOR"},
	{[]string{"key"}, "press a key with: action press KEY"},
	{[]string{"keyboard", "type"}, "type into the focused element with: action type TEXT"},
	{[]string{"keyboard"}, "press a key with: action press KEY; type into the focused element with: action type TEXT"},
	{[]string{"mouse", "move"}, "move the mouse with: action mouse-move X Y"},
	{[]string{"mouse", "down"}, "press a mouse button with: action mouse-down"},
	{[]string{"mouse", "up"}, "release a mouse button with: action mouse-up"},
	{[]string{"mouse", "wheel"}, "scroll with: action scroll DIRECTION AMOUNT"},
	{[]string{"mouse"}, "use: action mouse-move, action mouse-down, action mouse-up or action scroll"},
	{[]string{"scrollinto"}, "use: action scroll-into-view SELECTOR"},
	{[]string{"swipe"}, "scroll with: action scroll DIRECTION AMOUNT"},
	{[]string{"refresh"}, "reload the page with: action reload-page"},
	{[]string{"read"}, "read the page with: action snapshot, or action get text"},
	{[]string{"text"}, "read a text with: action get text SELECTOR"},
	{[]string{"evaluate"}, "run a script with: action eval SCRIPT"},
	{[]string{"set", "viewport"}, "set the page size of a session with: action session open --viewport WIDTHxHEIGHT"},
	{[]string{"set", "device"}, "set the page size and the user agent of a session; see: action session open --help"},
	{[]string{"resize"}, "set the page size of a session with: action session open --viewport WIDTHxHEIGHT"},
	{[]string{"network", "requests"}, "list the requests with: action requests"},
	{[]string{"network", "unroute"}, "remove a route with: action route remove ROUTE"},
	{[]string{"network"}, "use: action route block URL, action route mock URL or action requests"},
	{[]string{"state", "save"}, "save the signed-in state with: action storage export PATH"},
	{[]string{"state", "load"}, "load a signed-in state with: action storage import PATH"},
	{[]string{"state"}, "use: action storage export PATH, or action storage import PATH"},
	{[]string{"trace"}, "write a trace of every step with --trace FILE"},
	{[]string{"frame"}, "name the frame in the selector, as in: action click 'frame:#payment >> text:Pay'"},
	{[]string{"help"}, "see: action --help, or for one command: action COMMAND --help"},
}

// foreignArguments lists positional arguments that a command has in other tools but not here.
var foreignArguments = []foreignWord{
	{[]string{"find", "role"}, findHint("role:ROLE[name='NAME']")},
	{[]string{"find", "text"}, findHint("text:TEXT")},
	{[]string{"find", "label"}, findHint("label:LABEL")},
	{[]string{"find", "placeholder"}, findHint("placeholder:TEXT")},
	{[]string{"find", "alt"}, findHint("alt:TEXT")},
	{[]string{"find", "title"}, findHint("title:TEXT")},
	{[]string{"find", "testid"}, findHint("testid:ID")},
	{[]string{"find", "first"}, findHint("css:SELECTOR >> nth:0")},
	{[]string{"find", "last"}, findHint("css:SELECTOR >> nth:-1")},
	{[]string{"find", "nth"}, findHint("css:SELECTOR >> nth:N")},
}

func findHint(selector string) string {
	return "`find` only reads; to act, use a step with a selector, as in: action click \"" + selector + `"`
}

// foreignFlags lists flags that a command has in other tools but not here.
var foreignFlags = []foreignWord{
	{[]string{"snapshot", "-c"}, snapshotFlags},
	{[]string{"snapshot", "-d"}, snapshotFlags},
	{[]string{"snapshot", "-s"}, snapshotFlags},
	{[]string{"snapshot", "--depth"}, snapshotFlags},
	{[]string{"snapshot", "--selector"}, snapshotFlags},
	{[]string{"wait", "--load"}, "use --load-state STATE, or: action wait-load-state STATE"},
	{[]string{"wait", "--fn"}, "use --function SCRIPT, or: action wait-function SCRIPT"},
	{[]string{"screenshot", "--full"}, "use --full-page"},
	{[]string{"screenshot", "-f"}, "use --full-page"},
	{[]string{"find", "--exact"}, "names and texts must match completely; to match a part, use a selector, as in: action get count \"role:button[name*='PART']\""},
}

const snapshotFlags = "instead of -c use --compact (on by default), instead of -d N use --max-depth N, instead of -s SELECTOR use --scope SELECTOR"

// foreignHint returns the hint of the first row that matches the beginning of line, or "".
func foreignHint(rows []foreignWord, line ...string) string {
	for _, row := range rows {
		if len(row.words) <= len(line) && slices.Equal(row.words, line[:len(row.words)]) {
			return row.hint
		}
	}
	return ""
}
