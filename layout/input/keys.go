package input

import (
	"bytes"
	"slices"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/manifest"
)

// hasKey reports whether a word in JSON or YAML text has a colon after it and, if nested is set, the start of a list or
// an object after the colon.
func hasKey(text []byte, word string, nested bool) bool {
	for at := 0; ; {
		i := bytes.Index(text[at:], []byte(word))
		if i < 0 {
			return false
		}
		start := at + i
		at = start + len(word)
		if start > 0 && !isAny(text[start-1], "\"' \t\r\n{,") {
			continue
		}
		rest := skip(skip(text[at:], "\"'"), " \t\r\n")
		if len(rest) == 0 || rest[0] != ':' {
			continue
		}
		if rest = skip(rest[1:], " \t"); !nested || len(rest) > 0 && isAny(rest[0], "{[\r\n#&!*/") {
			return true
		}
	}
}

// isAny reports whether c is one of the characters of a string.
func isAny(c byte, of string) bool { return strings.IndexByte(of, c) >= 0 }

// skip returns text without the leading characters that are in a string.
func skip(text []byte, of string) []byte {
	for len(text) > 0 && isAny(text[0], of) {
		text = text[1:]
	}
	return text
}

// hasAny reports whether text contains one of the words.
func hasAny(text []byte, words ...string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(text, []byte(word)) })
}

// mentionsTensors reports whether text contains one of the words that all our documents contain.
func mentionsTensors(text []byte) bool {
	return hasAny(text, "DataType", "dispatchables", "tensors", "globalDim")
}

// hasDirectMLKeys reports whether text has the keys of a DirectML tensor descriptor, as spelled by DirectML or its
// bindings.
func hasDirectMLKeys(text []byte) bool {
	return hasKey(text, "DataType", false) && hasKey(text, "Sizes", true) ||
		hasKey(text, "dataType", false) && hasKey(text, "sizes", true)
}

// hasConfigKeys reports whether text has the keys of a configuration or of a model, which notations do not have.
func hasConfigKeys(text []byte) bool {
	return hasKey(text, "version", false) && hasKey(text, "tensors", true) ||
		hasKey(text, "dispatchables", true) && (hasKey(text, "resources", true) || hasKey(text, "commands", true))
}

// isIndex reports whether JSON text is an index of .safetensors files.
func isIndex(text []byte) bool {
	return hasKey(text, "weight_map", true) && !hasKey(text, "tensors", true) && !hasKey(text, "dispatchables", true)
}

// isOurs reports whether a document that may belong to another program is certainly ours: a configuration with its
// version, a model, tensor maps, or DirectML descriptors anywhere in it.
func isOurs(t *doctree.Tree) bool {
	root := t.Root()
	if root.Kind() == doctree.Array {
		for root = range root.Items {
			break
		}
	}
	has := func(name string, kind doctree.Kind) bool {
		v, ok := root.Get(name)
		return ok && v.Kind() == kind
	}
	isConfig := has("tensors", doctree.Object) || has("files", doctree.Object) && manifest.IsConfig(t)
	return root.Has("version") && isConfig ||
		has("dispatchables", doctree.Object) && (has("resources", doctree.Object) || has("commands", doctree.Array)) ||
		has("globalDim", doctree.Array) && has("boxDim", doctree.Array) ||
		manifest.HasDescriptor(t)
}

// hasFields reports whether a document has, anywhere in it, a member that states a tensor: a DirectML field or the
// sizes of another system.
func hasFields(t *doctree.Tree) bool {
	for v := range t.All {
		if v.Kind() == doctree.Array && (v.IsKey("shape") || v.IsKey("ne")) {
			return true
		}
	}
	return manifest.HasField(t)
}
