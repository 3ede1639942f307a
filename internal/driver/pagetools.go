package driver

import "context"

// PageTools lists and calls the tools that the documents of a tab offer to agents (WebMCP). All
// texts of a tool come from its page. If the browser does not let pages offer tools, the error of
// every method is STEP_FAILED, and its hint names the setting.
type PageTools interface {
	// PageTools returns the tools of all frames. It does not wait until a page offers tools. The
	// result "more" is the number of tools that are omitted because the list would be too large.
	PageTools(ctx context.Context) (tools []PageTool, more int, err error)
	// CallTool waits for at most 5 s until the page offers the tool. It calls the tool once and waits
	// for the answer. If the tool returns an error, the error is STEP_FAILED with its text.
	CallTool(ctx context.Context, c ToolCall) (ToolAnswer, error)
}

// A PageTool is a tool of a page.
type PageTool struct {
	Name        string
	Description string
	Schema      any      // the JSON Schema of its params as plain data; nil: the tool declares none
	Hints       []string // annotations that are true, such as readOnly, sorted
	Frame       string   // address of the document that offers the tool
	Origin      string   // of that document; "null" if it is opaque
}

// A ToolCall is a call of a tool of a page.
type ToolCall struct {
	Name   string
	Params map[string]any
	Frame  string // address or origin of the document that offers the tool; "" for any
}

// A ToolAnswer is the answer to a [ToolCall].
type ToolAnswer struct {
	Value any // plain data
	// Waits is set if the tool is a form. The call has then filled the form, and somebody must press
	// its button. Value is nil.
	Waits     bool
	Navigated *Navigation // as for [Press]
}
