package suggest

import "strings"

// A Shell is the kind of shell that a command line is quoted for.
type Shell int

// The shells.
const (
	POSIX   Shell = iota // Unix shells, and lines of a batch
	Windows              // cmd.exe and PowerShell 5 and 7: only syntax that all of them read in the same way
)

// words and marks need no quotes. In POSIX shells this applies to all of them. In Windows shells it does not apply to
// the first, because PowerShell has lists with commas and variables after @, and cmd.exe has variables between %.
const (
	marks = "@%,"
	words = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+=:./_-"
)

// Quote quotes an argument if necessary. It reports false if there is no form that all Windows shells accept.
func (s Shell) Quote(arg string) (quoted string, ok bool) {
	if s == POSIX {
		if arg != "" && strings.Trim(arg, words+marks) == "" {
			return arg, true
		}
		return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'", true
	}
	isFlag := strings.HasPrefix(arg, "-") && strings.ContainsAny(arg, ".:") // PowerShell 5 splits it there
	if strings.Trim(arg, words+`\`) == "" && arg != "" && !isFlag {
		return arg, true
	}
	// A backslash before the last quote escapes it. PowerShell treats ” like ". It drops an empty argument. Its
	// versions pass on a " in an argument in two different ways, and cmd.exe in a third.
	if arg == "" || strings.HasSuffix(arg, `\`) || strings.ContainsAny(arg, "\"“”„\r\n") ||
		strings.Count(arg, "%") > 1 {
		return "", false
	}
	if !strings.ContainsAny(arg, "$`") {
		return `"` + arg + `"`, true
	}
	// Nothing is replaced between single quotes. cmd.exe has no single quotes, and leaves them for the program to drop.
	return "'" + arg + "'", !strings.ContainsAny(arg, " \t'‘’‚‛&|<>^%")
}

// quote is like Quote, for advice in words: FILE stands for a name that cannot be quoted.
func (c *Call) quote(name string) string {
	if quoted, ok := c.Shell.Quote(name); ok {
		return quoted
	}
	return "FILE"
}
