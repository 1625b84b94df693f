package report

import (
	"os/exec"
	"strings"
	"testing"

	"layoutcalc/render"
)

// TestDiff compares diffs with GNU diff's.
func TestDiff(t *testing.T) {
	twenty := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19\n20\n"
	replace := func(pairs ...string) string {
		text := "\n" + twenty
		for i := 0; i < len(pairs); i += 2 {
			text = strings.Replace(text, "\n"+pairs[i]+"\n", "\n"+pairs[i+1], 1)
		}
		return text[1:]
	}
	tests := []struct{ reason, before, after, want string }{
		{"a line", twenty, replace("5", "x\n"), "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
		{"the first line is left out", twenty, replace("1", ""), "@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n"},
		{"the last line", twenty, replace("20", "x\n"), "@@ -17,4 +17,4 @@\n 17\n 18\n 19\n-20\n+x\n"},
		{"seven lines apart", twenty, replace("5", "x\n", "12", "y\n"),
			"@@ -2,14 +2,14 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n 9\n 10\n 11\n-12\n+y\n 13\n 14\n 15\n"},
		{"eight lines apart", twenty, replace("5", "x\n", "13", ""),
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n@@ -10,7 +10,6 @@\n 10\n 11\n 12\n-13\n 14\n 15\n 16\n"},
		{"a line is left out, and the next replaced", twenty, replace("5", "", "6", "x\n"),
			"@@ -2,8 +2,7 @@\n 2\n 3\n 4\n-5\n-6\n+x\n 7\n 8\n 9\n"},
		{"all that there is", "1\n", "", "@@ -1 +0,0 @@\n-1\n"},
		{"no line feed at the end", "1\n2", "1\n3", "@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+3\n" +
			"\\ No newline at end of file\n"},
		{"ends of lines and tabs", "\ta\r\nb\r\n", "\ta\r\nc\r\n", "@@ -1,2 +1,2 @@\n \ta\r\n-b\r\n+c\r\n"},
		{"what terminals and runners obey", "::error::\x1b[2J\n1\n", "::error::\x1b[2J\n2\n",
			"@@ -1,2 +1,2 @@\n \\x3a:error::\\x1b[2J\n-1\n+2\n"},
		{"nothing", "1\n", "1\n", ""},
	}
	for _, tt := range tests {
		var out strings.Builder
		if err := Diff(&out, render.NoColors, "a\x1b", []byte(tt.before), []byte(tt.after)); err != nil {
			t.Fatal(err)
		}
		if want := "--- a\\x1b\n+++ a\\x1b\n" + tt.want; out.String() != want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.reason, out.String(), want)
		}
	}
	if _, err := exec.LookPath("diff"); err != nil {
		t.Skip("no diff")
	}
	for _, tt := range tests {
		if strings.Contains(tt.before, "\x1b") {
			continue
		}
		c := exec.Command("bash", "-c", `diff -u <(printf %s "$0") <(printf %s "$1") | tail -n +3`, tt.before, tt.after)
		if got, err := c.Output(); err != nil || string(got) != tt.want {
			t.Errorf("%s: diff says\n%s%v", tt.reason, got, err)
		}
	}
}
