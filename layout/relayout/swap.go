package relayout

import (
	"encoding/binary"
	"slices"
)

// swap reverses the bytes of every unit.
func swap(b []byte, unit int) {
	little, big := binary.LittleEndian, binary.BigEndian
	for ; len(b) >= unit; b = b[unit:] {
		switch unit {
		case 2:
			little.PutUint16(b, big.Uint16(b))
		case 4:
			little.PutUint32(b, big.Uint32(b))
		case 8:
			little.PutUint64(b, big.Uint64(b))
		default:
			slices.Reverse(b[:unit])
		}
	}
}
