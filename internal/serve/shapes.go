package serve

// The answers that are lists, for the schemas of the paths.

import "encoding/json"

type (
	// Sessions are all sessions.
	Sessions struct {
		Sessions []SessionInfo `json:"sessions"`
	}
	// Tabs are the tabs of a session, numbered from 0.
	Tabs struct {
		Tabs []Tab `json:"tabs"`
	}
	// Windows are the windows of a session, numbered from 0.
	Windows struct {
		Windows []Tab `json:"windows"`
	}
	// Dialogs are the most recent dialogs, oldest first.
	Dialogs struct {
		Dialogs []map[string]any `json:"dialogs"`
	}
	// Requests are the requests of a tab, oldest first.
	Requests struct {
		Requests []map[string]any `json:"requests"`
	}
	// Console are the messages of the console, oldest first.
	Console struct {
		Messages []map[string]any `json:"messages"`
	}
	// Routes are the rules of a session that block, answer or change requests of its pages.
	Routes struct {
		Routes []map[string]any `json:"routes"`
	}
	// AddedRoute is the answer with the id of a new route.
	AddedRoute struct {
		Route string `json:"route"`
	}
	// ActionRequest is the body of a request for an action. All other fields of the body are
	// arguments of the action's step.
	ActionRequest struct {
		Type     string          `json:"type"`
		Selector string          `json:"selector,omitempty"`
		RefID    string          `json:"refId,omitempty"`
		Value    json.RawMessage `json:"value,omitempty"`
		Key      string          `json:"key,omitempty"`
		Timeout  int64           `json:"timeout,omitempty"`
	}
)
