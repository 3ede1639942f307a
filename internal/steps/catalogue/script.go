package catalogue

import (
	"context"

	"github.com/actionregistry/action/internal/steps"
)

type evalArgs struct {
	Script steps.Script     `arg:"script,required" pos:"1" doc:"the script, literal"`
	Args   steps.ScriptArgs `arg:"args" doc:"values in the scope of the script; the names must be identifiers"`
}

type evalResult struct {
	Value any `json:"value" doc:"what the script returned, as JSON.stringify gives it; an element becomes a text such as <p#id>; a value that JSON would lose, such as a Map, is STEP_FAILED"`
}

var scriptSteps = []*steps.Entry{
	steps.Define(steps.Entry{
		Name: "eval", Group: steps.GroupScript, Limit: steps.PageTime, Granted: []string{"eval"},
		Summary: "run a script in the page's own world",
		Doc: "The script is an expression if it parses as one, otherwise the body of an async function. It must not contain ${}: pass values in args, which are in scope under their names. " +
			"It runs under the page's content security policy. Prefer steps: they wait, verify and survive a new version of the page.",
		Example: "{eval: {script: \"document.querySelectorAll(sel).length\", args: {sel: \"${params.css}\"}}, output: n}",
	}, func(ctx context.Context, env *steps.Env, a *evalArgs) (evalResult, error) {
		value, err := env.Page.Eval(ctx, string(a.Script), a.Args)
		return evalResult{value}, err
	}),
}
