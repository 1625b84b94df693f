// Package report writes findings: as text for people, plain lines, JSON, JSON Lines, SARIF, JUnit,
// GitHub's workflow commands and Markdown. A [Writer] is one report in one format; who wants
// several makes several.
//
// Findings are written as they come, in constant memory. Two formats state sums ahead of what
// they sum: JSON keeps the text of all findings, JUnit that of one file's. Neither keeps more
// than 64 MiB: what comes then is counted, and the report says how many are missing. SARIF says
// the same of results past those that GitHub takes.
//
// Paths, names and messages come from files that nobody vouches for. In every format they pass
// through [render.Clean] or the escapes of JSON, none is written without a limit but the path,
// and none can begin a line.
package report
