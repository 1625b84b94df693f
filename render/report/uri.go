package report

import (
	"path/filepath"
	"strings"
)

// artifact writes the fields of a file: its URI, and what that is relative to, unless it is
// absolute or leads out of there.
func (o out) artifact(path string) {
	slashed := filepath.ToSlash(filepath.Clean(path))
	absolute := filepath.IsAbs(path)
	o.text(`"uri": "`)
	switch {
	case !absolute:
	case strings.HasPrefix(slashed, "//"):
		o.text("file:")
	case strings.HasPrefix(slashed, "/"):
		o.text("file://")
	default:
		o.text("file:///")
	}
	for i := range len(slashed) {
		o.uriByte(slashed[i], absolute)
	}
	o.text(`"`)
	if !absolute && slashed != ".." && !strings.HasPrefix(slashed, "../") {
		o.text(`, "uriBaseId": "%SRCROOT%"`)
	}
}

// uriByte writes a byte of a path, with percent and two digits if it could mean anything else. A
// colon in a relative path could end a scheme.
func (o out) uriByte(c byte, absolute bool) {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
		c == '-', c == '.', c == '_', c == '~', c == '/', c == ':' && absolute:
		o.WriteByte(c)
	default:
		const digits = "0123456789ABCDEF"
		o.WriteByte('%')
		o.WriteByte(digits[c>>4])
		o.WriteByte(digits[c&15])
	}
}
