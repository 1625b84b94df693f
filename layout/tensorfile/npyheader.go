package tensorfile

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"layoutcalc/layout"
)

// npyGrowth is how many characters NumPy keeps for the size that grows when an array is appended to.
const npyGrowth = 21

// NpyType returns how a .npy file spells a type of little-endian elements; ok is false when NumPy has
// no such type.
func NpyType(d layout.DType) (descr string, ok bool) {
	descr = d.Info().NumPy
	return descr, descr != ""
}

// AppendNpyHeader appends the header of a .npy file, just as numpy.save writes it: version 1.0, or 2.0
// when it is too long for that, padded with blanks so that the data starts at a multiple of 64.
func AppendNpyHeader(dst []byte, descr string, sizes []int64, fortran bool) []byte {
	dict := npyDict(descr, sizes, fortran)
	fixed := len(npyMagic) + 2 + 2 // the version, and 16 bits of length
	length := npyPadded(fixed, len(dict))
	wide := length > math.MaxUint16
	if wide {
		fixed += 2
		length = npyPadded(fixed, len(dict))
	}
	dst = append(dst, npyMagic...)
	if wide {
		dst = binary.LittleEndian.AppendUint32(append(dst, 2, 0), uint32(length))
	} else {
		dst = binary.LittleEndian.AppendUint16(append(dst, 1, 0), uint16(length))
	}
	dst = append(dst, dict...)
	dst = append(dst, strings.Repeat(" ", length-len(dict)-1)...)
	return append(dst, '\n')
}

// npyPadded returns the length of a dictionary with the padding behind it, of which there is always
// some, and the end of the line.
func npyPadded(fixed, dict int) int {
	return dict + 1 + npyAlign - (fixed+dict+1)%npyAlign
}

// npyDict writes the dictionary, and behind it blanks for the slowest size to grow into.
func npyDict(descr string, sizes []int64, fortran bool) string {
	order, slowest := "False", 0
	if fortran {
		order, slowest = "True", len(sizes)-1
	}
	dict := "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + npyShape(sizes) + ", }"
	if len(sizes) == 0 {
		return dict
	}
	return dict + strings.Repeat(" ", npyGrowth-len(strconv.FormatInt(sizes[slowest], 10)))
}

// npyShape writes sizes as a tuple of Python: one size alone has a comma.
func npyShape(sizes []int64) string {
	text := []byte{'('}
	for i, n := range sizes {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = strconv.AppendInt(text, n, 10)
	}
	if len(sizes) == 1 {
		text = append(text, ',')
	}
	return string(append(text, ')'))
}
