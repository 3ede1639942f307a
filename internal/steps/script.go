package steps

import "context"

var scriptSteps = []*Entry{
	{
		Name: "eval", Group: GroupScript, Limit: PageTime,
		Summary: "run a script in the page's own world",
		Doc: "An expression if it parses as one, else the body of an async function. The script may hold no ${}: values come by args and are in scope under their names. " +
			"It runs under the page's content security policy. Prefer steps: they wait, verify and survive a new version of the page.",
		Example: "{action: eval, args: {script: \"document.querySelectorAll(sel).length\", args: {sel: \"${params.css}\"}}, output: n}",
		Args: []Arg{{Name: "script", Type: ArgScript, Required: true, Doc: "the script, literal"},
			{Name: "args", Type: ArgValueMap, Doc: "values in scope of the script; the names must be identifiers"}},
		Hand: []string{"script"}, Result: []Field{{"value", "what the script returned, as JSON.stringify gives it; an element is text such as <p#id>, and what JSON would lose, such as a Map, is STEP_FAILED"}},
		Run: func(ctx context.Context, env *Env, a *Args) (Result, error) {
			value, err := env.Page.Eval(ctx, a.Text("script"), a.Map("args"))
			if err != nil {
				return nil, err
			}
			return Result{"value": value}, nil
		},
	},
}
