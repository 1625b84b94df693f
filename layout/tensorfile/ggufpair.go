package tensorfile

import (
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/rules"
)

const ggufAlignKey = "general.alignment"

// pair reads a key and its value, of which only the alignment is kept.
func (g *ggufReader) pair() {
	at := g.pos()
	key, length := g.text("key")
	if length > ggufMaxKey {
		g.find(rules.FileHeader, "", "", "the key at byte %d is %d bytes long, over the limit of %d", at, length, ggufMaxKey)
	}
	if length <= maxNameKept {
		if g.keys[key] {
			g.find(rules.FileHeader, "", "", "the key %s is there twice, again at byte %d: ggml refuses the file", quoted(key), at)
		}
		g.keys[key] = true
	}
	switch typ := g.uint(4); {
	case key == ggufAlignKey && typ == ggufUint32:
		g.align = int64(g.uint(4))
	default:
		if key == ggufAlignKey && g.fault == nil {
			g.find(rules.FileAlign, "", "", "%s is no unsigned number of 32 bits: ggml stops", ggufAlignKey)
		}
		g.value(typ, 0)
	}
}

// value steps over a value of metadata.
func (g *ggufReader) value(typ uint64, depth int) {
	switch {
	case g.fault != nil:
	case typ >= uint64(len(ggufWidths)):
		g.fail(g.pos()-4, "there is no type %d of metadata", typ)
	case typ == ggufString:
		g.pass()
	case typ == ggufArray:
		g.array(depth + 1)
	default:
		g.skip(int64(ggufWidths[typ]))
	}
}

// pass steps over a text.
func (g *ggufReader) pass() {
	at := g.pos()
	if n := g.uint(8); g.claim(at, n, 1, "bytes of text") {
		g.skip(int64(n))
	}
}

// array steps over an array, whose items take some bytes each even where they are empty.
func (g *ggufReader) array(depth int) {
	if depth > doctree.MaxDepth {
		g.fail(g.pos(), "arrays nest deeper than %d levels", doctree.MaxDepth)
		return
	}
	typ := g.uint(4)
	at := g.pos()
	n := g.uint(8)
	if typ >= uint64(len(ggufWidths)) {
		g.fail(at-4, "there is no type %d of metadata", typ)
		return
	}
	width := ggufWidths[typ]
	if width > 0 {
		if g.claim(at, n, width, "items") {
			g.skip(int64(n * width))
		}
		return
	}
	if typ == ggufArray {
		g.nested(at)
	}
	if !g.claim(at, n, 8, "items") {
		return
	}
	for i := uint64(0); i < n && g.fault == nil; i++ {
		g.value(typ, depth)
	}
}

// nested notes that there are arrays of arrays, once for a file.
func (g *ggufReader) nested(at int64) {
	if !g.nests {
		g.findAs(rules.FileHeader, rules.Warning, "", "", "the array at byte %d has arrays in it: the format allows that, and ggml 0.21 refuses it", at)
	}
	g.nests = true
}

// judgeAlign checks the alignment. One that is no power of two still says where tensors lie.
func (g *ggufReader) judgeAlign() {
	switch a := g.align; {
	case a == 0:
		g.find(rules.FileAlign, "", "", "%s is 0: it has to be a power of two", ggufAlignKey)
		g.align = ggufDefaultAlign
	case a&(a-1) != 0:
		g.find(rules.FileAlign, "", "", "%s is %d, which is no power of two: ggml refuses the file", ggufAlignKey, a)
	case a%8 != 0:
		g.findAs(rules.FileAlign, rules.Warning, "", "", "%s is %d, and the format wants a multiple of 8", ggufAlignKey, a)
	case a > ggufLargeAlign:
		g.findAs(rules.FileAlign, rules.Warning, "", "", "%s is %d: newer ggml readers take %d at most", ggufAlignKey, a, ggufLargeAlign)
	}
}
