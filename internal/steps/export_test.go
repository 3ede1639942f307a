package steps

import "reflect"

// ValueOf returns the bound value of an argument: the field of the step's struct.
func ValueOf(a *Args, name string) any {
	v := reflect.ValueOf(a.bound).Elem()
	return v.FieldByIndex(planOf(v.Type()).arg(name).index).Interface()
}
