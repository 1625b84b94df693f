package cmd

import "testing"

// TestFilesURL has the address that SARIF reports give to the page of a rule, as GitHub serves it.
func TestFilesURL(t *testing.T) {
	for _, tt := range [...]struct{ home, release, want string }{
		{"", "v0.1.0", ""},
		{"https://github.com/o/layoutcalc", "v0.1.0", "https://github.com/o/layoutcalc/blob/v0.1.0"},
		{"https://github.com/o/layoutcalc", "", "https://github.com/o/layoutcalc/blob/HEAD"},
	} {
		if got := filesURL(tt.home, tt.release); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.home, tt.release, got, tt.want)
		}
	}
}
