package tensorfile

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"layoutcalc/layout/doctree"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/wording"
)

// The marks of the parts of a zip archive, and the lengths of the parts without their strings.
const (
	zipFile      = "PK\x03\x04"
	zipEntry     = "PK\x01\x02"
	zipEnd       = "PK\x05\x06"
	zipEnd64     = "PK\x06\x06"
	zipLocator64 = "PK\x06\x07"

	zipFileBytes      = 30
	zipEndBytes       = 22
	zipEnd64Bytes     = 56
	zipLocator64Bytes = 20
	zipMaxComment     = 1<<16 - 1
)

// The methods of storing a file in an archive.
const (
	zipStored   = 0
	zipDeflated = 8
)

// A zipMember is a file in an archive.
type zipMember struct {
	name         string
	method       uint64
	encrypted    bool
	start        int64 // the offset of its bytes in the archive
	size, packed int64 // the size of the file, and of its bytes in the archive
}

// isArchive reports whether the file starts like a zip archive.
func (t *fileReader) isArchive() bool {
	var mark [len(zipFile)]byte
	t.in.ReadAt(mark[:], 0)
	return string(mark[:]) == zipFile || string(mark[:]) == zipEnd
}

// readNpz reads the headers of the .npy files in an archive.
func (t *fileReader) readNpz() {
	members := t.members()
	for i := range members {
		m := &members[i]
		name, isArray := strings.CutSuffix(m.name, "."+npyKind)
		if !isArray || t.fault != nil {
			continue
		}
		t.about = finding.Span{From: m.start, To: m.start + m.packed}
		if err := t.member(name, m); err != nil {
			t.Report(FileHeader, t.on(name), "", "%s", err)
		}
	}
}

// member reads the header of an array in an archive.
func (t *fileReader) member(name string, m *zipMember) error {
	in, err := m.open(t.in)
	if err != nil {
		return err
	}
	own := newReader(in, m.size)
	own.read(npyKind)
	if own.fault != nil {
		return own.fault
	}
	for _, f := range own.Findings {
		t.ReportAs(f.Rule, f.Severity, t.on(name), f.Fix, "%s", f.Message)
	}
	d := own.list[0]
	d.Name, d.Bytes = name, t.about
	if len(own.ranges) > 0 && m.method == zipStored && own.data+own.ranges[0].end <= m.size {
		if own.npy.known {
			d.swap = uint8(own.npy.swap())
		}
		data := m.start + own.data
		d.Data = finding.Span{From: data + own.ranges[0].begin, To: data + own.ranges[0].end}
	}
	t.add(d)
	return nil
}

// open returns the bytes of a file in an archive: all bytes of a stored file, and up to the length of a header of a
// compressed file.
func (m *zipMember) open(archive io.ReaderAt) (io.ReaderAt, error) {
	packed := io.NewSectionReader(archive, m.start, m.packed)
	switch {
	case m.encrypted:
		return nil, errors.New("it is encrypted, and not read")
	case m.method == zipStored && m.size == m.packed:
		return packed, nil
	case m.method != zipDeflated:
		return nil, errors.New("it is compressed in a way that NumPy does not read")
	}
	start := make([]byte, min(m.size, pieceSize))
	if _, err := io.ReadFull(flate.NewReader(packed), start); err != nil {
		return nil, errors.New("its compressed bytes are damaged")
	}
	return bytes.NewReader(start), nil
}

// MaxInflated is the maximum number of bytes of an array that Inflate keeps in memory.
const MaxInflated = 64 << 20

// Inflate returns the elements of an array that an archive of .npy files compresses, and the number of bytes in each
// unit to reverse to make them little-endian, or 0.
func Inflate(in io.ReaderAt, size int64, name string) (elements []byte, swap int, err error) {
	t := newReader(in, size)
	members := t.members()
	at := slices.IndexFunc(members, func(m zipMember) bool { return m.name == name+"."+npyKind })
	if at < 0 || t.fault != nil {
		return nil, 0, errors.New("the archive has no such array")
	}
	m := &members[at]
	start, err := m.open(in)
	if err != nil {
		return nil, 0, err
	}
	header := newReader(start, m.size)
	header.read(npyKind)
	if header.fault != nil || len(header.ranges) == 0 || !header.npy.known {
		return nil, 0, errors.New("its header does not state where its elements are")
	}
	from, to := header.data+header.ranges[0].begin, header.data+header.ranges[0].end
	switch {
	case m.method != zipDeflated || to > m.size:
		return nil, 0, errors.New("the archive does not have all its elements")
	case to-from > MaxInflated:
		return nil, 0, fmt.Errorf("the array is compressed and has more than %d bytes", int64(MaxInflated))
	}
	unpacked := flate.NewReader(io.NewSectionReader(in, m.start, m.packed))
	elements = make([]byte, to-from)
	if _, err = io.CopyN(io.Discard, unpacked, from); err == nil {
		_, err = io.ReadFull(unpacked, elements)
	}
	if err != nil {
		return nil, 0, errors.New("its compressed bytes are damaged")
	}
	return elements, header.npy.swap(), nil
}

// members returns the files of an archive, as its directory lists them.
func (t *fileReader) members() []zipMember {
	from, n := t.directory()
	r := &headerReader{in: t.in, size: t.size, start: from, end: t.size}
	var all []zipMember
	for range n {
		if m := r.entry(); r.fault == nil {
			all = append(all, m)
		}
		if r.fault != nil || len(all) > maxTensors {
			break
		}
	}
	for i := range all {
		all[i].findStart(t)
	}
	if t.fault == nil {
		t.fault = r.fault
	}
	return all
}

// directory returns the offset of an archive's directory, and the number of files in it. The directory is before the
// end record, which may have a comment after it.
func (t *fileReader) directory() (from int64, files uint64) {
	tail := make([]byte, min(t.size, zipEndBytes+zipMaxComment+zipLocator64Bytes))
	at := t.size - int64(len(tail))
	n, err := t.in.ReadAt(tail, at)
	if n < len(tail) && err != io.EOF {
		t.fault = err
		return 0, 0
	}
	end := bytes.LastIndex(tail, []byte(zipEnd))
	if end < 0 || end+zipEndBytes > n {
		t.fault = cutOff{&doctree.Fault{Msg: "the archive ends without its directory"}}
		return 0, 0
	}
	files = uint64(binary.LittleEndian.Uint16(tail[end+10:]))
	from = int64(binary.LittleEndian.Uint32(tail[end+16:]))
	if l := end - zipLocator64Bytes; l >= 0 && string(tail[l:l+4]) == zipLocator64 {
		var big [zipEnd64Bytes]byte
		t.in.ReadAt(big[:], int64(binary.LittleEndian.Uint64(tail[l+8:])&math.MaxInt64))
		if string(big[:4]) != zipEnd64 {
			t.fail(at+int64(l), "the archive does not have its directory where it says")
			return 0, 0
		}
		files = binary.LittleEndian.Uint64(big[32:])
		from = int64(binary.LittleEndian.Uint64(big[48:]) & math.MaxInt64)
	}
	if from > t.size {
		t.fail(at+int64(end), "the archive does not have its directory where it says")
		return 0, 0
	}
	return from, files
}

// entry reads the description of a file in the directory of an archive. Numbers of more than 32 bits are in an
// additional field, in this order.
func (r *headerReader) entry() (m zipMember) {
	at := r.pos()
	if mark := r.text(4); r.fault == nil && mark != zipEntry {
		r.fail(at, "the directory of the archive has fewer files than it says")
	}
	r.skip(4)
	m.encrypted = r.uint(2)&1 != 0
	m.method = r.uint(2)
	r.skip(8)
	packed, size := r.uint(4), r.uint(4)
	name, extra, comment := r.uint(2), r.uint(2), r.uint(2)
	r.skip(8)
	start := r.uint(4)
	m.name = r.text(int64(name))
	for end := r.pos() + int64(extra); r.pos()+4 <= end && r.fault == nil; {
		id, bytes := r.uint(2), r.uint(2)
		after := r.pos() + int64(bytes)
		for _, n := range [...]*uint64{&size, &packed, &start} {
			if id == 1 && *n == math.MaxUint32 && r.pos()+8 <= after {
				*n = r.uint(8)
			}
		}
		r.skip(min(after, end) - r.pos())
	}
	r.skip(int64(comment))
	m.packed, m.size, m.start = int64(packed), int64(size), int64(start)
	return m
}

// findStart moves the start of a member from its local header to its bytes.
func (m *zipMember) findStart(t *fileReader) {
	r := &headerReader{in: t.in, size: t.size, start: m.start, end: t.size}
	mark := r.text(4)
	r.skip(zipFileBytes - 8)
	name, extra := r.uint(2), r.uint(2)
	from := m.start
	m.start += zipFileBytes + int64(name+extra)
	isWrong := r.fault != nil || mark != zipFile || m.size < 0 || m.packed < 0 || m.packed > t.size-m.start
	if isWrong && t.fault == nil {
		t.fail(from, "the file %s of the archive is not where the directory says", wording.Quote(m.name))
	}
}

// findMember returns the elements of an array in an archive.
func findMember(in io.ReaderAt, size int64, tensor string) (Array, error) {
	t := newReader(in, size)
	t.Kind = npzKind
	if !t.isArchive() {
		t.read(npzKind)
		return Array{}, t.fault
	}
	members := t.members()
	if t.fault != nil {
		return Array{}, t.fault
	}
	members = slices.DeleteFunc(members, func(m zipMember) bool { return !strings.HasSuffix(m.name, "."+npyKind) })
	for i := range members {
		m := &members[i]
		m.name = strings.TrimSuffix(m.name, "."+npyKind)
		t.add(row{Name: m.name})
		if m.name == tensor || tensor == "" && len(members) == 1 {
			return m.find(in)
		}
	}
	if tensor == "" && len(members) > 1 {
		return Array{}, t.unchosen()
	}
	return Array{}, t.unknownTensor(tensor)
}

// find returns the elements of the array.
func (m *zipMember) find(archive io.ReaderAt) (Array, error) {
	if m.method != zipStored || m.encrypted {
		return Array{}, lexer.Refuse("save it with numpy.savez, or unzip the file",
			"the array %s is compressed, and its elements are not moved", wording.Quote(m.name))
	}
	a, err := Find(npyKind, io.NewSectionReader(archive, m.start, m.packed), m.packed, "")
	a.Name = m.name
	a.Start += m.start
	return a, err
}
