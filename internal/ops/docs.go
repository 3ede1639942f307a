package ops

// The descriptions of fields. The declarations of the messages are also part of the client, which does
// not need them.

import "reflect"

// docs describes the fields of requests, in Markdown. A field has the same meaning in all requests.
var docs = map[string]string{
	"unattended": "no person has chosen the request, but a model for example: its steps may open `file:` addresses only if `policy.file_urls` allows that, and it cannot choose a profile",
	"cwd":        "folder whose definitions apply, and the base of relative file names; default: the daemon's own",
	"path":       "files and folders with definitions, like `ACTION_PATH`; default: the one of the environment",
	"env":        "`{\"NAME\": \"value\"}`, see below; default: the daemon's own",
	"action":     "full name of an action; for `action.describe` also the name of a namespace",
	"format":     "`json`, or `text` for the output of `action describe`, in `data.text`; default: `json`",
	"params":     "params of the action",
	"from_text":  "convert params or arguments that are texts to the declared types, as on the command line",
	"strict":     "fail if any definition file is invalid",
	"session":    "name of the session; default: `default`",
	"stream":     "send an event `step` after every step, including skipped ones",
	"steps":      "include every step in the result even if the run succeeds",
	"trace":      "send every line of the trace as an event `trace`",
	"timeout":    "time limit of the whole run or of the step, including the wait for other calls of the session: milliseconds, or a text such as `\"5s\"`; default, and for 0: the configured limit",
	"headed":     "show the window of a browser that is started",
	"cdp":        "use a running browser: its port, or its `http:` or `ws:` address",
	"namespace":  "list only the actions of this namespace",
	"namespaces": "list namespaces instead of actions, with `name`, `version`, `description`, `source` and the `count` of actions",
	"query":      "words to search for",
	"limit":      "maximum number of hits; default: 20",
	"paths":      "definition files and folders; default: those of `path`",
	"step":       "name of a step, see [steps.md](steps.md)",
	"args":       "arguments of the step",
	"argv":       "arguments of a command line",
	"engine":     "path, size and time of the engine that must run the command; default: the daemon's engine",
	"color":      "standard error may use colours",
	"watched":    "a user is watching at a terminal, so show the progress of a long run",
	"inputs":     "texts of files that only the caller can read, by path; `-` is its standard input",
	"env_whole":  "`env` holds all variables listed in `missing` that are set",
	"options":    "`headed` (boolean), `viewport` (`{\"width\", \"height\"}`, 1 to 10,000), `user_agent`, `locale` (texts), `ignore_https_errors`, `javascript` (booleans), `profile` (a folder), `proxy`, `cdp`, `cdp_target` (texts), `idle_timeout` (milliseconds or a text such as `\"10m\"`, 10s to 24h): see [sessions.md](sessions.md)",
	"target":     "id of another request on the same connection",
	"drain":      "wait for pending requests to finish first",
	"replace":    "another build takes over, and its daemon reports the open sessions as lost",
}

// docOf returns the description of a field of a request. It returns "" if there is none.
func docOf(t reflect.Type, name string) string {
	if doc := ResultDoc(t, name); doc != "" {
		return doc
	}
	return docs[name]
}

// ResultDoc returns the description of the field name of a struct in a result. It returns "" if there
// is none.
func ResultDoc(t reflect.Type, name string) string { return parts[t.Name()][name] }

// parts describes the fields of the options of requests and of results, by struct.
var parts = map[string]map[string]string{
	"SessionOptions": {
		"headed":              "show the window of the browser",
		"viewport":            "size of the page",
		"user_agent":          "user agent of the browser",
		"locale":              "language of the browser, such as `de-DE`",
		"ignore_https_errors": "accept invalid certificates",
		"javascript":          "false: pages run no scripts",
		"profile":             "folder with the profile of the browser",
		"proxy":               "address of a proxy",
		"cdp":                 "port or address of a running browser",
		"cdp_target":          "id of a tab of that browser, or a part of its address",
		"idle_timeout":        "time without a call after which the session ends",
	},
	"Viewport": {"width": "CSS pixels", "height": "CSS pixels"},
	"Result": {
		"success":     "whether the run did what the action says",
		"data":        "what the action returns: an object, `{}` if it returns nothing; null after a failure",
		"error":       "why the run failed",
		"warnings":    "what the caller should know even if the run succeeded: `code` and `message`",
		"degraded":    "aliases of which a fallback matched",
		"verify":      "outcomes of the checks of the action",
		"verified":    "whether everything that the run set and pressed is confirmed; only after a success",
		"unverified":  "steps that nothing confirms",
		"action":      "full name, as requested",
		"version":     "version of the page's library",
		"detected":    "`markup` if the page does not report that version, but shows it",
		"duration_ms": "time of the run",
		"steps":       "what each step did: with debug, after a failure, and on request",
	},
	"Plan": {
		"success":  "true",
		"error":    "absent: a plan that cannot be made is an error",
		"action":   "full name, as requested",
		"params":   "params after their conversion; secrets are masked",
		"env":      "names of the variables that would be read",
		"steps":    "the steps: `action`, `decision` (`run`, `skip` or `unknown`), `input`, and nested `steps`",
		"verify":   "the checks",
		"returns":  "what the action would return",
		"warnings": "as of a run",
	},
	"Actions": {
		"actions":    "the actions: `name`, `description`, `source`",
		"namespaces": "the namespaces, if the request sets `namespaces`",
		"problems":   "errors in definition files, by which actions are missing",
	},
	"Description": {
		"name":                  "full name",
		"namespace":             "its namespace",
		"version":               "version of the definitions",
		"description":           "what the action does",
		"since":                 "version of the definitions that has it first",
		"deprecated":            "whether it should no longer be used",
		"deprecated_message":    "what to use instead",
		"alias_of":              "full name of the action that it stands for",
		"params":                "params: `name`, `type`, `required`, `default`, `description` and others",
		"settle":                "longest wait of its input steps for their effects",
		"calm":                  "whether its steps stop waiting once the page is calm",
		"steps":                 "the steps",
		"verify":                "the checks",
		"returns":               "what it returns",
		"selectors":             "selector aliases that it uses, directly or through others",
		"env":                   "variables that it reads",
		"env_declared":          "variables that it and the actions that it runs may read",
		"min_version":           "lowest version of the page's library",
		"max_version":           "highest version of the page's library",
		"version_overrides":     "overrides that change the action or its selectors",
		"source":                "source that defines it",
		"parts":                 "position of each part",
		"shadows":               "positions of the definitions that it replaces",
		"namespace_description": "description of the namespace",
	},
	"Found": {"actions": "the actions, as of `action.list`, with a `score`: higher is better"},
	"Validation": {
		"actions":  "number of actions that the files define",
		"errors":   "errors, with their positions",
		"files":    "absolute paths of the files",
		"valid":    "whether there are no errors",
		"warnings": "findings that are allowed",
	},
	"Reloaded": {
		"actions":  "number of public actions",
		"problems": "errors in definition files",
		"kept":     "invalid files whose last valid version is in use",
	},
	"Output": {
		"stdout":  "what to print on standard output",
		"stderr":  "what to print on standard error",
		"exit":    "exit code",
		"missing": "what the caller must add to the request; the command has not run",
		"engine":  "the daemon's engine, which is not the one of the request; the command has not run",
	},
	"Session": {
		"name":       "name of the session",
		"state":      "`idle`, `starting`, `running` or `lost`",
		"running":    "the running call: `action` or `step`, and `since`",
		"queued":     "number of waiting calls",
		"url":        "address of the active tab, without its query and fragment",
		"tab":        "id of the active tab",
		"window":     "id of the active window",
		"tabs":       "number of tabs",
		"windows":    "number of windows",
		"lost":       "what was lost",
		"idle_since": "end of the last call; absent while there is one",
		"expires_at": "when the session ends if no call comes",
	},
	"Sessions":   {"sessions": "the sessions, by name"},
	"Closed":     {"closed": "name of the session"},
	"Cancelling": {"cancelled": "false if the request was not pending"},
	"Hello": {
		"protocol":   "version of the protocol",
		"build":      "build of the daemon",
		"version":    "version of the daemon",
		"pid":        "process id",
		"executable": "path of the engine",
		"stopping":   "whether the daemon accepts no new requests",
	},
	"Status": {
		"socket":      "path of the socket",
		"uptime_ms":   "time since the start",
		"connections": "number of connections",
		"requests":    "number of pending requests, without this one",
		"held_bytes":  "memory of pending requests, and of long lines being read",
		"sessions":    "the sessions, as of `session.list`",
		"problems":    "errors in all definition files in use",
		"memory":      "`heap_bytes` and `total_bytes` of the daemon itself",
		"goroutines":  "number of goroutines",
	},
	"Stopping": {
		"stopping": "true",
		"running":  "number of pending requests",
	},
}
