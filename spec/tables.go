package spec

// The tables of all kinds of maps, made when the program starts.

import "slices"

// mappings lists the mappings of all tables. The function init makes the tables, because
// initializers for them would be an initialization cycle.
var mappings []*Mapping

func init() {
	fileTable = newTable(fileMapping, fileKeys())
	envTable = newTable(envMapping, envKeys())
	compatTable = newTable(compatMapping, compatKeys())
	overrideTable = newTable(overrideMapping, overrideKeys())
	variantTable = newTable(variantMapping, variantKeys())
	aliasTable = newTable(aliasMapping, aliasKeys())
	actionTable = newTable(actionMapping, actionKeys())
	paramTable = newTable(paramMapping, paramKeys())
	itemTable = newTable(itemMapping, itemKeys())
	describedKeys = paramTable.described()
	stepTable = newTable(stepMapping, stepKeys())
	retryTable = newTable(retryMapping, retryKeys())
	caseTable = newTable(caseMapping, caseKeys())
	checkTable = newTable(checkMapping, checkKeys())
}

// Mappings returns every kind of map that a definition file may contain. They are read-only.
func Mappings() []*Mapping { return slices.Clone(mappings) }

// MappingOf returns the kind of map with that name, or nil.
func MappingOf(name MappingName) *Mapping {
	for _, m := range mappings {
		if m.Name == name {
			return m
		}
	}
	return nil
}
