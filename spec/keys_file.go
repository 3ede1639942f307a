package spec

// The keys of a file, and of the maps in it that are not actions.

var (
	fileTable     *table[File]
	envTable      *table[envEntry]
	compatTable   *table[File]
	overrideTable *table[Override]
	variantTable  *table[Variant]
	aliasTable    *table[Alias]
)

// An envEntry is an entry of env while it is decoded.
type envEntry struct {
	EnvVar
	name *Node
}

const settleTime = " `true` waits 5s at most; a duration sets another limit."

var fileMapping = Mapping{Name: FileMap, What: "the file"}

func fileKeys() []entry[File] {
	return []entry[File]{
		{Field: Field{Name: KeyNamespace, Type: textOf(NamespaceForm), Required: true,
			Doc: "Namespace of the actions in this file, with which their names begin."}}, // read before the others
		{Field: Field{Name: "version", Type: textOf(VersionForm),
			Doc:  "Version of these definitions, such as `1.2.0`. May be omitted in a file that only changes a namespace of a lower source.",
			Note: "Quote it if YAML would read a number."},
			decode: func(d *decoder, f *File, k *Key) { f.Version = d.semVer(k) }},
		{Field: Field{Name: "description", Type: anyText,
			Doc: "Purpose of the namespace.", Note: "`list` and `search` show it."},
			decode: func(d *decoder, f *File, k *Key) { f.Description = d.text(k.Value, k.Name) }},
		{Field: Field{Name: "extends", Type: listOf(anyText),
			Doc:  "Namespaces, packages or files that this namespace extends.",
			Note: "Packages are npm packages listed in `actions.packages`, files are `./files`; this namespace inherits their actions and selectors."},
			decode: func(d *decoder, f *File, k *Key) { f.Extends = d.texts(k.Value, k.Name) }},
		{Field: Field{Name: "env", Type: listOf(keysOf(EnvMap)),
			Doc: "Environment variables that the definitions may read as `${env.NAME}`."},
			decode: func(d *decoder, f *File, k *Key) { f.Env = d.env(k) }},
		{Field: Field{Name: "compatibility", Type: keysOf(CompatMap),
			Doc: "Versions of the page's library that are supported.", Note: "See [Versions](#versions)."},
			decode: func(d *decoder, f *File, k *Key) { d.compat(k, f) }},
		{Field: Field{Name: "busy", Type: anyText,
			Doc:  "Selector of the elements that show that a part of a page is loading. Steps that read wait until they are gone.",
			Note: "See [What is loading](#what-is-loading)."},
			decode: func(d *decoder, f *File, k *Key) { f.Busy = d.text(k.Value, k.Name) }},
		{Field: Field{Name: "settle", Type: settleValue,
			Doc:  "Whether each input step of all actions waits until the page has finished reacting to it." + settleTime,
			Note: "See [What input causes](#what-input-causes)."},
			decode: func(d *decoder, f *File, k *Key) { f.Settle = d.settle(k) }},
		{Field: Field{Name: "selectors", Type: namesTo(NameForm, keysOf(AliasMap)),
			Doc: "Selectors by name, used as `${selectors.name}`.", Note: "See [aliases](selectors.md#aliases)."},
			decode: func(d *decoder, f *File, k *Key) { f.Selectors = d.selectors(k) }},
		{Field: Field{Name: "param_sets", Type: namesTo(NameForm, Type{Kind: ParamsType, Doc: paramsDoc}),
			Doc:  "Params by name of the set, which actions share: `params: {use: [name]}`.",
			Note: "See [Shared params](#shared-params)."},
			decode: func(d *decoder, _ *File, k *Key) { d.paramSets(k) }},
		{Field: Field{Name: "actions", Type: namesTo(ActionForm, keysOf(ActionMap)),
			Doc: "Actions by name: `component:verb`."},
			decode: func(d *decoder, f *File, k *Key) { f.Actions, f.Order = d.actions(k) }},
	}
}

var envMapping = Mapping{Name: EnvMap, What: "an entry of env", Inline: true, Short: &Type{Kind: TextType, Form: EnvForm}}

func envKeys() []entry[envEntry] {
	return []entry[envEntry]{
		{Field: Field{Name: "name", Type: textOf(EnvForm), Required: true, Doc: "Name of the variable."},
			decode: func(_ *decoder, v *envEntry, k *Key) { v.name = k.Value }},
		{Field: Field{Name: "secret", Type: boolValue, Doc: "Whether its value is masked in all output. Default true."},
			decode: func(d *decoder, v *envEntry, k *Key) { v.Secret = d.boolean(k.Value, k.Name) }},
	}
}

var compatMapping = Mapping{Name: CompatMap, What: "compatibility"}

func compatKeys() []entry[File] {
	return []entry[File]{
		{Field: Field{Name: "version_script", Type: anyText, Exclusive: true,
			Doc: "Member path in the page that yields the version: `window.antd && antd.version`."},
			decode: func(d *decoder, f *File, k *Key) { f.Compat.Script = d.text(k.Value, k.Name) }},
		{Field: Field{Name: "version_selector", Type: anyText, Exclusive: true,
			Doc: "Selector of an element whose text or attribute is the version."},
			decode: func(d *decoder, f *File, k *Key) { f.Compat.Selector = d.text(k.Value, k.Name) }},
		{Field: Field{Name: "version_meta", Type: anyText, Exclusive: true,
			Doc: "Name of the meta tag that contains the version."},
			decode: func(d *decoder, f *File, k *Key) { f.Compat.Meta = d.text(k.Value, k.Name) }},
		{Field: Field{Name: "version_markup", Type: namesTo(AnyForm, anyText),
			Doc: "Selectors by version, such as `\"3.x\"`, for a page that does not state its version: the first selector that matches determines the version."},
			decode: func(d *decoder, f *File, k *Key) { f.Compat.Markup = d.markup(k) }},
		{Field: Field{Name: "min_version", Type: anyText, Doc: "Lowest version supported, quoted: `\"3.0.0\"`."},
			decode: func(d *decoder, f *File, k *Key) { f.Compat.Min = d.version(k.Value, k.Name) }},
		{Field: Field{Name: "max_version", Type: anyText, Doc: "Highest version supported, quoted: `\"6.x\"` means below 7.0.0."},
			decode: func(d *decoder, f *File, k *Key) { f.Compat.Max = d.version(k.Value, k.Name) }},
		{Field: Field{Name: "version_overrides", Type: namesTo(AnyForm, keysOf(OverrideMap)),
			Doc: "What differs, by range of versions: `\"3.x\"`, `\">=4.2.0\"`."},
			decode: func(d *decoder, f *File, k *Key) { f.Overrides = d.overrides(k) }},
	}
}

var overrideMapping = Mapping{Name: OverrideMap, What: "an override"}

func overrideKeys() []entry[Override] {
	return []entry[Override]{
		{Field: Field{Name: "selectors", Type: namesTo(NameForm, keysOf(AliasMap)), Doc: "Selectors that differ."},
			decode: func(d *decoder, o *Override, k *Key) { o.Selectors = d.selectors(k) }},
		{Field: Field{Name: "actions", Type: namesTo(ActionForm, keysOf(VariantMap)), Doc: "Actions that differ."},
			decode: func(d *decoder, o *Override, k *Key) { o.Actions = d.variants(k) }},
	}
}

var variantMapping = Mapping{Name: VariantMap, What: "an action in an override", Inline: true}

func variantKeys() []entry[Variant] {
	return []entry[Variant]{
		{Field: Field{Name: KeySteps, Type: stepList, Doc: "The steps in these versions."},
			decode: func(d *decoder, v *Variant, k *Key) { v.Steps = d.steps(k.Value, k.Name) },
			value:  func(v *Variant) any { return list(v.Steps) }},
		{Field: Field{Name: KeyVerify, Type: checkList, Doc: "What must hold in these versions."},
			decode: func(d *decoder, v *Variant, k *Key) { v.Verify = d.verify(k) },
			value:  func(v *Variant) any { return list(v.Verify) }},
		{Field: Field{Name: KeyReturns, Type: anyObject, Doc: returnsDoc},
			decode: func(d *decoder, v *Variant, k *Key) { v.Returns = d.returns(k) },
			value:  func(v *Variant) any { return given(v.Returns) }},
	}
}

// Written returns the keys of the action that the variant replaces.
func (v *Variant) Written() []string { return variantTable.written(v) }

var aliasMapping = Mapping{Name: AliasMap, What: "a selector", Short: &Type{Kind: SelectorType},
	Doc: "A selector, or a primary one with fallbacks."}

func aliasKeys() []entry[Alias] {
	return []entry[Alias]{
		{Field: Field{Name: KeyPrimary, Type: selector, Required: true, Doc: "The selector that is tried first."},
			decode: func(d *decoder, a *Alias, k *Key) {
				if t := d.text(k.Value, k.Name); t != nil {
					a.Primary = *t
				}
			}},
		{Field: Field{Name: KeyFallback, Type: listOf(selector), Doc: "Selectors that are tried if nothing matches the primary."},
			decode: func(d *decoder, a *Alias, k *Key) { a.Fallback = d.texts(k.Value, k.Name) }},
	}
}
