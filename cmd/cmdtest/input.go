package cmdtest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"layoutcalc/layout/layouttest"
)

// header matches the first line of a file: its path, a kind with an argument, and the target of a link.
var header = regexp.MustCompile(`^-- (.+?)(?: \((\w+)(?: ([^()]+))?\)| -> (.+))? --$`)

// write is like Write, but fails the test, or skips it if the system cannot make links.
func (b *Block) write(t testing.TB, root, dir string) {
	t.Helper()
	err := b.Write(root, dir)
	switch {
	case err != nil && header.FindStringSubmatch(b.Text)[4] != "":
		t.Skip("links: ", err)
	case err != nil:
		t.Fatalf("line %d: %s: %v", b.Line, b.Text, err)
	}
}

// Write writes the file of a block into a directory. root is the directory of the project.
func (b *Block) Write(root, dir string) error {
	parts := header.FindStringSubmatch(b.Text)
	name, how, argument, target := parts[1], parts[2], parts[3], parts[4]
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	switch {
	case target != "":
		return layouttest.MakeLink(strings.ReplaceAll(target, "$PWD", dir), path)
	case strings.HasSuffix(name, "/"):
		return os.MkdirAll(path, 0o777)
	case how == "zeros":
		return writeZeros(path, argument)
	}
	content, err := decode(how, argument, b.Body, root)
	if err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o666)
}

// decode returns the content of a file that text describes.
func decode(how, argument, text, root string) ([]byte, error) {
	switch how {
	case "":
		return []byte(text), nil
	case "onnx":
		return layouttest.ONNX(text)
	case "quoted":
		return unquote(text)
	case "times":
		n, err := strconv.Atoi(argument)
		if err != nil {
			return nil, err
		}
		return []byte(strings.Repeat(text, n)), nil
	case "utf16":
		return encodeUTF16(text), nil
	case "copy":
		return os.ReadFile(filepath.Join(root, filepath.FromSlash(argument)))
	case "safetensors", "npy":
		n, err := strconv.Atoi(argument)
		if err != nil {
			return nil, err
		}
		if how == "npy" {
			return NPY(strings.TrimSpace(text), n), nil
		}
		return Safetensors(strings.TrimSpace(text), n), nil
	}
	return nil, fmt.Errorf("unknown kind of file %q", how)
}

// writeZeros writes a file of size zero bytes.
func writeZeros(path, size string) error {
	n, err := strconv.ParseInt(size, 10, 64)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(path, nil, 0o666), os.Truncate(path, n))
}

// unquote joins the string literals on the lines of text.
func unquote(text string) (content []byte, err error) {
	for line := range strings.Lines(text) {
		part, err := strconv.Unquote(strings.TrimSpace(line))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		content = append(content, part...)
	}
	return content, nil
}

// encodeUTF16 encodes text as little-endian UTF-16 with a byte order mark.
func encodeUTF16(text string) (content []byte) {
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		content = binary.LittleEndian.AppendUint16(content, unit)
	}
	return content
}

// Safetensors returns a tensor file: the length of its header, the header padded with spaces to a multiple of 8 bytes,
// and n zero bytes.
func Safetensors(header string, n int) []byte {
	header += strings.Repeat(" ", (8-len(header)%8)%8)
	content := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(content, header...), make([]byte, n)...)
}

// NPY returns a NumPy file of version 1.0: its header padded with spaces, so that the data starts at a multiple of 64
// bytes and not before byte 128, and n zero bytes.
func NPY(header string, n int) []byte {
	const before = 10 // the bytes before the header
	size := max(128, (before+len(header)+1+63)/64*64) - before
	header += strings.Repeat(" ", size-1-len(header)) + "\n"
	content := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
	return append(append(content, header...), make([]byte, n)...)
}

// quote returns binary content in the form that unquote reads, 32 bytes per line.
func quote(content string) string {
	var out strings.Builder
	for len(content) > 0 {
		n := min(32, len(content))
		fmt.Fprintf(&out, "%+q\n", content[:n])
		content = content[n:]
	}
	return out.String()
}

// isText reports whether an output can be shown as it is.
func isText(output string) bool { return utf8.ValidString(output) && !strings.Contains(output, "\x00") }
