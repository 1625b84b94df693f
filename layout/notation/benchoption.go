package notation

import (
	"strconv"
	"strings"
)

// A benchOption is the value of an option, shared out among several tensors by colons.
type benchOption struct {
	at   int
	text string
}

// option reads an option, behind its dashes.
func (b *bench) option() {
	at := b.pos
	text := b.nextWord()
	b.pos += len(text)
	name, value, _ := strings.Cut(text, "=")
	option := benchOption{at + len(name) + 1, value}
	field := b.field(name)
	switch {
	case field != nil && strings.Contains(value, ","):
		b.fail(option.at+strings.IndexByte(value, ','), "write one of them", "--%s has several values", name)
	case field != nil:
		*field = option
	case name == "axis":
		b.axis, _ = strconv.ParseInt(value, 10, 64)
	case value == "" && b.driver(name):
	default:
		b.skip("--%s, which says nothing of the layout", text)
	}
}

// field returns where the value of an option of that name is held.
func (b *bench) field(name string) *benchOption {
	switch name {
	case "strides":
		return &b.strides
	case "dt":
		return &b.types[every]
	case "tag":
		return &b.tags[every]
	}
	for role, letter := range "swd" {
		switch name {
		case string(letter) + "dt":
			return &b.types[role]
		case string(letter) + "tag":
			return &b.tags[role]
		}
	}
	return nil
}

// driver notes the driver of that name, if there is one.
func (b *bench) driver(name string) bool {
	for _, d := range benchDrivers {
		if d.option == name {
			b.primitive = d.primitive
			return true
		}
	}
	return false
}

// numbersAt reads the numbers of an option.
func (b *bench) numbersAt(o benchOption) []int64 {
	back := b.pos
	b.pos = o.at
	numbers := b.byX()
	if b.err == nil && b.pos != o.at+len(o.text) {
		b.unexpected("%s does not belong to the strides", b.rest())
	}
	if b.err == nil {
		b.pos = back
	}
	return numbers
}

// part returns what is for tensor n: what stands behind n colons.
func (o benchOption) part(n int) benchOption {
	for ; n > 0; n-- {
		i := strings.IndexByte(o.text, ':')
		if i < 0 {
			return benchOption{}
		}
		o = benchOption{o.at + i + 1, o.text[i+1:]}
	}
	o.text, _, _ = strings.Cut(o.text, ":")
	return o
}

// share is part of a value that is for all tensors when it has no colons.
func (o benchOption) share(n int) benchOption {
	if !strings.Contains(o.text, ":") {
		return o
	}
	return o.part(n)
}
