package cmd

import (
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"layoutcalc/cmd/files"
	"layoutcalc/layout"
	"layoutcalc/layout/input"
	"layoutcalc/layout/lexer"
	"layoutcalc/layout/shape"
	"layoutcalc/layout/view"
	"layoutcalc/render"
	"layoutcalc/render/draw"
)

// A drawing has the flags about pictures.
type drawing struct {
	paths   [3]string // one for each form; "-" is standard output
	force   bool      // existing files may be replaced
	follow  bool      // they may be written through links
	options draw.Options
	span    *offsetRange
	flags   *pflag.FlagSet
	only    []*pflag.Flag // the flags without effect unless a picture is requested
}

// A pictureForm is a form of pictures, and its flag.
type pictureForm struct {
	flag, name, a string
	head          string // the start of its files
	endings       string // the endings of its file names
	write         func(*draw.Picture, io.Writer) error
}

// pictureForms lists the forms in the order that they are written.
var pictureForms = [...]pictureForm{
	{"svg", "SVG", "SVG", draw.SVGHead, ".svg", (*draw.Picture).SVG},
	{"png", "PNG", "PNG", draw.PNGHead, ".png", (*draw.Picture).PNG},
	{"html", "page of this program", "a page", draw.HTMLHead, ".html .htm", (*draw.Picture).HTML},
}

// otherFormats are the endings of formats that no flag writes.
const otherFormats = ".pdf .ps .eps .jpg .jpeg .gif .webp .json .csv .md .txt"

// add adds the flags to a command, except for --range and --force if the command has its own. It does nothing if no
// argument can be one of them or request help, because creating them takes a twentieth of the time of a run.
func (d *drawing) add(a *app, c *cobra.Command) {
	needsFlags := func(arg string) bool { return strings.HasPrefix(arg, "--") || arg == "-h" }
	if !a.lists && a.streams.Show == nil && !slices.ContainsFunc(a.args, needsFlags) {
		return
	}
	flags, o := c.Flags(), &d.options
	d.flags = flags
	for i := range pictureForms {
		form := &pictureForms[i]
		flag(flags, form.flag, "FILE", form.path, func(path string) { d.paths[i] = path })
	}
	if flags.Lookup("show") == nil {
		wordFlag(flags, "show", "WHAT", draw.Shows, func(i int) { o.Show = draw.Show(i) })
		d.only = append(d.only, flags.Lookup("show"))
	}
	if flags.Lookup("color-by") == nil {
		flag(flags, "color-by", "WHAT", parseColorBy, func(c colorBy) { o.ColorBy, o.Axis = c.by, c.axis })
	}
	flag(flags, "line", "BYTES", parseLine, func(n int64) { o.Line = n })
	if flags.Lookup("range") == nil {
		flag(flags, "range", "A:B", parseRange, into(&d.span))
		flags.Lookup("range").Annotations = map[string][]string{ofPictures: {}}
		d.only = append(d.only, flags.Lookup("range"))
	}
	if c.Name() == "convert" {
		boolFlag(flags, "animate", &o.Animate)
		d.only = append(d.only, flags.Lookup("animate"))
	}
	slice := func(r []shape.AxisRange) { o.Slice = append(o.Slice, r...) }
	flag(flags, "slice", "AXIS=A:B,...", shape.ParseRanges, slice)
	wordFlag(flags, "theme", "NAME", draw.Themes, func(i int) { o.Theme = draw.Theme(i) })
	const limits = "a picture has from 16 to 20000 cells"
	numberFlag(flags, "cells", 16, draw.MaxCells, &o.Cells, limits)
	if flags.Lookup("force") == nil {
		boolFlag(flags, "force", &d.force)
		flags.Lookup("force").Annotations = map[string][]string{ofPictures: {}}
		d.only = append(d.only, flags.Lookup("force"))
	}
	if flags.Lookup("follow") == nil {
		boolFlag(flags, "follow", &d.follow)
		flags.Lookup("follow").Annotations = map[string][]string{ofPictures: {}}
		d.only = append(d.only, flags.Lookup("follow"))
	}
	for _, name := range [...]string{"color-by", "line", "slice", "theme", "cells"} {
		d.only = append(d.only, flags.Lookup(name))
	}
}

// path accepts the path of a picture. It rejects a flag, a shape, a layout or a view operation, which follows the flag
// if the path is missing, unless it ends like a picture.
func (form *pictureForm) path(text string) (string, error) {
	_, notShape := shape.ParseShape(text)
	name, notName := shape.ParseName(text)
	kind := ""
	switch isOther := !slices.Contains(strings.Fields(form.endings), strings.ToLower(filepath.Ext(text))); {
	case text == "":
		return "", lexer.Refuse("", "the value is empty")
	case strings.HasPrefix(text, "-") && text != "-":
		kind = "a flag"
	case isOther && notShape == nil:
		kind = "a shape"
	case isOther && notName == nil && name.IsUsual():
		kind = "a layout"
	case isOther && view.AreSteps(text):
		kind = "a view operation"
	default:
		return text, nil
	}
	return "", &lexer.SyntaxError{Input: text, Msg: "the file name is missing: this is " + kind,
		Hint: "such as --" + form.flag + " picture." + form.flag}
}

// colorBy is the value of --color-by.
type colorBy struct {
	by   draw.ColorBy
	axis *shape.AxisRef
}

func parseColorBy(text string) (colorBy, error) {
	if i := slices.Index(draw.ColorBys[1:], strings.ToLower(text)); i >= 0 {
		return colorBy{by: draw.ByLine + draw.ColorBy(i)}, nil
	}
	axes, err := shape.ParseAxes(text)
	if err != nil || len(axes) != 1 {
		const msg = "colors stand for one axis, or for line, block, bank or none"
		return colorBy{}, &lexer.SyntaxError{Input: text, Msg: msg, Hint: "such as --color-by C"}
	}
	return colorBy{axis: &axes[0]}, nil
}

func parseLine(text string) (int64, error) {
	n, err := lexer.ParseBytes(text)
	if err == nil && n > 0 {
		return n, nil
	}
	return 0, &lexer.SyntaxError{Input: text, Msg: "a line is a number of bytes, at least one", Hint: "such as 64"}
}

// wanted reports whether flags request a picture.
func (d *drawing) wanted() bool { return d.paths != [len(d.paths)]string{} }

// A painter makes a picture of the subject of an answer.
type painter = func(draw.Options) (*draw.Picture, error)

// draw makes a picture of tensors of the type, which is written before the answer. A picture on standard output
// replaces the answer.
func (d *drawing) draw(a *app, answer *output, of layout.DType, make painter) error {
	switch {
	case d.flags == nil:
		return nil
	case a.streams.Show != nil:
		return d.show(a, answer, of, make)
	case !d.wanted():
		for _, f := range d.only {
			if f.Changed {
				return refuse("--"+f.Name+" is for pictures", "--svg FILE draws one")
			}
		}
		return nil
	}
	if err := d.check(a); err != nil {
		return err
	}
	ctx, stop := files.Interruptible()
	picture, err := d.picture(a, of, make)
	if err != nil {
		stop()
		return err
	}
	a.Follow = d.follow
	out := a.streams.Out
	if slices.Contains(d.paths[:], "-") {
		a.streams.Out = io.Discard
	}
	answer.Before = func() error {
		defer stop()
		if ctx.Err() != nil {
			return files.ErrInterrupted
		}
		for i := range pictureForms {
			if err := d.write(a, i, picture, out); err != nil {
				return err
			}
		}
		return nil
	}
	return nil
}

// write writes a picture in a form, to its path or to out, if the form is requested.
func (d *drawing) write(a *app, i int, picture *draw.Picture, out io.Writer) error {
	form, path := &pictureForms[i], d.paths[i]
	switch path {
	case "":
		return nil
	case "-":
		return render.WriteFailed("", form.write(picture, out))
	}
	if err := a.line.touches(path); err != nil {
		return err
	}
	_, _, unsafe := a.Target(path)
	if unsafe == nil && !d.force && !a.HasRead(path) && !a.isPicture(path, form.head) {
		return refuse(render.Quote(path)+" exists, and is no "+form.name, "--force replaces it")
	}
	err := a.WriteWhole(path, true, func(w io.Writer) error { return form.write(picture, w) })
	if err == nil {
		a.Note("wrote " + path)
	}
	a.Flush()
	return unwritten("the picture", path, err)
}

// show makes a picture to be shown before the answer. Without flags for pictures, there is no picture for tensors that
// cannot be drawn, or in a batch.
func (d *drawing) show(a *app, answer *output, of layout.DType, make painter) error {
	if a.line != nil && !d.wanted() {
		return nil
	}
	picture, err := d.picture(a, of, make)
	if err != nil {
		if d.wanted() {
			return err
		}
		return nil
	}
	answer.Before = func() error {
		a.streams.Show(picture)
		return nil
	}
	return nil
}

// picture makes a picture with the options that flags set.
func (d *drawing) picture(a *app, of layout.DType, make painter) (*draw.Picture, error) {
	o := d.options
	o.Command, o.Notes = a.commandLine(d.withoutPaths(a)), a.notes
	var err error
	if o.From, o.To, err = d.span.in(of); err != nil {
		return nil, err
	}
	if o.Cells == 0 && (o.Slice != nil || o.Line != 0 || d.flags.Changed("range")) {
		o.Cells = draw.DefaultCells
	}
	return make(o)
}

// withoutPaths returns the arguments of the call without the flags that name output files, and with FILE instead of the
// path of each file that was read. This way, a picture has the same bytes and reveals no paths wherever it is made.
func (d *drawing) withoutPaths(a *app) (args []string) {
	hidden := func(text string) string {
		if path, isSource := input.Path(text); isSource && path != "-" {
			return "@FILE"
		}
		if a.HasRead(text) {
			return "FILE"
		}
		return text
	}
	for i := 0; i < len(a.args); i++ {
		name, value, joined := strings.Cut(a.args[i], "=")
		f := d.flags.Lookup(strings.TrimPrefix(name, "--"))
		switch {
		case f == nil || !strings.HasPrefix(name, "--"):
			args = append(args, hidden(a.args[i]))
		case f.Value.Type() == "FILE":
			if !joined {
				i++
			}
		case f.Name == "force", f.Name == "follow":
		case joined:
			args = append(args, name+"="+hidden(value))
		default:
			args = append(args, a.args[i])
		}
	}
	return args
}

// isPicture reports whether a picture may be written to a path: no file exists, or it starts like a picture, is empty,
// or is a pipe or a device.
func (a *app) isPicture(path, head string) bool {
	if info, err := a.Stat(path); err != nil || info.Size() == 0 || !info.Mode().IsRegular() {
		return true
	}
	f, err := a.Guard.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	first := make([]byte, len(head))
	_, err = io.ReadFull(f, first)
	return err == nil && string(first) == head
}

// check rejects two outputs with the same path, and file names that belong to other formats.
func (d *drawing) check(a *app) error {
	if d.options.Animate && d.paths[0] == "" {
		return refuse("--animate moves the elements of an SVG", "give --svg FILE too")
	}
	for i := range pictureForms {
		if err := d.checkPath(i); err != nil {
			return err
		}
	}
	switch {
	case !slices.Contains(d.paths[:], "-"):
		return nil
	case a.line != nil:
		return refuse("the answers of a batch are on standard output", "give a file for the picture")
	}
	for name := range strings.FieldsSeq("output get as") {
		if d.flags.Changed(name) {
			msg := "the picture is on standard output, where --" + name + " would write too"
			return refuse(msg, "give a file for the picture")
		}
	}
	return nil
}

// checkPath rejects the path of a form if it has the ending of another format, or equals the path of an earlier form.
func (d *drawing) checkPath(i int) error {
	form, path := &pictureForms[i], d.paths[i]
	if path == "" {
		return nil
	}
	ext := strings.ToLower(filepath.Ext(path))
	says := "--" + form.flag + " writes " + form.a + ", and " + render.QuotePath(path) + " has the name of "
	for _, other := range pictureForms {
		if other.flag != form.flag && slices.Contains(strings.Fields(other.endings), ext) {
			return refuse(says+other.a, "--"+other.flag+" FILE writes "+other.a)
		}
	}
	if form.flag != "html" && slices.Contains(strings.Fields(otherFormats), ext) {
		return refuse(says+"another format", "--svg FILE.svg, and rsvg-convert makes a PDF of it")
	}
	if first := slices.Index(d.paths[:], path); first < i {
		both := "--" + pictureForms[first].flag + " and --" + form.flag + " cannot both "
		if path == "-" {
			return refuse(both+"be on standard output", "give a file for one of them")
		}
		return refuse(both+"write "+render.QuotePath(path), "give each a file of its own")
	}
	return nil
}

// An offsetRange is A:B as written by the user. A missing bound is nil.
type offsetRange struct {
	text     string
	from, to *shape.Amount
}

func parseRange(text string) (r offsetRange, err error) {
	from, to, ok := strings.Cut(text, ":")
	if !ok {
		const msg = "a range is two offsets with a colon between them"
		return r, &layout.SyntaxError{Input: text, Offset: len(text), Msg: msg, Hint: rangeHint}
	}
	bound := func(text string) *shape.Amount {
		if strings.TrimSpace(text) == "" || err != nil {
			return nil
		}
		var n shape.Amount
		n, err = shape.ParseOffset(text)
		return &n
	}
	return offsetRange{text, bound(from), bound(to)}, err
}

const rangeHint = "such as 0:16 or 0B:64B"

// in returns the bounds in elements of the type. r may be nil.
func (r *offsetRange) in(d layout.DType) (from, to *int64, err error) {
	if r == nil {
		return nil, nil, nil
	}
	bound := func(a *shape.Amount) *int64 {
		if a == nil || err != nil {
			return nil
		}
		var n int64
		n, err = a.Elements(d)
		return &n
	}
	from, to = bound(r.from), bound(r.to)
	if err == nil && from != nil && to != nil && *to < *from {
		err = &layout.SyntaxError{Input: r.text, Msg: "--range: the range ends before it starts", Hint: rangeHint}
	}
	return from, to, err
}
