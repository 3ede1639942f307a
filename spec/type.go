package spec

// The types of the values of keys. Package validator generates the JSON Schema from them, and the
// tables of docs/definitions.md show them in their middle column. The function that decodes a key
// enforces all other rules.

// A TypeKind is the kind of a [Type]. The comment of each kind names the fields of Type that it
// uses.
type TypeKind uint8

// The kinds of values.
const (
	AnyType       TypeKind = iota
	TextType               // Form
	BoolType               //
	WholeType              // an integer: Least, Most
	NumberType             //
	ScalarType             // a text, a number or a boolean
	DurationType           // milliseconds, or a text with a unit: Least, in milliseconds
	ConditionType          // an expression, or a boolean
	SelectorType           //
	EnumType               // Values
	ListType               // Of[0]; Least entries
	NamedType              // a map from names of the form Form to values of the type Of[0]
	ObjectType             // a map of any keys
	EitherType             // one of Of
	KeysType               // a map of the kind Map
	ParamsType             // declared params by name
	UsedType               // like ParamsType, or param sets under [UseKey]
	StepNameType           // the name of a step
	WaitType               // the argument of `wait` that has the same name as the key
)

// A Type describes the value of a key.
type Type struct {
	Kind   TypeKind
	Form   Form
	Least  int
	Most   int // 0: no limit
	Values []string
	Of     []Type
	Map    MappingName
	Doc    string // description of an alternative or an entry, which has no key of its own
}

// A Form is the form of a text, or of the names of a map.
type Form uint8

// The forms. The functions of name.go check them.
const (
	AnyForm       Form = iota
	NamespaceForm      // [IsNamespace]
	ActionForm         // [IsAction]
	TargetForm         // [IsAction], with or without a namespace before it
	NameForm           // [IsName]
	EnvForm            // [IsEnvName]
	VersionForm        // [IsSemVer]
)

var (
	anyValue    = Type{Kind: AnyType}
	anyText     = Type{Kind: TextType}
	boolValue   = Type{Kind: BoolType}
	anyNumber   = Type{Kind: NumberType}
	scalar      = Type{Kind: ScalarType}
	condition   = Type{Kind: ConditionType}
	selector    = Type{Kind: SelectorType}
	anyObject   = Type{Kind: ObjectType}
	stepName    = Type{Kind: StepNameType}
	argOfWait   = Type{Kind: WaitType}
	settleValue = either(boolValue, duration(1))
	stepList    = listOf(keysOf(StepMap))
	checkList   = listOf(keysOf(CheckMap))
)

func textOf(form Form) Type      { return Type{Kind: TextType, Form: form} }
func whole(least, most int) Type { return Type{Kind: WholeType, Least: least, Most: most} }
func duration(least int) Type    { return Type{Kind: DurationType, Least: least} }
func enum(values ...string) Type { return Type{Kind: EnumType, Values: values} }
func listOf(item Type) Type      { return Type{Kind: ListType, Of: []Type{item}} }
func namesTo(names Form, value Type) Type {
	return Type{Kind: NamedType, Form: names, Of: []Type{value}}
}
func either(options ...Type) Type { return Type{Kind: EitherType, Of: options} }
func keysOf(m MappingName) Type   { return Type{Kind: KeysType, Map: m} }
