package driver

import "context"

// PageTools lists and calls the tools that the documents of a tab offer to agents (WebMCP). All
// texts of a tool come from the page. If page tools are disabled in the browser, the error of every
// method is STEP_FAILED, and its hint names the setting.
type PageTools interface {
	// PageTools returns the tools that all frames offer now. The result "more" is the number of
	// tools that are omitted because the list would be too long.
	PageTools(ctx context.Context) (tools []PageTool, more int, err error)
	// CallTool calls a tool once and waits for its answer. It first waits up to 5 s until the page
	// offers the tool. If the tool returns an error, the error is STEP_FAILED with the text of the
	// tool's error.
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
	// Waits is set if the tool has filled a form that must still be sent. Value is then nil.
	Waits     bool
	Navigated *Navigation // as for [Press]
}
