package wire

// The table of request types. It decides which fields a request may have; the
// page docs/protocol.md is held against it by a test.

// A Kind is the type of a field's value.
type Kind string

const (
	Text     Kind = "text"
	Integer  Kind = "integer"
	Boolean  Kind = "boolean"
	Time     Kind = "duration" // milliseconds as an integer, or like 500ms and 5s
	Texts    Kind = "list of texts"
	Env      Kind = "environment"    // a map of texts by the names of variables
	Map      Kind = "object"         // of any values
	Fields   Kind = "object of"      // of the fields that Field.Fields lists
	ID       Kind = "text or number" // the id of a request
	Absolute Kind = "absolute path"
)

// A Field is one field of a request.
type Field struct {
	Name     string
	Kind     Kind
	Required bool
	Min, Max int     // of an Integer; Max 0: 2147483647
	Fields   []Field // of an object with known fields
}

// A Type is one type of request.
type Type struct {
	Name string
	// Control is set for types that are answered at once, whatever else runs.
	Control bool
	Fields  []Field // without id and type
}

// lookupField finds a field by its name.
func lookupField(fields []Field, name string) *Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

// maxViewport bounds both sides of a viewport, as in the configuration.
const maxViewport = 10_000

// Names of the types.
const (
	TypeHello        = "hello"
	TypeList         = "action.list"
	TypeDescribe     = "action.describe"
	TypeRun          = "action.run"
	TypeDryRun       = "action.dryRun"
	TypeDebug        = "action.debug"
	TypeValidate     = "action.validate"
	TypeSearch       = "action.search"
	TypeReload       = "action.reload"
	TypeStep         = "step"
	TypeCommand      = "command"
	TypeSessionOpen  = "session.open"
	TypeSessionList  = "session.list"
	TypeSessionClose = "session.close"
	TypeCancel       = "cancel"
	TypeStatus       = "status"
	TypeShutdown     = "shutdown"
)

var (
	// place says whose definitions answer.
	place = []Field{{Name: "cwd", Kind: Absolute}, {Name: "path", Kind: Text}, {Name: "env", Kind: Env}}
	// running is how a run goes.
	running = []Field{
		{Name: "session", Kind: Text}, {Name: "stream", Kind: Boolean}, {Name: "steps", Kind: Boolean},
		{Name: "trace", Kind: Boolean}, {Name: "timeout", Kind: Time}, {Name: "headed", Kind: Boolean}, {Name: "cdp", Kind: Text},
	}
	action = []Field{
		{Name: "action", Kind: Text, Required: true}, {Name: "params", Kind: Map},
		{Name: "from_text", Kind: Boolean}, {Name: "strict", Kind: Boolean},
	}
	sessionOptions = []Field{
		{Name: "headed", Kind: Boolean},
		{Name: "viewport", Kind: Fields, Fields: []Field{
			{Name: "width", Kind: Integer, Required: true, Min: 1, Max: maxViewport},
			{Name: "height", Kind: Integer, Required: true, Min: 1, Max: maxViewport},
		}},
		{Name: "user_agent", Kind: Text}, {Name: "locale", Kind: Text}, {Name: "ignore_https_errors", Kind: Boolean},
		{Name: "javascript", Kind: Boolean}, {Name: "profile", Kind: Text}, {Name: "proxy", Kind: Text}, {Name: "cdp", Kind: Text},
	}
)

var types = []Type{
	{Name: TypeHello, Control: true},
	{Name: TypeList, Fields: join(place, []Field{{Name: "namespace", Kind: Text}, {Name: "strict", Kind: Boolean}})},
	{Name: TypeDescribe, Fields: join([]Field{{Name: "action", Kind: Text, Required: true}}, place)},
	{Name: TypeRun, Fields: join(action, running, place)},
	{Name: TypeDryRun, Fields: join(action, place)},
	{Name: TypeDebug, Fields: join(action, running, place)},
	{Name: TypeValidate, Fields: join([]Field{{Name: "paths", Kind: Texts, Required: true}}, place)},
	{Name: TypeSearch, Fields: join([]Field{{Name: "query", Kind: Text, Required: true}, {Name: "limit", Kind: Integer}}, place)},
	{Name: TypeReload, Fields: place},
	{Name: TypeStep, Fields: join([]Field{{Name: "step", Kind: Text, Required: true}, {Name: "args", Kind: Map}, {Name: "from_text", Kind: Boolean}}, running, place)},
	{Name: TypeCommand, Fields: join([]Field{{Name: "argv", Kind: Texts, Required: true}, {Name: "engine", Kind: Text}, {Name: "session", Kind: Text},
		{Name: "color", Kind: Boolean}, {Name: "watched", Kind: Boolean}, {Name: "inputs", Kind: Env}, {Name: "env_whole", Kind: Boolean}}, place)},
	{Name: TypeSessionOpen, Fields: join([]Field{{Name: "session", Kind: Text}, {Name: "options", Kind: Fields, Fields: sessionOptions}}, place)},
	{Name: TypeSessionList, Control: true},
	{Name: TypeSessionClose, Control: true, Fields: []Field{{Name: "session", Kind: Text}}},
	{Name: TypeCancel, Control: true, Fields: []Field{{Name: "target", Kind: ID, Required: true}}},
	{Name: TypeStatus, Control: true},
	{Name: TypeShutdown, Control: true, Fields: []Field{{Name: "drain", Kind: Boolean}, {Name: "replace", Kind: Boolean}}},
}

func join(lists ...[]Field) []Field {
	var all []Field
	for _, list := range lists {
		all = append(all, list...)
	}
	return all
}

// Types returns every type of request. The slice is the caller's, what is in it
// is read-only.
func Types() []Type { return append([]Type(nil), types...) }

// LookupType returns the type with that name, or nil.
func LookupType(name string) *Type {
	for i := range types {
		if types[i].Name == name {
			return &types[i]
		}
	}
	return nil
}

func typeNames() []string {
	names := make([]string, len(types))
	for i := range types {
		names[i] = types[i].Name
	}
	return names
}
