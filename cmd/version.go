package cmd

import (
	"cmp"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"

	"layoutcalc/render"
)

// Set by a release build with -ldflags "-X layoutcalc/cmd.release=v1.2.3 ...": the version, the commit, its date as in
// RFC 3339, and the URL of the project.
var release, commit, date, home string

// versionCommand makes c the command version.
func (a *app) versionCommand(c *cobra.Command) {
	var out output
	c.Args = noArguments
	c.ValidArgsFunction = cobra.NoFileCompletions
	c.RunE = func(*cobra.Command, []string) error { return a.printer(&out).Print(buildVersion()) }
	out.addForm(c)
}

// buildVersion returns the facts about the build: the values set at link time, and otherwise the values that Go has
// recorded about the module and its repository.
func buildVersion() render.Build {
	b := render.Build{
		Version: release, Commit: commit, Date: date,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = cmp.Or(b.Commit, s.Value)
		case "vcs.time":
			b.Date = cmp.Or(b.Date, s.Value)
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	b.Version = cmp.Or(b.Version, strings.Trim(info.Main.Version, "()"), "devel")
	return b
}
