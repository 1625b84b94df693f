package project

import "strings"

// folded returns a pattern for paths in lower case.
func (p Pattern) folded() Pattern {
	p.text = strings.ToLower(p.text)
	return p
}

// Folded returns a list for paths without regard to case, as requested by [Work.Fold].
func (l *List) Folded() List {
	folded := List{literal: map[Pattern]int{}}
	for p, place := range l.literal {
		p = p.folded()
		if last := folded.literal[p]; last == 0 || max(place, -place) < max(last, -last) {
			folded.literal[p] = place
		}
	}
	for _, p := range l.wild {
		folded.wild = append(folded.wild, placed{p.folded(), p.place})
	}
	return folded
}

// Fold makes the patterns of a configuration match paths without regard to case.
func (c *Config) Fold() {
	c.folded, c.Exclude = true, c.Exclude.Folded()
	for i := range c.Silences {
		c.Silences[i].Path = c.Silences[i].Path.folded()
	}
	named := map[Pattern]map[ruleName]int{}
	for p, rules := range c.named {
		if p = p.folded(); named[p] == nil {
			named[p] = map[ruleName]int{}
		}
		for rule, i := range rules {
			if first, ok := named[p][rule]; !ok || i < first {
				named[p][rule] = i
			}
		}
	}
	c.named = named
}

// Spelling returns a path in the spelling of the baseline, which may differ in case.
func (b *Baseline) Spelling(path string) string {
	if b.spelling == nil {
		b.spelling = map[string]string{}
		for _, k := range b.known {
			b.spelling[strings.ToLower(k.Path)] = k.Path
		}
	}
	if known := b.spelling[strings.ToLower(path)]; known != "" {
		return known
	}
	return path
}
