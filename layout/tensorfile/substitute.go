package tensorfile

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/wording"
)

// A Substitute is the error for a file that contains something other than tensors.
type Substitute struct {
	Rule *finding.Rule // LFSPointer or NotTheFile
	Msg  string
	Hint string

	// Bytes is the size of the file that a pointer stands for, or 0 if it is unknown.
	Bytes int64

	Place finding.Span // the identifying bytes: the first ones, or all of a short text
}

// notTheFile returns the error for a file without tensors.
func notTheFile(msg, hint string) *Substitute {
	return &Substitute{Rule: NotTheFile, Msg: msg, Hint: hint}
}

// Error describes the content of the file.
func (s *Substitute) Error() string { return s.Msg }

// Unwrap returns an error with a hint.
func (s *Substitute) Unwrap() error { return &layout.SyntaxError{Msg: s.Msg, Hint: s.Hint} }

const (
	substituteStart = 1024 // bytes that identify a file
	substituteText  = 4096 // bytes searched for the title of a page, a message or the names in an archive
	maxMessage      = 120  // characters of a message of a server
)

// substituteStarts are the first bytes of files that are never tensor files.
var substituteStarts = [...]struct{ start, what, hint string }{
	{"\x1F\x8B", "the file is compressed with gzip", unpackHint},
	{"\xFD7zXZ\x00", "the file is compressed with xz", unpackHint},
	{"\x28\xB5\x2F\xFD", "the file is compressed with zstd", unpackHint},
	{"BZh", "the file is compressed with bzip2", unpackHint},
	{"\x04\x22\x4D\x18", "the file is compressed with lz4", unpackHint},
	{"\x89HDF\r\n\x1A\n", "an HDF5 file, as Keras writes it, which is not read", arraysHint},
	{"\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19\x2E", pickleText, pickleHint},
	{"\x7FELF", "a program or a library (ELF)", againHint},
	{"\x89PNG", "a picture (PNG)", againHint},
	{"%PDF", "a PDF document", againHint},
}

// substituteModels are the marks of other programs' models, at an offset of the file.
var substituteModels = [...]struct {
	at               int
	mark, what, hint string
}{
	{4, "ORTM", "a model in ONNX Runtime's format (ORT)", modelHint},
	{4, "TFL3", "a TensorFlow Lite model", modelHint},
	{0, "ptrt", "an engine of TensorRT", modelHint}, {0, "ftrt", "an engine of TensorRT", modelHint},
	{0, "lmgg", "an older GGML file (ggml)", ggmlHint + "; whisper.cpp still reads it"},
	{0, "fmgg", "an older GGML file (ggmf)", ggmlHint}, {0, "tjgg", "an older GGML file (ggjt)", ggmlHint},
	{0, "algg", "an older GGML file of a LoRA adapter (ggla)", adapterHint},
}

const (
	modelHint   = "check the .onnx file that it was made from"
	ggmlHint    = "GGUF replaced the format: convert it with convert_llama_ggml_to_gguf.py of llama.cpp"
	adapterHint = "GGUF replaced the format: convert the adapter again with convert_lora_to_gguf.py of llama.cpp"
	unpackHint  = "unpack it first"
	againHint   = "download or copy the file again"
	pickleText  = "a pickle of Python, which runs code when it is loaded and is not read"
	pickleHint  = "save it as .safetensors, with safetensors.torch.save_file"
	arraysHint  = "save its arrays as .npy or .safetensors"
	pageHint    = "the download has failed, or needs a login: " + againHint
	lfsHint     = `run git lfs pull; in a workflow, add "lfs: true" under "with:" of actions/checkout`
)

// FindSubstitute returns the content of a file that is not tensors, or nil if the file may have tensors. It reads only
// the first bytes. If named is set, the name promises tensors, and it also looks for text, which files of other kinds
// may start with.
func FindSubstitute(in io.ReaderAt, size int64, named bool) *Substitute {
	s, mark := findSubstitute(in, size, named)
	if s != nil {
		s.Place.To = min(mark, size)
	}
	return s
}

// HasChangedLines reports whether the first bytes of a binary file show that its line endings were changed: it has more
// line feeds than by chance, and each follows a carriage return.
func HasChangedLines(start []byte) bool {
	lines := bytes.Count(start, []byte("\n"))
	return lines >= 8 && bytes.Count(start, []byte("\r\n")) == lines
}

// A beginning is the first bytes of a file that may contain something other than tensors.
type beginning struct {
	text  []byte // the bytes to search
	start []byte // the identifying bytes
	size  int64  // the size of the file
	named bool   // the name promises tensors
}

// impostors are the tests of a beginning. The first that succeeds counts. A test returns the content of the file and
// the number of first bytes that identify it, or nil for other content.
var impostors = [...]func(*beginning) (s *Substitute, mark int){
	(*beginning).known, (*beginning).model, (*beginning).archive, (*beginning).annexPointer, (*beginning).lfsPointer,
	(*beginning).page, (*beginning).nothing, (*beginning).pickle, (*beginning).reply,
}

// findSubstitute also returns the number of first bytes that identify the file.
func findSubstitute(in io.ReaderAt, size int64, named bool) (*Substitute, int64) {
	text := make([]byte, min(max(size, 0), substituteText))
	n, err := in.ReadAt(text, 0)
	if err != nil && err != io.EOF {
		return nil, 0 // a later read reports the error
	}
	text = text[:n]
	b := beginning{text, text[:min(len(text), substituteStart)], size, named}
	if len(b.start) > 8 && b.start[8] == '{' && binary.LittleEndian.Uint64(b.start) <= maxHeader {
		return nil, 0 // the header of a .safetensors file, which may be cut off
	}
	for _, test := range impostors {
		if s, mark := test(&b); s != nil {
			return s, int64(mark)
		}
	}
	return nil, 0
}

// known finds content that the first bytes always identify.
func (b *beginning) known() (*Substitute, int) {
	for _, s := range substituteStarts {
		if bytes.HasPrefix(b.start, []byte(s.start)) {
			return notTheFile(s.what, s.hint), len(s.start)
		}
	}
	return nil, 0
}

// model finds a model of another program. If the name does not promise tensors, a file without a zero byte may be text.
func (b *beginning) model() (*Substitute, int) {
	if !b.named && bytes.IndexByte(b.start, 0) < 0 {
		return nil, 0
	}
	for _, m := range substituteModels {
		if end := m.at + len(m.mark); len(b.start) >= end && string(b.start[m.at:end]) == m.mark {
			return notTheFile(m.what+", which is not read", m.hint), end
		}
	}
	return nil, 0
}

// archive finds a zip or tar archive.
func (b *beginning) archive() (*Substitute, int) {
	const tarMark = 257 // the offset of the mark; bytes of 0 fill up the names before it
	switch {
	case bytes.HasPrefix(b.start, []byte("PK\x03\x04")), bytes.HasPrefix(b.start, []byte("PK\x05\x06")):
		return archive(b.text), 4
	case len(b.start) >= tarMark+5 && string(b.start[tarMark:tarMark+5]) == "ustar" &&
		bytes.IndexByte(b.start[:tarMark], 0) >= 0:
		return notTheFile("a tar archive", unpackHint), tarMark + 5
	}
	return nil, 0
}

// annexPointer finds a git-annex pointer.
func (b *beginning) annexPointer() (*Substitute, int) {
	line, _, _ := bytes.Cut(b.start, []byte("\n"))
	if b.size >= maxAnnexPointer || !isAnnexPath(string(line)) {
		return nil, 0
	}
	return AnnexPointer(string(line)), len(line)
}

// lfsPointer finds a Git LFS pointer.
func (b *beginning) lfsPointer() (*Substitute, int) {
	for _, version := range lfsVersions {
		rest, ok := bytes.CutPrefix(b.start, []byte("version "+version))
		if ok && (len(rest) == 0 || rest[0] <= ' ') {
			return pointer(string(b.start), b.size), len(b.start)
		}
	}
	return nil, 0
}

// page finds an HTML page or an XML reply.
func (b *beginning) page() (*Substitute, int) { return webPage(b.text), len(b.text) }

// nothing finds an empty file with a name that promises tensors.
func (b *beginning) nothing() (*Substitute, int) {
	if !b.named || b.size > 0 {
		return nil, 0
	}
	return notTheFile("the file is empty", againHint), 0
}

// pickle finds a pickle with a name that promises tensors.
func (b *beginning) pickle() (*Substitute, int) {
	if !b.named || len(b.start) < 3 || b.start[0] != 0x80 || b.start[1] < 2 || b.start[1] > 5 || !isOpcode(b.start[2]) {
		return nil, 0
	}
	return notTheFile(pickleText, pickleHint), 2
}

// reply finds a server's message in a file with a name that promises tensors.
func (b *beginning) reply() (*Substitute, int) {
	said := bytes.TrimLeft(b.start, doctree.ByteOrderMark+" \t\r\n")
	if !b.named || b.size >= substituteText || !isReply(string(said)) {
		return nil, 0
	}
	line, _, _ := strings.Cut(string(b.text[len(b.start)-len(said):]), "\n")
	return notTheFile("a message, not tensors: "+wording.OneLine(line, maxMessage), pageHint), int(b.size)
}

// isOpcode reports whether a byte can come after the version of a pickle: a frame, a mark or another opcode.
func isOpcode(c byte) bool {
	return c == 0x95 || c == 0x8A || c == 0x8C || strings.IndexByte("(]})cXKMJGUNVI", c) >= 0
}

// isReply reports whether text is a server's message that a model or file does not exist.
func isReply(text string) bool {
	if rest, ok := strings.CutPrefix(text, "{"); ok {
		rest = strings.TrimLeft(rest, " \t\r\n")
		for _, key := range [...]string{`"error"`, `"message"`, `"detail"`} {
			if strings.HasPrefix(rest, key) {
				return true
			}
		}
	}
	for _, reply := range [...]string{
		"Access to model", "Entry not found", "Invalid username or password", "Repository not found",
		"404: Not Found", "Not Found", "Invalid credentials",
	} {
		if strings.HasPrefix(text, reply) {
			return true
		}
	}
	return false
}

// webPage describes an HTML page or an XML reply. It returns nil for other text.
func webPage(text []byte) *Substitute {
	start := bytes.TrimLeft(text[:min(len(text), substituteStart)], doctree.ByteOrderMark+" \t\r\n\f")
	lower := strings.ToLower(string(start[:min(len(start), 14)]))
	isXML := strings.HasPrefix(lower, "<?xml")
	between := func(open, end string) string { // returns the text between two marks, ignoring case, as one line
		small := smallLetters(text)
		from := bytes.Index(small, []byte(open))
		if from < 0 {
			return ""
		}
		start := from + bytes.IndexByte(small[from:], '>') + 1
		to := bytes.Index(small[start:], []byte(end))
		if start == from || to < 0 {
			return ""
		}
		return strings.TrimSpace(string(text[start : start+to]))
	}
	msg := "an HTML page"
	switch code := between("<code>", "</code>"); {
	case isXML && bytes.Contains(text, []byte("<Error>")) && code != "":
		msg = "a message of a file server: " + wording.OneLine(code, maxMessage)
	case isXML && !bytes.Contains(bytes.ToLower(text), []byte("<html")):
		return notTheFile("a document of XML", againHint)
	case !isXML && !strings.HasPrefix(lower, "<!doctype html") && !strings.HasPrefix(lower, "<html") &&
		!strings.HasPrefix(lower, "<head") && !strings.HasPrefix(lower, "<!--"):
		return nil
	default:
		if title := between("<title", "</title>"); title != "" {
			msg += ": " + wording.OneLine(strconv.Quote(title), maxMessage)
		}
	}
	return notTheFile(msg, pageHint)
}

// smallLetters returns text with ASCII letters in lower case. All bytes keep their offsets.
func smallLetters(text []byte) []byte {
	small := bytes.Clone(text)
	for i, c := range small {
		if 'A' <= c && c <= 'Z' {
			small[i] = c | 0x20
		}
	}
	return small
}

// archive describes a zip archive by the names of its first files.
func archive(start []byte) *Substitute {
	const nameAt = 26 // bytes between the mark of a file and its name; the length of the name is among them
	var names []string
	for _, member := range bytes.Split(start, []byte("PK\x03\x04")) {
		if len(member) > nameAt {
			length := int(binary.LittleEndian.Uint16(member[nameAt-4:]))
			names = append(names, string(member[nameAt:min(nameAt+length, len(member))]))
		}
	}
	has := func(name string) bool {
		for _, n := range names {
			if n == name || strings.HasSuffix(n, "/"+name) || name[0] == '.' && strings.HasSuffix(n, name) {
				return true
			}
		}
		return false
	}
	switch {
	case has("archive_format"):
		return notTheFile("a program that torch.export wrote (.pt2), which is not read", pickleHint)
	case has("data.pkl") || has("constants.pkl"):
		const msg = "an archive of PyTorch with a pickle, which runs code when it is loaded and is not read"
		return notTheFile(msg, pickleHint)
	case has(".npy"):
		return notTheFile("an archive of .npy files", "give it a name that ends in .npz")
	case has("config.json") && has("metadata.json"):
		return notTheFile("an archive of Keras (.keras), which is not read",
			arraysHint)
	}
	return notTheFile("a zip archive", unpackHint)
}

// maxPointer is the size of the smallest file that is too large for a Git LFS pointer.
const maxPointer = 1024

// lfsVersions are the pointer formats that Git LFS reads.
var lfsVersions = [...]string{
	"https://git-lfs.github.com/spec/v1", "https://hawser.github.com/spec/v1", "http://git-media.io/v/2",
}

// pointer describes the file that a Git LFS pointer stands for.
func pointer(text string, size int64) *Substitute {
	if size >= maxPointer {
		return notTheFile(fmt.Sprintf("a text file that starts like a Git LFS pointer, but has %s: "+
			"pointers have fewer than %d", inBytes(size), maxPointer), againHint)
	}
	var sum, bytes string
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		switch key {
		case "oid":
			sum, _ = strings.CutPrefix(value, "sha256:")
		case "size":
			bytes = value
		}
	}
	s := &Substitute{Rule: LFSPointer, Msg: "a Git LFS pointer, not the file itself", Hint: lfsHint}
	n, err := strconv.ParseInt(bytes, 10, 64)
	switch isSum := len(sum) == 64 && strings.Trim(sum, "0123456789abcdef") == ""; {
	case err != nil || n < 0 || !isSum:
		s.Msg += ", and damaged: it has no line \"oid sha256:\" with 64 digits, or no line \"size\""
	default:
		s.Bytes = n
	}
	return s
}

// maxAnnexPointer is the size of the smallest file that is too large for a git-annex pointer.
const maxAnnexPointer = 32 << 10

const (
	annexObjects = "/annex/objects/"
	annexHint    = "git annex get fetches the contents"
)

// isAnnexPath reports whether the first line of a file is a git-annex pointer, or a link to git-annex objects that was
// checked out as text.
func isAnnexPath(line string) bool {
	slashed := strings.ReplaceAll(line, `\`, "/")
	at := strings.Index(slashed, ".git"+annexObjects)
	return strings.HasPrefix(slashed, annexObjects) || at >= 0 && strings.Trim(slashed[:at], "./") == ""
}

// AnnexPointer describes the file that a path to git-annex objects stands for. It returns nil for other paths.
func AnnexPointer(to string) *Substitute {
	slashed := strings.TrimSpace(strings.ReplaceAll(to, `\`, "/"))
	at := strings.Index(slashed, annexObjects)
	if at < 0 {
		return nil
	}
	s := &Substitute{Rule: LFSPointer, Msg: "a pointer of git-annex, not the file itself", Hint: annexHint}
	fields, _, _ := strings.Cut(slashed[strings.LastIndexByte(slashed, '/')+1:], "--")
	for i, field := range strings.Split(fields, "-") {
		size, isSize := strings.CutPrefix(field, "s")
		n, err := strconv.ParseInt(size, 10, 64)
		if i > 0 && isSize && err == nil && n > 0 {
			s.Bytes = n
		}
	}
	return s
}
