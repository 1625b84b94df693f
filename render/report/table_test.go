package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// markdownCells splits a row of a table as GitHub's Markdown does: at the bars that are not after a
// backslash. The backslashes are removed.
func markdownCells(row string) []string {
	var cells []string
	var cell strings.Builder
	for i := 1; i < len(row); i++ {
		switch c := row[i]; {
		case c == '\\' && i+1 < len(row) && strings.IndexByte("\\|`*_<>[]&", row[i+1]) >= 0:
			i++
			cell.WriteByte(row[i])
		case c == '`':
			rest := strings.TrimLeft(row[i:], "`")
			fence := row[i : len(row)-len(rest)]
			code, _, _ := strings.Cut(rest, fence)
			if i += 2*len(fence) + len(code) - 1; len(fence) > 1 {
				code = strings.TrimSuffix(strings.TrimPrefix(code, " "), " ")
			}
			cell.WriteString(code)
		case c == '|':
			cells = append(cells, strings.TrimSpace(cell.String()))
			cell.Reset()
		default:
			cell.WriteByte(c)
		}
	}
	return cells
}

func TestMarkdown(t *testing.T) {
	want := `| severity | place | message | rule |
| :-- | :-- | :-- | :-- |
| error | model.json:3:15 | OutputTensor: (0,3) and (1,0) are both element 9<br>fix: strides 4,1 | overlap-output |
| warning | model.json:4 | needs 6.2 | op-level |
| note | dir with space/w.npy | w is in Fortran order | file-order |

3 files, 14 descriptors: 1 error, 1 warning, 1 note
`
	if diff := cmp.Diff(want, written(t, Markdown, Options{}, sample(), "clean.json")); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	const clean = "1 file, 14 descriptors: 0 errors, 0 warnings\n"
	if got := written(t, Markdown, Options{}, nil, "clean.json"); got != clean {
		t.Errorf("%q, want %q", got, clean)
	}
}
