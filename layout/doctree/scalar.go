package doctree

import (
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// scalarKind returns the kind of a scalar.
func (r *yamlReader) scalarKind(n *yaml.Node, at int) Kind {
	if n.Style&yaml.TaggedStyle == 0 {
		if n.Style != 0 || n.Tag == "!" {
			return String
		}
		return plainKind(n.Value)
	}
	plain := plainKind(n.Value)
	switch n.Tag {
	case "!!str":
		return String
	case "!!int", "!!float":
		if n.Tag == "!!float" && isFloat(n.Value) || plain == Number {
			return Number
		}
	case "!!bool":
		if plain == Bool {
			return Bool
		}
	case "!!null":
		if plain == Null {
			return Null
		}
	default:
		r.fail(at,
			"unknown tag "+strconv.Quote(clip(n.Tag))+": those of scalars are !!str, !!int, !!float, !!bool and !!null")
		return String
	}
	r.fail(at, strconv.Quote(clip(n.Value))+" is not what the tag "+n.Tag+" says")
	return String
}

// clip shortens a text for a message.
func clip(text string) string {
	if len(text) > 40 {
		return strings.ToValidUTF8(text[:40], "") + "..."
	}
	return text
}

// isFloat reports whether a text is a number of the core schema with a fraction or an exponent.
func isFloat(text string) bool {
	_, err := strconv.ParseFloat(text, 64)
	return err == nil && strings.Trim(text, "+-.0123456789eE") == ""
}

// plainKind returns the kind of a scalar without quotes.
func plainKind(text string) Kind {
	switch text {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool
	}
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || len(digits) > 1 && digits[0] == '0' {
		return String
	}
	return Number
}
