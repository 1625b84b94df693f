package descriptor

import (
	"strings"

	"layoutcalc/layout"
	"layoutcalc/layout/finding"
	"layoutcalc/layout/lexer"
)

// A Target is a family and, for DirectML, a feature level.
type Target struct {
	Family finding.Family
	Level  Level // 0 is the latest
}

// A Level is a DirectML feature level, as 10 × major + minor.
type Level uint8

// levels are all feature levels.
var levels = [...]Level{10, 20, 21, 30, 31, 40, 41, 50, 51, 52, 60, 61, 62, 63, 64}

// String returns the level as DirectML writes it.
func (l Level) String() string { return string([]byte{'0' + byte(l/10), '.', '0' + byte(l%10)}) }

// Targets lists the names of all targets, families first.
func Targets() []string {
	names := finding.Families[:]
	for _, level := range levels {
		names = append(names, finding.Families[finding.DirectML]+"@"+level.String())
	}
	return names
}

// ParseTarget reads the name of a family. DirectML may have a feature level: directml@6.2.
func ParseTarget(text string) (Target, error) {
	name, level, leveled := strings.Cut(text, "@")
	for i, family := range finding.Families {
		if layout.SystemOf(name) != family {
			continue
		}
		t := Target{Family: finding.Family(i)}
		if !leveled {
			return t, nil
		}
		for _, t.Level = range levels {
			if t.Family == finding.DirectML && t.Level.String() == level {
				return t, nil
			}
		}
		return t, &layout.SyntaxError{
			Input: text, Offset: len(name), Msg: "unknown feature level of " + family, Hint: "such as directml@6.2"}
	}
	return Target{}, lexer.Unknown("target", name, finding.Families[:])
}

// String returns the target as ParseTarget reads it.
func (t Target) String() string {
	if t.Level == 0 {
		return finding.Families[t.Family]
	}
	return finding.Families[t.Family] + "@" + t.Level.String()
}

// Before reports whether the target is a level of DirectML before the given one.
func (t Target) Before(level Level) bool { return t.Level != 0 && t.Level < level }
