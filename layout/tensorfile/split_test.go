package tensorfile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"layoutcalc/layout/finding"
)

// splitPart is part no, counted from 0, of count GGUF files with all tensors together; it has one of them.
func splitPart(no, count int, all int64) string {
	pairs := []string{
		ggufText("split.no") + le32(2) + le16(no), ggufText("split.count") + le32(2) + le16(count),
		ggufText("split.tensors.count") + le32(5) + le32(all),
	}
	return ggufOf(3, pairs, []ggufTensor{{fmt.Sprint("t", no), []uint64{8}, 0, 0}}, 32, 32)
}

// TestSet judges sets of files: GGUF files by their parts, others by their names.
func TestSet(t *testing.T) {
	parts := func(files ...string) map[string]string {
		set := map[string]string{}
		for i, file := range files {
			if file != "" {
				set[fmt.Sprintf("m-%05d-of-%05d.gguf", i+1, len(files))] = file
			}
		}
		return set
	}
	names := func(ending string, of int, numbers ...int) map[string]string {
		set := map[string]string{}
		for _, no := range numbers {
			set[fmt.Sprintf("m-%05d-of-%05d.%s", no, of, ending)] = ""
		}
		return set
	}
	const a, b, c = "m-00001-of-00003.gguf", "m-00002-of-00003.gguf", "m-00003-of-00003.gguf"
	plain := ggufOf(3, nil, []ggufTensor{{"t", []uint64{8}, 0, 0}}, 32, 32)
	tests := []struct {
		reason  string
		files   map[string]string
		indexed bool
		want    []string
	}{
		{reason: "right", files: parts(splitPart(0, 3, 3), splitPart(1, 3, 3), splitPart(2, 3, 3))},
		{reason: "the second is missing", files: parts(splitPart(0, 3, 3), "", splitPart(2, 3, 3)),
			want: []string{`error: "` + b + `" is missing beside it: the name counts 3 files`}},
		{reason: "the first is missing", files: parts("", splitPart(1, 3, 3), splitPart(2, 3, 3)),
			want: []string{`error: "` + a + `" is missing beside it: the name counts 3 files`}},
		{reason: "only the last is there", files: parts("", "", splitPart(2, 3, 3)),
			want: []string{`error: 2 of the 3 files that the name counts are missing beside it: "` + a + `", "` + b +
				`"`}},
		{reason: "two are swapped", files: parts(splitPart(1, 3, 3), splitPart(0, 3, 3), splitPart(2, 3, 3)),
			want: []string{`error: "` + a + `" and "` + b + `" are swapped: split.no is 1 in the first and 0 ` +
				"in the second"}},
		{reason: "three have changed places", files: parts(splitPart(1, 3, 3), splitPart(2, 3, 3), splitPart(0, 3, 3)),
			want: []string{`error: split.no of "` + a + `" is 1, and that of its name 0; 2 more are wrong`}},
		{reason: "one is there twice", files: parts(splitPart(0, 3, 3), splitPart(1, 3, 3), splitPart(1, 3, 3)),
			want: []string{`error: split.no of "` + c + `" is 1, and that of its name 2`}},
		{reason: "another count", files: parts(splitPart(0, 3, 3), splitPart(1, 4, 3), splitPart(2, 3, 3)),
			want: []string{`error: split.count of "` + b + `" is 4, and the name counts 3 files`}},
		{reason: "a tensor too few", files: parts(splitPart(0, 3, 4), splitPart(1, 3, 4), splitPart(2, 3, 4)),
			want: []string{"error: split.tensors.count is 4, and the total of 3 files is 3"}},
		{reason: "a tensor in two files", files: parts(splitPart(0, 3, 3), splitPart(1, 3, 3),
			strings.Replace(splitPart(2, 3, 3), "t2", "t0", 1)),
			want: []string{`error: the tensor "t0" is in "` + a + `" and in "` + c + `", which llama.cpp refuses`}},
		{reason: "no split", files: parts(splitPart(0, 3, 3), plain, splitPart(2, 3, 3)),
			want: []string{`warning: "` + b + `" has no split.count: llama.cpp takes it for a whole model`}},
		{reason: "one of one", files: parts(plain)},
		{reason: "an index", files: names("safetensors", 2, 1, 2), indexed: true},
		{reason: "no index", files: names("safetensors", 2, 1, 2), want: []string{
			"warning: the index m.safetensors.index.json is missing beside the 2 files: " +
				"transformers does not load them"}},
		{reason: "a lone shard", files: names("safetensors", 2, 2), want: []string{
			`error: "m-00001-of-00002.safetensors" is missing beside it: the name counts 2 files; ` +
				"nor is there an index"}},
		{reason: "an index and a lone shard", files: names("safetensors", 2, 2), indexed: true, want: []string{
			`error: "m-00001-of-00002.safetensors" is missing beside it: the name counts 2 files`}},
		{reason: "numbers from 0", files: names("safetensors", 2, 0, 1), indexed: true},
		{reason: "numbers from 0, without the last", files: names("safetensors", 2, 0), indexed: true, want: []string{
			`error: "m-00001-of-00002.safetensors" is missing beside it: the name counts 2 files`}},
		{reason: "more than are listed", files: names("safetensors", 9, 3), indexed: true, want: []string{
			`error: 8 of the 9 files that the name counts are missing beside it: "m-00001-of-00009.safetensors", ` +
				`"m-00002-of-00009.safetensors", "m-00004-of-00009.safetensors" and 5 more`}},
		{reason: "a count of nobody", files: names("safetensors", 999999999, 7), indexed: true, want: []string{
			`error: 999999998 of the 999999999 files that the name counts are missing beside it: ` +
				`"m-00001-of-999999999.safetensors", "m-00002-of-999999999.safetensors", ` +
				`"m-00003-of-999999999.safetensors" and 999999995 more`}},
		{reason: "files of others", files: names("parquet", 5, 1)},
	}
	for _, tt := range tests {
		var got []string
		r := finding.NewReporter(finding.Options{}, func(f finding.Finding) {
			got = append(got, f.Severity.String()+": "+f.Message)
		})
		var listed []string
		for name := range tt.files {
			listed = append(listed, name)
		}
		for name, list := range Sets(listed) {
			set := Set{SetName: name, Parts: list, Indexed: tt.indexed}
			for i := range list {
				p := &list[i]
				if text := tt.files[p.Name]; text != "" {
					f := mustRead(t, p.Name, text)
					p.Read, p.Split = true, f.Split
					for i := range f.Len() {
						p.Names = append(p.Names, f.At(i).Name)
					}
				}
			}
			set.Judge(r)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s:\n%s\nwant\n%s", tt.reason, strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
		}
	}
}

// TestSetName reads the names of files that are numbered, and of others.
func TestSetName(t *testing.T) {
	for _, tt := range []struct {
		name string
		set  SetName
		no   int
		ok   bool
	}{
		{"model-00001-of-00002.safetensors", SetName{Stem: "model", Ending: ".safetensors", Of: 2}, 1, true},
		{"a-b-3-of-4.gguf", SetName{Stem: "a-b", Ending: ".gguf", Of: 4}, 3, true},
		{"M-00001-of-00002.GGUF", SetName{Stem: "M", Ending: ".gguf", Of: 2}, 1, true},
		{"model-of-2.gguf", SetName{}, 0, false},
		{"model-1-of-0.gguf", SetName{}, 0, false},
		{"model-1-of-x.gguf", SetName{}, 0, false},
		{"model.gguf", SetName{}, 0, false},
		{"-of-", SetName{}, 0, false},
	} {
		if set, no, ok := ParseSetName(tt.name); ok != tt.ok || ok && (set != tt.set || no != tt.no) {
			t.Errorf("%s: %+v, %d, %t", tt.name, set, no, ok)
		}
	}
}

// TestRenamedSplit has a file of several under a name that does not number it.
func TestRenamedSplit(t *testing.T) {
	for _, tt := range []struct{ name, file, want, fix string }{
		{"model.gguf", splitPart(1, 3, 3), "split.count is 3, and the name does not show which of the files it is: " +
			"llama.cpp looks for the others by their names", "name it as in NAME-00001-of-00003.gguf"},
		{"model.gguf", splitPart(0, 1, 1), "", ""},
		{"f00dfeed", splitPart(1, 3, 3), "", ""}, // a blob of a cache, which links name
	} {
		var message, fix string
		r := finding.NewReporter(finding.Options{}, func(f finding.Finding) { message, fix = f.Message, f.Fix })
		JudgeName(r, tt.name, mustRead(t, tt.name, tt.file))
		if message != tt.want || fix != tt.fix {
			t.Errorf("%s: %q, fix %q", tt.name, message, fix)
		}
	}
}
