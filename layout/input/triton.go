package input

import (
	"layoutcalc/layout"
	"layoutcalc/layout/rules"
	"layoutcalc/layout/triton"
)

// triton reads the configuration of a model of Triton.
func (in *Input) triton() error {
	in.Kind = Document
	if order(in.Data) != nil {
		return &layout.SyntaxError{Input: string(in.Data), Msg: "the text is UTF-16", Hint: "save it as UTF-8"}
	}
	c, err := triton.Read(in.Data)
	if err != nil {
		return err
	}
	in.Triton, in.Files = c, []*rules.File{c.File()}
	return nil
}
