package tensorfile

import (
	"bytes"
	"cmp"
	"hash/maphash"
	"io/fs"
	"math"
	"math/big"
	"math/bits"
	"path"
	"slices"
	"sort"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/descriptor"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// An Index maps the tensors of a model to several .safetensors files: the content of model.safetensors.index.json. The
// files, called shards, are compared with it one by one, so that only one header is in memory at a time.
type Index struct {
	Shards []Shard // in the order of their first mention

	*finding.Reporter
	text    []byte
	entries []indexEntry
	table   []int32             // entries by the hashes of their names, starting at 1; 0 for an empty slot
	seed    maphash.Seed        // for the hashes
	escaped map[int32]string    // the names of entries that contain escapes
	types   []string            // the types of tensors
	typeAt  map[string]int32    // the indices of types by name
	extra   map[string]sighting // tensors in shards that are not in the index
	beside  map[int32]string    // entries that no shard has, and the file next to the index that has the tensor
	found   []finding.Finding   // Bytes has the offset of each
	mapAt   int                 // the offset of weight_map
	total   big.Int
	totalAt int  // the offset of the total; 0 if it is missing or invalid
	pickles bool // the shards are pickles: only their existence is checked

	stored big.Int // bytes of the tensors found in the shards that the index names
	files  big.Int // bytes of the shards that were read
	broken bool    // some shard could not be read completely
	read   int     // shards that were read
	absent int     // shards of known size that pointer files stand for
	gone   []int   // the shards that do not exist
}

// A Shard is a file that an index names.
type Shard struct {
	Name string // the name in the index
	Path string // relative to the directory of the index, in the form of package io/fs; empty if it must not be opened
	at   int    // the offset of the name
	size int    // the number of its tensors in the index
	read bool   // it has been compared
}

// An indexEntry is a tensor and its shard in the index.
type indexEntry struct {
	at, end int32 // the bytes of the name in the text, between its quotes
	shard   int32
	there   bool     // the tensor is in the shard
	twice   bool     // an earlier entry maps the name to another shard
	seen    sighting // the first shard with the tensor
}

// A sighting is a tensor in a shard.
type sighting struct {
	shard int32 // starting at 1; 0 if unknown
	dtype int32 // the index of the type
	sizes []int64
}

// ReadIndex reads an index. The name shows whether the shards are pickles. If the text is not an index, the error is a
// [*doctree.Fault].
func ReadIndex(name string, text []byte) (*Index, error) {
	pickles := strings.HasSuffix(strings.ToLower(name), ".bin.index.json")
	x := &Index{text: text, typeAt: map[string]int32{}, pickles: pickles}
	x.Reporter = finding.NewCollector(&x.found)
	if len(text) > math.MaxInt32 {
		return nil, &doctree.Fault{Msg: "an index of more than 2 GiB is not read"}
	}
	r := indexReader{Index: x, shard: map[string]int32{}}
	r.Strict = true
	commentAt := -1
	r.Comment = func(start, _ int) { commentAt = start }
	r.Reset(text, 0)
	if r.root(); commentAt >= 0 {
		r.Fail(commentAt, "a comment, which JSON does not have")
	}
	if fault := r.Fault(); fault != nil {
		return nil, fault
	}
	if !r.mapped {
		return nil, &doctree.Fault{Offset: r.start, Msg: "the index has no weight_map"}
	}
	r.judgePaths()
	return x, nil
}

// An indexReader reads the text of an index.
type indexReader struct {
	*Index
	doctree.Scanner
	shard  map[string]int32 // by name
	start  int              // the offset of the object
	mapped bool             // weight_map has been read
}

// on returns an offset of the text and the tensor there as the subject of a finding. The line is determined at the end.
//
// It is not inlined because it has many callers and inlining would increase the size of each.
//
//go:noinline
func (x *Index) on(at int, tensor string) finding.Subject {
	return finding.At{Tensor: tensor, Bytes: finding.Span{From: int64(at)}}
}

// root reads the top-level object. It skips the keys of other programs.
func (r *indexReader) root() {
	if bytes.HasPrefix(r.text, []byte(doctree.ByteOrderMark)) {
		r.Fail(0, "the text starts with a byte order mark, at which JSON readers stop")
	}
	isObject := r.Next() == doctree.Object
	if r.start = r.Offset(); !isObject {
		r.Fail(r.start, "an index is an object with the key weight_map")
		return
	}
	described := false
	for r.Enter(); r.More(); {
		r.Key()
		switch key := string(r.Text()); {
		case key == "weight_map" && r.mapped:
			r.Fail(r.Start-1, "the index has weight_map twice")
		case key == "weight_map":
			r.weightMap()
		case key == "metadata":
			described = true
			r.metadata()
		default:
			r.Skip()
		}
	}
	rest := bytes.TrimLeft(r.text[min(r.Offset(), len(r.text)):], jsonBlanks)
	if r.Fault() == nil && len(rest) > 0 {
		r.Fail(len(r.text)-len(rest), "unexpected text after the index")
	}
	if !described {
		r.Report(IndexMetadata, r.on(r.start, ""), `"metadata": {"total_size": BYTES}`,
			"the index has no metadata, which transformers 4 needs")
	}
}

// metadata reads the description of all shards. It uses only the total.
func (r *indexReader) metadata() {
	const fix = `"metadata": {"total_size": BYTES}`
	isObject := r.Next() == doctree.Object
	at := r.Offset()
	if !isObject {
		r.Report(IndexMetadata, r.on(at, ""), fix, "metadata is not an object")
		r.Skip()
		return
	}
	stated := false
	for r.Enter(); r.More(); {
		r.Key()
		if string(r.Text()) != "total_size" {
			r.Skip()
			continue
		}
		kind := r.Next()
		stated, at = true, r.Offset()
		if kind == doctree.Object || kind == doctree.Array {
			r.Skip()
		} else {
			r.Scalar()
		}
		if kind == doctree.Number && r.Whole && r.Int >= 0 {
			r.total.SetInt64(r.Int)
			r.totalAt = at
			continue
		}
		r.totalAt = 0
		r.Report(IndexMetadata, r.on(at, ""), "write the number of bytes",
			"total_size is not a whole number from 0 to 2^63 - 1")
	}
	if !stated {
		r.Report(IndexMetadata, r.on(at, ""), fix, "metadata has no total_size")
	}
}

// weightMap reads the shard of each tensor.
func (r *indexReader) weightMap() {
	isObject := r.Next() == doctree.Object
	if r.mapped, r.mapAt = true, r.Offset(); !isObject {
		r.Fail(r.mapAt, "weight_map is not an object with the names of tensors and of files")
		return
	}
	most := bytes.Count(r.text[r.mapAt:], []byte(":"))
	r.entries, r.seed = make([]indexEntry, 0, most), maphash.MakeSeed()
	r.table = make([]int32, 1<<bits.Len(uint(most+most/2)))
	for r.Enter(); r.More(); {
		r.Key()
		e, name := indexEntry{at: int32(r.Start), end: int32(r.End)}, r.Text()
		if r.Escaped {
			name = []byte(doctree.Unescape(name))
		}
		kind := r.Next()
		at := r.Offset()
		if kind != doctree.String {
			r.Report(IndexMap, r.on(at, string(name)), "", "what the map has for a tensor is not the name of a file")
			r.Skip()
			continue
		}
		r.Scalar()
		e.shard = r.named(at)
		place := r.lookup(name)
		if *place != 0 {
			r.again(&e, &r.entries[*place-1])
			continue
		}
		r.entries = append(r.entries, e)
		*place = int32(len(r.entries))
		if len(name) != int(e.end-e.at) || string(name) != string(r.text[e.at:e.end]) {
			if r.escaped == nil {
				r.escaped = map[int32]string{}
			}
			r.escaped[*place-1] = string(name)
		}
	}
	if len(r.entries) == 0 && r.Tally(IndexMap) == 0 {
		r.Report(IndexMap, r.on(r.mapAt, ""), "", "weight_map names no tensors, so that nothing can be checked")
	}
}

// lookup returns a pointer to the slot for a name in the table. The slot is 0 if no entry has the name.
func (x *Index) lookup(name []byte) *int32 {
	mask := uint64(len(x.table) - 1)
	for i := maphash.Bytes(x.seed, name); ; i++ {
		place := &x.table[i&mask]
		if *place == 0 || x.isNamed(*place-1, name) {
			return place
		}
	}
}

// isNamed reports whether an entry has the name.
func (x *Index) isNamed(entry int32, name []byte) bool {
	if text, escaped := x.escaped[entry]; escaped {
		return text == string(name)
	}
	e := &x.entries[entry]
	return string(x.text[e.at:e.end]) == string(name)
}

// name returns the name of an entry.
func (x *Index) name(entry int) string {
	if text, escaped := x.escaped[int32(entry)]; escaped {
		return text
	}
	e := &x.entries[entry]
	return string(x.text[e.at:e.end])
}

// named returns the shard with the name that was read last, starting at an offset.
func (r *indexReader) named(at int) int32 {
	if i, known := r.shard[string(r.Text())]; known {
		r.Shards[i].size++
		return i
	}
	s := Shard{Name: string(r.Text()), at: at, size: 1}
	if r.Escaped {
		s.Name = doctree.Unescape(r.Text())
	}
	i, known := int32(len(r.Shards)), false
	if s.Path, _ = CheckPath(s.Name); s.Path != "" {
		i, known = r.shard[s.Path]
	}
	if !known {
		i = int32(len(r.Shards))
		r.Shards = append(r.Shards, s)
	} else {
		r.Shards[i].size++
	}
	r.shard[s.Name] = i
	if s.Path != "" {
		r.shard[s.Path] = i
	}
	return i
}

// again reports a tensor that the map contains twice. Readers use the last entry.
func (r *indexReader) again(e, before *indexEntry) {
	r.Shards[before.shard].size--
	name := string(r.text[before.at:before.end])
	first := before.shard
	before.shard = e.shard
	if e.shard == first {
		r.ReportAs(IndexMap, finding.Warning, r.on(int(e.at)-1, name), "remove one of them",
			"the tensor is named twice, for the same file")
		return
	}
	r.Report(IndexMap, r.on(int(e.at)-1, name), "remove one of them",
		"the tensor is named twice: for %s and for %s, of which readers take the last",
		wording.Quote(r.Shards[first].Name), wording.Quote(r.Shards[e.shard].Name))
	before.twice = true
}

// CheckPath returns the path of a file relative to the directory of the file that names it, in the form of package
// io/fs. If the path must not be opened, it returns the reason. A path that leaves the directory on some system is
// rejected on all systems.
func CheckPath(name string) (clean, why string) {
	clean = path.Clean(name)
	switch {
	case name == "":
		return "", "the name of a file is empty"
	case strings.IndexByte(name, 0) >= 0:
		return "", "the name has a byte of 0"
	case strings.Contains(name, "\\"):
		return "", "the name has a backslash, which separates directories on Windows only"
	case name[0] == '/', len(name) > 1 && lexer.IsLetter(name[0]) && name[1] == ':':
		return "", "the path starts at the root, and only files below this directory are opened"
	case slices.Contains(strings.Split(name, "/"), ".."):
		return "", "the path leaves this directory by .."
	case !fs.ValidPath(clean) || clean == ".":
		return "", "the name is not that of a file"
	}
	return clean, ""
}

// judgePaths reports file names that are not names of shards, and returns the expected number of shards.
func (r *indexReader) judgePaths() {
	id := IndexPath
	ending := safetensorsKind
	if r.pickles {
		ending = "bin"
	}
	inSet := map[SetName]int{} // the number of files of each set in the index
	for i := range r.Shards {
		if set, _, numbered := ParseSetName(r.Shards[i].Name); numbered {
			inSet[set]++
		}
	}
	for i := range r.Shards {
		s := &r.Shards[i]
		_, why := CheckPath(s.Name)
		of := wording.Quote(s.Name)
		switch set, _, numbered := ParseSetName(s.Name); {
		case why != "":
			r.ReportAs(id, finding.Error, r.on(s.at, ""),
				"a path below the directory of the index, such as model-00001-of-00002.safetensors",
				"%s: %s (%s)", of, why, r.tensors(i))
		case strings.ToLower(path.Ext(s.Name)) != "."+ending:
			s.Path = ""
			r.ReportAs(id, finding.Error, r.on(s.at, ""), "a name that ends in ."+ending,
				"%s: the name does not end in .%s, and other files are taken for pickles (%s)", of, ending,
				r.tensors(i))
		case strings.Contains(s.Path, "/"):
			r.ReportAs(id, finding.Note, r.on(s.at, ""), "",
				"%s: the shard is in another directory, where not all programs look", of)
		case numbered && inSet[set] > 0 && inSet[set] != set.Of:
			r.ReportAs(IndexShardMissing, finding.Warning, r.on(s.at, ""), "",
				"the name %s counts %s, but the index names %d of them", of, wording.Count(set.Of, "shard"),
				inSet[set])
			inSet[set] = 0 // reported once
		}
	}
}

// tensors returns the number of tensors of a shard in words.
func (x *Index) tensors(shard int) string { return wording.Count(x.Shards[shard].size, "tensor") }

// Find returns the shard of a tensor according to the index.
func (x *Index) Find(tensor string) (shard Shard, ok bool) {
	if i := *x.lookup([]byte(tensor)); i != 0 {
		return x.Shards[x.entries[i-1].shard], true
	}
	return Shard{}, false
}

// Len returns the number of tensors in the index, and Pickles reports whether their files are pickles.
func (x *Index) Len() int      { return len(x.entries) }
func (x *Index) Pickles() bool { return x.pickles }

// Names yields the names of the tensors, in the order of the index.
func (x *Index) Names(yield func(string) bool) {
	for i := range x.entries {
		if !yield(x.name(i)) {
			return
		}
	}
}

// Compare compares a shard, which has size bytes, with its entries in the index.
func (x *Index) Compare(shard int, f *descriptor.File, size int64) {
	x.Shards[shard].read = true
	x.read++
	x.files.Add(&x.files, big.NewInt(size))
	for i := range f.Findings {
		x.broken = x.broken || f.Findings[i].Severity == finding.Error
	}
	next := int32(0)   // the expected entry, if the shard has its tensors in the order of the index
	stored := int64(0) // at most size, unless tensors overlap; then the total is not checked
	for i := range f.Len() {
		d := f.At(i)
		have := sighting{int32(shard + 1), x.typeOf(d.TypeName), d.Sizes}
		at, name := next, []byte(d.Name)
		if int(at) == len(x.entries) || !x.isNamed(at, name) {
			at = *x.lookup(name) - 1
		}
		if at < 0 {
			if before, twice := x.extra[d.Name]; twice {
				x.twice(d.Name, x.Shards[shard].at, before, have)
				continue
			}
			if x.extra == nil {
				x.extra = map[string]sighting{}
			}
			x.extra[d.Name] = have
			x.Report(IndexTensorExtra, x.on(x.Shards[shard].at, d.Name), "",
				"the tensor is in %s, and the index does not name it", wording.Quote(x.Shards[shard].Name))
			continue
		}
		e := &x.entries[at]
		next = at + 1
		if e.seen.shard != 0 {
			x.twice(d.Name, int(e.at)-1, e.seen, have)
		} else {
			e.seen = have
		}
		if int(e.shard) == shard && !e.there {
			e.there = true
			stored += d.Total.Value
		}
	}
	x.stored.Add(&x.stored, big.NewInt(stored))
}

// Lacks reports whether the index names a tensor that no compared file has, for a shard that has been compared.
func (x *Index) Lacks() bool {
	isLacking := func(e indexEntry) bool { return e.seen.shard == 0 && x.Shards[e.shard].read }
	return slices.ContainsFunc(x.entries, isLacking)
}

// CompareUnnamed compares a file next to the index, which the index does not name, with the entries that no shard has.
func (x *Index) CompareUnnamed(name string, f *descriptor.File) {
	for i := range f.Len() {
		at := *x.lookup([]byte(f.At(i).Name)) - 1
		if at < 0 || x.entries[at].seen.shard != 0 || x.beside[at] != "" {
			continue
		}
		if x.beside == nil {
			x.beside = map[int32]string{}
		}
		x.beside[at] = name
	}
}

// typeOf returns the index of the type with a name.
func (x *Index) typeOf(name string) int32 {
	i, known := x.typeAt[name]
	if !known {
		i = int32(len(x.types))
		x.types, x.typeAt[name] = append(x.types, name), i
	}
	return i
}

// twice reports a tensor that two shards have. A tensor that one shard has twice is reported for the shard.
func (x *Index) twice(tensor string, at int, a, b sighting) {
	if a.shard == b.shard {
		return
	}
	in := [2]string{wording.Quote(x.Shards[a.shard-1].Name), wording.Quote(x.Shards[b.shard-1].Name)}
	if a.dtype == b.dtype && slices.Equal(a.sizes, b.sizes) {
		x.Report(IndexDuplicate, x.on(at, tensor), "",
			"the tensor is in %s and in %s: which of them is loaded depends on the program", in[0], in[1])
		return
	}
	x.ReportAs(IndexDuplicate, finding.Error, x.on(at, tensor), "", "the tensor is in %s as %s, and in %s as %s",
		in[0], x.described(a), in[1], x.described(b))
}

// described returns type and sizes.
func (x *Index) described(s sighting) string {
	return wording.Clip(x.types[s.dtype]) + " [" + layout.JoinInts(s.sizes, ", ") + "]"
}

// NotFound records a shard that does not exist. Finish reports all of them together.
func (x *Index) NotFound(shard int) {
	x.broken = true
	x.gone = append(x.gone, shard)
}

// judgeNotFound reports the shards that do not exist.
func (x *Index) judgeNotFound() {
	if len(x.gone) == 0 {
		return
	}
	absence := finding.Absence{Kind: "shard", In: "in the index"}
	for _, s := range x.Shards {
		if s.Path != "" {
			absence.Named++
		}
	}
	for _, i := range x.gone {
		absence.Missing = append(absence.Missing, x.Shards[i].Name)
	}
	severity, message := absence.Judge()
	x.ReportAs(IndexShardMissing, severity, x.on(x.Shards[x.gone[0]].at, ""), "", "%s", message)
}

// Missing reports a shard that cannot be opened or is not a file, and why.
func (x *Index) Missing(shard int, why string) {
	s := &x.Shards[shard]
	x.broken = true
	x.Report(IndexShardMissing, x.on(s.at, ""), "", "%s %s: the index has %s for it",
		wording.Quote(s.Name), why, x.tensors(shard))
}

// Absent records a shard of known size that a pointer file stands for.
func (x *Index) Absent(bytes int64) {
	x.absent++
	x.files.Add(&x.files, big.NewInt(bytes))
}

// Unseen records that shards cannot be found, because the directory of the index is unknown.
func (x *Index) Unseen() {
	x.broken = true
	x.Report(IndexShardMissing, x.on(x.mapAt, ""), "name the file of the index",
		"the index was read from a stream: its %s cannot be looked for", wording.Count(len(x.Shards), "shard"))
}

// judgeExtra reports the files in the directory that the index does not name.
func (x *Index) judgeExtra(beside []string) {
	named := map[string]bool{"adapter_model.safetensors": true} // PEFT's adapters are in the directory of their model
	for _, s := range x.Shards {
		named[s.Path] = true
	}
	var extra, mistral []string
	for _, name := range beside {
		switch {
		case named[name]:
		case strings.HasPrefix(name, "consolidated"):
			mistral = append(mistral, wording.Quote(name))
		default:
			extra = append(extra, wording.Quote(name))
		}
	}
	x.reportExtra(finding.Note, mistral, "Mistral's models have the same tensors twice")
	x.reportExtra(finding.Warning, extra, "some programs load every file")
}

// reportExtra reports files once, by the names of the first three.
func (x *Index) reportExtra(severity finding.Severity, names []string, why string) {
	if len(names) == 0 {
		return
	}
	are, them := "is", "it"
	if len(names) > 1 {
		are, them = "are", "them"
	}
	x.ReportAs(IndexShardExtra, severity, x.on(x.mapAt, ""), "", "%s %s beside the index, which does not name %s: %s",
		wording.Some(names[:min(len(names), 3)], len(names)), are, them, why)
}

// Finish returns the findings about the index after its shards have been compared, given the names of all .safetensors
// files next to it.
func (x *Index) Finish(beside []string) *descriptor.File {
	x.judgeNotFound()
	x.judgeEntries()
	x.judgeExtra(beside)
	switch {
	case x.pickles || x.totalAt == 0:
	case !x.broken:
		x.judgeTotal()
	case x.absent > 0 && x.read+x.absent == len(x.Shards) &&
		x.files.Cmp(new(big.Int).Add(&x.total, big.NewInt(8*int64(len(x.Shards))))) < 0: // the bytes of headers
		x.Report(IndexTotalSize, x.on(x.totalAt, ""), "",
			"total_size is %v, and the shards have %s together, %d of them not checked out", &x.total,
			wording.Count(&x.files, "byte"), x.absent)
	}
	f := &descriptor.File{Kind: indexKind}
	sort.SliceStable(x.found, func(i, k int) bool { return x.found[i].Bytes.From < x.found[k].Bytes.From })
	var mark doctree.LineMark
	for i := range x.found {
		found := &x.found[i]
		at := int(found.Bytes.From)
		found.Place, found.Bytes = mark.Place(x.text, at), finding.Span{}
		found.Pointer = x.pointer(at)
	}
	x.LeftOut(finding.At{})
	f.Findings = x.found
	return f
}

const indexKind = "index"

// pointer returns the JSON pointer of the value at an offset.
func (x *Index) pointer(at int) string {
	i, _ := slices.BinarySearchFunc(x.entries, at, func(e indexEntry, at int) int {
		return cmp.Compare(int(e.at)-1, at+1)
	})
	switch {
	case at == x.totalAt && at > 0:
		return "/metadata/total_size"
	case at == x.mapAt && at > 0:
		return "/weight_map"
	case i == 0 || int(x.entries[i-1].at)-1 != at:
		return "" // not a tensor in the index
	}
	return "/weight_map/" + doctree.PointerTo(x.name(i-1))
}

// judgeEntries reports tensors that are not in their shards.
func (x *Index) judgeEntries() {
	unread := len(x.Shards) - x.read
	x.broken = x.broken || unread > 0 || x.Tally(IndexMap) > 0
	moved := x.judgeMoved()
	for i := range x.entries {
		e := &x.entries[i]
		if e.there || e.twice && e.seen.shard != 0 || !x.Shards[e.shard].read {
			continue
		}
		if x.broken = true; moved[e.shard] > 0 {
			continue
		}
		of := wording.Quote(x.Shards[e.shard].Name)
		switch {
		case e.seen.shard != 0:
			in := x.Shards[e.seen.shard-1].Name
			x.Report(IndexTensorMissing, x.on(int(e.at)-1, x.name(i)), "write "+strconv.Quote(wording.Clip(in)),
				"the tensor is not in %s, but in %s", of, wording.Quote(in))
		case x.beside[int32(i)] != "":
			in := x.beside[int32(i)]
			x.Report(IndexTensorMissing, x.on(int(e.at)-1, x.name(i)), "write "+strconv.Quote(wording.Clip(in)),
				"the tensor is not in %s, but in %s, which the index does not name", of, wording.Quote(in))
		case unread > 0:
			x.Report(IndexTensorMissing, x.on(int(e.at)-1, x.name(i)), "",
				"the tensor is not in %s, nor in another shard that can be read", of)
		default:
			x.Report(IndexTensorMissing, x.on(int(e.at)-1, x.name(i)), "",
				"the tensor is not in %s, nor in any other shard", of)
		}
	}
}

// judgeMoved reports shards that contain the tensors of other shards, once for each. For each shard, it returns the
// shard that contains all of its tensors instead, starting at 1, or 0 if no shard does.
func (x *Index) judgeMoved() []int32 {
	const unknown, several = 0, -1
	moved := make([]int32, len(x.Shards))
	for i := range x.entries {
		e := &x.entries[i]
		at := &moved[e.shard]
		if *at == unknown {
			*at = cmp.Or(e.seen.shard, several)
		}
		if e.there || e.twice || *at != e.seen.shard {
			*at = several
		}
	}
	for i, at := range moved {
		if at <= 0 || x.Shards[i].size < 2 && moved[at-1] != int32(i+1) {
			moved[i] = 0
		}
	}
	for i, at := range moved {
		s := &x.Shards[i]
		switch {
		case at == 0:
		case moved[at-1] != int32(i+1):
			x.Report(IndexTensorMissing, x.on(s.at, ""), "name each shard as the index does",
				"%s has none of its %s: all are in %s", wording.Quote(s.Name), x.tensors(i),
				wording.Quote(x.Shards[at-1].Name))
		case int(at) > i+1:
			x.Report(IndexTensorMissing, x.on(s.at, ""), "give each file the name of the other",
				"%s and %s are swapped: each has all tensors that the index has in the other, %d and %d",
				wording.Quote(s.Name), wording.Quote(x.Shards[at-1].Name), x.Shards[at-1].size, s.size)
		}
	}
	return moved
}

// judgeTotal compares the total with the bytes of the tensors.
func (x *Index) judgeTotal() {
	difference := new(big.Int).Sub(&x.stored, &x.total)
	if difference.Sign() == 0 {
		return
	}
	hint := ""
	if x.total.Cmp(&x.files) == 0 {
		hint = ": it is that of the files, with their headers"
	}
	count := "few"
	if difference.Sign() < 0 {
		count = "many"
	}
	at, old := finding.Repaired{Subject: x.on(x.totalAt, "")}, x.total.String()
	if bytes.HasPrefix(x.text[x.totalAt:], []byte(old)) { // and not -0
		place := finding.Span{From: int64(x.totalAt), To: int64(x.totalAt + len(old))}
		at.Edits = []finding.Edit{{Span: place, Text: x.stored.String()}}
	}
	x.Report(IndexTotalSize, at, x.stored.String(),
		"total_size is %v, and the tensors of the index take %s: %v too %s%s", &x.total,
		wording.Count(&x.stored, "byte"),
		difference.Abs(difference), count, hint)
}
