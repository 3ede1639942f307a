package steps

import "context"

var scriptSteps = []*Entry{
	{
		Name: "eval", Group: GroupScript, Limit: PageTime,
		Summary: "run a script in the page's own world",
		Doc: "It is an expression if it parses as one, otherwise the body of an async function. The script must not contain ${}: pass values in args; they are in scope under their names. " +
			"It runs under the page's content security policy. Prefer steps: they wait, verify and survive a new version of the page.",
		Example: "{eval: {script: \"document.querySelectorAll(sel).length\", args: {sel: \"${params.css}\"}}, output: n}",
		Args: []Arg{{Name: "script", Type: ArgScript, Required: true, Doc: "the script, literal"},
			{Name: "args", Type: ArgValueMap, Doc: "values in scope of the script; the names must be identifiers"}},
		Hand: []string{"script"}, Result: []Field{{"value", "what the script returned, as JSON.stringify gives it; an element becomes a text such as <p#id>; a value that JSON would lose, such as a Map, is STEP_FAILED"}},
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			value, err := env.Page.Eval(ctx, a.Text("script"), a.Map("args"))
			if err != nil {
				return nil, err
			}
			return Result{"value": value}, nil
		},
	},
}
