// Package pysdk prints the generated modules of the Python SDK in sdk/python: the methods of its
// clients from the table of operations, the methods of its sessions from the catalogue of steps, the
// classes of results from the types of both, and the classes of errors from the table of codes.
//
// It writes no file and runs no Python. Its test compares the modules with those in sdk/python, and
// writes them with -update. The transports and the clients are written in Python; nothing here knows
// how a request travels. No other package imports this one.
//
// Files, bottom to top: text, models, errors, operations, steps, pysdk.
package pysdk

// Files returns the text of each generated module, by file name. The modules belong in
// sdk/python/actionregistry.
func Files() map[string]string {
	m := newModels()
	clients := map[string]string{
		"_operations.py":       operationClasses(m, syncStyle),
		"_async_operations.py": operationClasses(m, asyncStyle),
		"_steps.py":            stepClasses(m, syncStyle),
		"_async_steps.py":      stepClasses(m, asyncStyle),
	}
	clients["_table.py"] = operationTable()
	clients["errors.py"] = errorClasses()
	clients["models.py"] = m.print() // last: the others add the classes that they need
	return clients
}

// A style says whether methods are functions or coroutines.
type style struct {
	module string // for docs
	home   string // module of the clients
	prefix string // of class names
	def    string
	await  string
	// approval describes the callback on_approval.
	approval string
}

const onApproval = "is called with each approval that the run waits for; True approves it, False denies it, None leaves it to others"

var (
	syncStyle  = style{def: "def", module: "synchronous", home: "client", approval: onApproval}
	asyncStyle = style{prefix: "Async", def: "async def", await: "await ", module: "asynchronous", home: "aio", approval: onApproval + "; it may be a coroutine function"}
)
