package render

import (
	"io"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// drawTable draws the grid with lines between its columns and nothing else. This is all that we
// use tablewriter for. It is slow for long tables, and loses write errors, which w keeps.
func drawTable(w io.Writer, g grid) error {
	left := make([]tw.Align, len(g.header))
	for i := range left {
		left[i] = tw.AlignRight
		if g.isLeft(i) {
			left[i] = tw.AlignLeft
		}
	}
	cells := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{Global: tw.AlignRight, PerColumn: left},
	}
	table := tablewriter.NewTable(w,
		tablewriter.WithConfig(tablewriter.Config{
			Header:   cells,
			Row:      cells,
			Behavior: tw.Behavior{TrimSpace: tw.Off, Header: tw.Control{Hide: tw.Off}},
		}),
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone,
			Symbols: tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{
				Separators: tw.Separators{ShowHeader: tw.Off, BetweenRows: tw.Off, BetweenColumns: tw.On},
				Lines:      tw.Lines{ShowHeaderLine: tw.Off, ShowTop: tw.Off, ShowBottom: tw.Off},
			},
		})),
	)
	table.Header(g.header)
	if err := table.Bulk(g.rows); err != nil {
		return err
	}
	return table.Render()
}
