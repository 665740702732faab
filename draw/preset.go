package draw

import "cmp"

// sides is the preset of Sides.
const sides = "sides"

// Presets returns the names of the sets of rules that are ready made.
func Presets() []string { return []string{sides} }

// Preset returns a set of rules by its name; ok is false for a name that does not exist. In a
// comparison the target is outlined in white, as on the page.
func Preset(name string, comparison bool) (rules []Rule, ok bool) {
	if name != sides {
		return nil, false
	}
	rules = Sides()
	if comparison {
		rules = Ghosts(rules, White)
	}
	return rules, true
}

// Layout says how the drawing of a comparison shows the target.
type Layout string

// The layouts; "" shows the source alone.
const (
	LayoutGhost      Layout = "ghost"      // the target's skeleton, half transparent beneath the source's
	LayoutSideBySide Layout = "sideBySide" // the target's picture to the right of the source's, in step
)

// Ghosts returns the rules with a ghost of the target: on the lines of the whole skeleton if a rule
// draws them, or else on every rule that can have one. Ghosts that the rules have already stay.
func Ghosts(rules []Rule, c Color) []Rule {
	ghosts := append([]Rule{}, rules...)
	for i := range ghosts {
		if r := &ghosts[i]; (r.Type == typeStickPicture || r.Type == typeBody) && r.Points == nil && (r.Pattern == "" || r.Pattern == "all") {
			r.Ghost = cmp.Or(r.Ghost, c)
			return ghosts
		}
	}
	for i := range ghosts {
		if r := &ghosts[i]; r.Type.shape() {
			r.Ghost = cmp.Or(r.Ghost, c)
		}
	}
	return ghosts
}
