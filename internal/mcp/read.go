package mcp

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/daemon/wire"
)

// The tools that read pages and manage sessions.

type snapshotArgs struct {
	Interactive *bool  `json:"interactive,omitempty" jsonschema:"only elements to act on"`
	Scope       string `json:"scope,omitempty" jsonschema:"selector of a part"`
	Delta       string `json:"delta,omitempty" jsonschema:"id of an earlier snapshot: only changes"`
	MaxChars    *int   `json:"max_chars,omitempty"`
	Session     string `json:"session,omitempty"`
}

type screenshotArgs struct {
	Selector string `json:"selector,omitempty"`
	FullPage bool   `json:"full_page,omitempty"`
	Session  string `json:"session,omitempty"`
}

type sessionArgs struct {
	Op      string `json:"op" jsonschema:"open, list, close or handoff (to a person)"`
	Name    string `json:"name,omitempty"`
	Options object `json:"options,omitempty" jsonschema:"of open: headed, viewport {width, height}, locale, proxy, cdp"`
}

func snapshotTool() *tool {
	return define("snapshot", "The page as text, with refs for act", sdk.ToolAnnotations{ReadOnlyHint: true}, takeSnapshot)
}

func screenshotTool() *tool {
	return define("screenshot", "A picture", sdk.ToolAnnotations{ReadOnlyHint: true}, takeScreenshot)
}

func sessionTool() *tool {
	return define("session", "Browsers by name; the first call of a session opens it", sdk.ToolAnnotations{}, manageSession).always()
}

func takeSnapshot(ctx context.Context, c *call, args *snapshotArgs) (*reply, error) {
	options := make(map[string]any)
	if args.Interactive != nil {
		options["interactive"] = *args.Interactive
	}
	if args.MaxChars != nil {
		options["max_chars"] = *args.MaxChars
	}
	if args.Scope != "" {
		options["scope"] = args.Scope
	}
	if args.Delta != "" {
		options["delta"] = args.Delta
	}
	text, err := c.snapshot(ctx, options, args.Session)
	if err != nil {
		return nil, err
	}
	return &reply{text: pageMark + "\n" + text}, nil
}

func takeScreenshot(ctx context.Context, c *call, args *screenshotArgs) (*reply, error) {
	options := map[string]any{"format": "base64"}
	if args.Selector != "" {
		options["selector"] = args.Selector
	}
	if args.FullPage {
		options["full_page"] = true
	}
	var shot struct {
		Base64        string `json:"base64"`
		Width, Height int
	}
	if err := c.step(ctx, "screenshot", options, args.Session, &shot); err != nil {
		return nil, err
	}
	data, err := base64.StdEncoding.DecodeString(shot.Base64)
	if err != nil {
		return nil, diag.New(diag.Internal, "the picture is not base64: %v", err).Because(err)
	}
	return &reply{
		image: &sdk.ImageContent{Data: data, MIMEType: "image/png"},
		text:  fmt.Sprintf("%d × %d pixels, %d bytes", shot.Width, shot.Height, len(data)),
	}, nil
}

func manageSession(ctx context.Context, c *call, args *sessionArgs) (*reply, error) {
	switch args.Op {
	case "open":
		options := new(wire.SessionOptions)
		if err := args.Options.into(options); err != nil {
			return nil, err
		}
		var opened wire.Session
		if err := c.get(ctx, &wire.SessionOpenRequest{Session: cmp.Or(args.Name, c.o.Session), Options: options, Location: c.o.Location}, &opened); err != nil {
			return nil, err
		}
		return &reply{text: "opened " + sessionLine(&opened)}, nil
	case "close":
		var closed struct {
			Closed string `json:"closed"`
		}
		if err := c.get(ctx, &wire.SessionCloseRequest{Session: cmp.Or(args.Name, c.o.Session)}, &closed); err != nil {
			return nil, err
		}
		return &reply{text: "closed " + closed.Closed}, nil
	case "list":
		var all wire.Sessions
		if err := c.get(ctx, &wire.SessionListRequest{}, &all); err != nil {
			return nil, err
		}
		text := ""
		for i := range all.Sessions {
			text += sessionLine(&all.Sessions[i]) + "\n"
		}
		return &reply{text: cmp.Or(text, "no sessions")}, nil
	case "handoff":
		var held wire.Session
		if err := c.get(ctx, &wire.SessionHandoffRequest{Session: cmp.Or(args.Name, c.o.Session), Location: c.o.Location}, &held); err != nil {
			return nil, err
		}
		return &reply{text: sessionLine(&held) + "; the person ends it with: action session resume " + held.Name}, nil
	}
	return nil, diag.New(diag.InvalidRequest, "found the value %s of \"op\", expected open, list, close or handoff", oneLine(args.Op, 40))
}

func sessionLine(s *wire.Session) string {
	line := fmt.Sprintf("%s: %s", s.Name, s.State)
	if s.URL != "" {
		line += ", at " + oneLine(s.URL, maxLineOf)
	}
	if s.Held != nil {
		line += strings.TrimSuffix(", a person uses it: "+oneLine(s.Held.Message, maxLineOf), ": ")
	}
	if s.Lost != "" {
		line += ", lost: " + oneLine(s.Lost, maxLineOf)
	}
	return line
}
