package manifest

import (
	"cmp"

	"layoutcalc/layout/analysis"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/expect"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
)

// fileEntry reads the expectations of a file, or of all files that match a pattern.
func (r *configReader) fileEntry(v doctree.Value) {
	name := v.Key()
	r.clear(&descriptor.Descriptor{Name: name}, false)
	var x expect.File
	var file, own doctree.Value
	r.object(v, "an entry of files", r.fileKeys(&file, &own, v))
	if own.Exists() {
		r.object(own, "what is expected of a file", r.fileExpectKeys(&x))
	}
	path := ""
	if file.Exists() {
		path = r.text(file, "the path of a file")
	}
	if !r.ok {
		r.d = nil
		return
	}
	x.At = expectSource{own, v}
	for _, of := range r.files(path, file, v) {
		if x.Name = name; of != path {
			x.Name += "[" + of + "]"
		}
		r.d.Name = x.Name
		f := finding.Finding{Rule: expect.ArtefactMissing, Message: "files are not looked for here"}
		if r.artefacts != nil {
			x.Have, f = r.artefacts.Facts(of)
		}
		if f.Message != "" {
			r.wrong(f.Rule, file, f.Fix, "%s: %s", quote(of), f.Message)
			continue
		}
		r.config.Files = append(r.config.Files, x)
	}
	r.d = nil
}

// maxPatterns limits the patterns that the names in a model are compared with.
const maxPatterns = 100

// fileKeys are the keys of a file.
func (r *configReader) fileKeys(file, expect *doctree.Value, of doctree.Value) []key {
	return []key{
		{"file", func(v doctree.Value) { *file = v }, func(string) {
			r.wrong(configKey, keyLocator{of}, "such as file: models/*.onnx", "the path of the file is missing")
		}},
		{"description", r.description, nil},
		{"expect", func(v doctree.Value) { *expect = v }, nil},
	}
}

// fileExpectKeys are the keys of the expectations of a file.
func (r *configReader) fileExpectKeys(x *expect.File) (keys []key) {
	number := func(name string, read func(doctree.Value) int64) {
		keys = append(keys, key{name, func(v doctree.Value) {
			x.Numbers = append(x.Numbers, expect.Number{Key: name, Item: -1, Range: r.within(v, read)})
		}, nil})
	}
	names := func(name, want string) {
		keys = append(keys, key{name, func(v doctree.Value) {
			list := []string(nil)
			if v.Kind() != doctree.Array || v.Len() > 0 {
				list = r.texts(v, want)
			}
			n := 0
			for _, name := range list {
				if lexer.IsGlob(name) {
					n++
				}
			}
			if n > maxPatterns {
				r.wrong(descriptor.ConfigValue, v, "write names", "%d of these are patterns, which may be %d", n,
					maxPatterns)
			}
			x.Names = append(x.Names, expect.Names{Key: name, Patterns: list})
		}, nil})
	}
	number("bytes", r.bytes)
	number("tensorBytes", r.bytes)
	number("parameters", r.parameters)
	number("irVersion", r.count)
	names("operators", "an operator, such as Conv or com.microsoft:Gelu")
	names("domains", "a domain, such as ai.onnx")
	names("inputs", "the name of an input")
	names("outputs", "the name of an output")
	return append(keys, key{"opset", func(v doctree.Value) { r.opsets(v, x) }, nil},
		key{"externalData", func(v doctree.Value) {
			tensors := expect.Exactly(0)
			if r.verdict(v) == analysis.Yes {
				tensors = expect.Range{Min: descriptor.Stated(1)}
			}
			x.Numbers = append(x.Numbers, expect.Number{Key: "externalData", Item: -1, Range: tensors})
		}, nil})
}

// opsets reads the versions of ONNX's own operators, or of the operators of several domains.
func (r *configReader) opsets(v doctree.Value, x *expect.File) {
	add := func(domain string, item int, v doctree.Value) {
		x.Numbers = append(x.Numbers, expect.Number{Key: "opset", Of: domain, Item: item,
			Range: r.within(v, r.count)})
	}
	if v.Kind() != doctree.Object || v.Has("min") || v.Has("max") || v.Len() == 0 {
		add(expect.OwnDomain, -1, v)
		return
	}
	item := 0
	for m := range v.Items {
		if !isExtension(m) {
			add(cmp.Or(m.Key(), expect.OwnDomain), item, m)
			item++
		}
	}
}
