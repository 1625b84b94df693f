package render

import (
	"strconv"
	"strings"
)

// An object is a JSON object whose fields keep their order. A value is nil, a bool, an int64,
// a string, a list of one of these, an object, a list of objects, a func() any that returns
// one of them when it is needed, or a func() that writes a list too long to keep.
type object []field

type field struct {
	name  string
	value any
}

// document returns the object that every JSON answer is: with the version of its form and the
// command, then the command's own fields.
func document(command string, fields ...field) object {
	return append(object{{"schemaVersion", int64(1)}, {"command", command}}, fields...)
}

// force returns the value itself for one that is computed on demand.
func force(value any) any {
	if f, ok := value.(func() any); ok {
		return f()
	}
	return value
}

// get returns the field of the given name.
func (o object) get(name string) (any, bool) {
	for _, f := range o {
		if f.name == name {
			return force(f.value), true
		}
	}
	return nil, false
}

// find follows a path of names and positions, as in tensor.sizes or results.0.offset. A path
// that does not start at the top may start inside the field tensor.
func (o object) find(path string) (any, bool) {
	if v, ok := follow(o, path); ok {
		return v, true
	}
	if tensor, ok := o.get("tensor"); ok {
		return follow(tensor, path)
	}
	return nil, false
}

func follow(v any, path string) (any, bool) {
	for part := range strings.SplitSeq(path, ".") {
		var ok bool
		if v, ok = step(v, part); !ok {
			return nil, false
		}
	}
	return v, true
}

// step goes from an object to a field, or from a list to an item.
func step(v any, part string) (any, bool) {
	if o, ok := v.(object); ok {
		return o.get(part)
	}
	i, err := strconv.Atoi(part)
	if err != nil || i < 0 {
		return nil, false
	}
	switch list := v.(type) {
	case []int64:
		return at(list, i)
	case []string:
		return at(list, i)
	case []object:
		return at(list, i)
	case [][]int64:
		return at(list, i)
	case [][]object:
		return at(list, i)
	case [][]string:
		return at(list, i)
	}
	return nil, false
}

func at[T any](list []T, i int) (any, bool) {
	if i >= len(list) {
		return nil, false
	}
	return list[i], true
}

// paths lists the fields that a path can name, for suggestions.
func (o object) paths() []string {
	var names []string
	for _, f := range o {
		names = append(names, f.name)
		if inner, ok := force(f.value).(object); ok {
			for _, g := range inner {
				names = append(names, g.name, f.name+"."+g.name)
			}
		}
	}
	return names
}
