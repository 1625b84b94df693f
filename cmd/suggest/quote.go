package suggest

import "strings"

// A Shell is what a command line is quoted for.
type Shell int

// The shells.
const (
	POSIX   Shell = iota // shells of Unix, and lines of a batch
	Windows              // cmd.exe and PowerShell, 5 and 7: only what they all read alike
)

// words and marks need no quotes: in POSIX shells all of them, in those of Windows not the first, as PowerShell has
// lists with commas and variables after @, and cmd.exe has variables between %.
const (
	marks = "@%,"
	words = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+=:./_-"
)

// Quote quotes an argument where that is necessary. ok is false if the shells of Windows have no common form of it.
func (s Shell) Quote(arg string) (quoted string, ok bool) {
	if s == POSIX {
		if arg != "" && strings.Trim(arg, words+marks) == "" {
			return arg, true
		}
		return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'", true
	}
	isFlag := strings.HasPrefix(arg, "-") && strings.ContainsAny(arg, ".:") // which PowerShell 5 cuts there
	if strings.Trim(arg, words+`\`) == "" && arg != "" && !isFlag {
		return arg, true
	}
	// A backslash before the last quote escapes it. PowerShell reads ” as it does ". It drops an empty argument, and
	// its versions pass on a " in an argument in two ways, neither of which is that of cmd.exe.
	if arg == "" || strings.HasSuffix(arg, `\`) || strings.ContainsAny(arg, "\"“”„\r\n") ||
		strings.Count(arg, "%") > 1 {
		return "", false
	}
	if !strings.ContainsAny(arg, "$`") {
		return `"` + arg + `"`, true
	}
	// Nothing is replaced between single quotes. cmd.exe, which knows none, leaves them for the program to drop.
	return "'" + arg + "'", !strings.ContainsAny(arg, " \t'‘’‚‛&|<>^%")
}

// quote is Quote for advice in words: FILE stands for a name that cannot be quoted.
func (c *Call) quote(name string) string {
	if quoted, ok := c.Shell.Quote(name); ok {
		return quoted
	}
	return "FILE"
}
