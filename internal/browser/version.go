package browser

import (
	"context"
	"errors"
	"strings"

	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/eval"
	"github.com/actionregistry/action/internal/driver"
)

// walkScript evaluates the tree of a version script by reading properties of the page. It runs in
// the page's own world, but calls no code of the page except the getters of properties. If a getter
// throws, the page has no version.
const walkScript = `(tree)=>{
	const value=(t)=>{
		if(t.op==='or')return value(t.a)||value(t.b);
		if(t.op==='and')return value(t.a)&&value(t.b);
		let v=globalThis[t.root];
		for(let i=0;i<t.keys.length;i++){
			if(v===undefined||v===null)return undefined;
			v=v[t.keys[i]];
		}
		return v;
	};
	try{const v=value(tree);return typeof v==='string'||typeof v==='number'?''+v:''}catch{return ''}
}`

// Version implements [driver.Scripter].
func (p *scripter) Version(ctx context.Context, probe driver.VersionProbe) (string, error) {
	for {
		text, err := p.version(ctx, probe)
		if !errors.Is(err, cdp.ErrGone) {
			return strings.TrimSpace(text), err
		}
		if err := p.NextFrame(ctx); err != nil {
			return "", err
		}
	}
}

// version reads the version once. The error is cdp.ErrGone if the document was replaced.
func (p *scripter) version(ctx context.Context, probe driver.VersionProbe) (string, error) {
	if probe.Script != nil {
		id, err := p.Frames.MainWorld(ctx)
		if err != nil {
			return "", err
		}
		k := p.Frames.Start(ctx, eval.CallFunction{
			FunctionDeclaration: walkScript, Arguments: eval.Args(probe.Script.Tree()),
			UniqueContextID: id, ReturnByValue: true,
		})
		var text string
		err = p.Answer(ctx, k, &text)
		return text, err
	}
	type request struct {
		lookup
		Meta string `json:"meta"`
	}
	s := p.finder.seek(ctx, driver.Target{Source: "version_selector"})
	s.query = probe.Selector
	r, err := s.queryNow(ctx, "versionFrom", func(l lookup) any { return request{l, probe.Meta} })
	switch {
	case err != nil:
		return "", err
	case r.Reason != "" && r.Reason != "none":
		return "", s.failure(ctx, r)
	case r.Attr != "":
		return r.Attr, nil
	}
	return r.Text, nil
}
