package draw

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"slices"

	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/keypoint"
)

// Style is a set of rules and a background, checked and prepared once to draw many frames. It may be used by many goroutines at once.
type Style struct {
	rules []preparedRule
	fill  *image.Uniform // nil unless the background is skeletonOnly
	needs Needs
	fonts []Font
}

// Needs lists the inputs that a Style needs in addition to the frame; see Inputs.
type Needs struct {
	Target  bool // a rule has a ghost or arrows
	History bool // a rule is a Trace
	Hidden  bool // a rule is a Body
	Value   bool // a rule writes the value of an analysis
}

// preparedRule is a rule with everything that does not change from frame to frame. Its Points are never nil.
type preparedRule struct {
	Rule
	edges         []keypoint.Edge // of the skeleton, of a rule without points
	pill          bool            // the text has a dark plate and a dot
	names         []string        // of the points, for labels without a text
	base          look
	bands         []preparedBand // the lowest threshold first
	ghost, arrows color.RGBA
}

// preparedBand is a band and how it looks.
type preparedBand struct {
	threshold float64
	look
}

// look is the colour and size of a point or line.
type look struct {
	color color.RGBA
	size  float64
}

func newLook(c, def Color, size float64) look { return look{c.or(def), cmp.Or(size, 1)} }

// Compile checks and prepares rules. nil rules select the default drawing: all edges of the skeleton, then all points, in grey; in
// a comparison, parts whose distance is 0.2 or more are red. Bands, ghosts, arrows and legends are for a comparison only. Labels
// take what the built-in font lacks from the fonts, in their order. Mistakes are returned as keypoint.FieldErrors.
func Compile(rules []Rule, background Background, comparison bool, fonts ...Font) (*Style, error) {
	fonts = slices.DeleteFunc(slices.Clone(fonts), func(f Font) bool { return f == nil })
	t := typesetter{More: fonts}
	errs := rulejson.Check(rules, func(r *Rule, note rulejson.Note) {
		r.check(comparison, note)
		c, missing := t.Lacks(r.Text)
		note(missing, "/text", "has %q, which the font cannot write: the host has to give one that has it (fonts.Parse, Config.Fonts, --font)", c)
	})
	if c := background.Color; !c.valid() {
		errs = append(errs, &keypoint.FieldError{Pointer: "/color", Detail: fmt.Sprintf("is %q, want one of %s", c, list(Colors()))})
	}
	if errs != nil {
		return nil, errs
	}
	if rules == nil {
		rules = Defaults(comparison)
	}
	s := &Style{fonts: fonts}
	if background.SkeletonOnly {
		s.fill = image.NewUniform(background.Color.or(White))
	}
	for _, r := range rules {
		s.rules = append(s.rules, prepare(r))
		s.needs.Hidden = s.needs.Hidden || r.Type == typeBody
		s.needs.Target = s.needs.Target || r.Ghost != "" || r.Arrows != ""
		s.needs.History = s.needs.History || r.Type == typeTrace
		s.needs.Value = s.needs.Value || r.Analysis != nil
	}
	for i := range s.rules {
		s.rules[i].pill = s.needs.Hidden && s.rules[i].Beside != ""
	}
	return s, nil
}

// Needs returns what the rules need.
func (s *Style) Needs() Needs { return s.needs }

func prepare(r Rule) preparedRule {
	p := preparedRule{
		Rule: r, base: newLook(r.Color, grey, r.Size), ghost: r.Ghost.or(grey), arrows: r.Arrows.or(grey),
	}
	if r.Points == nil {
		group, skeleton := r.group(), keypoint.Skeleton()
		p.Points = keypoint.PartSelectors(group.List()...)
		p.edges = slices.DeleteFunc(skeleton[:], func(e keypoint.Edge) bool { return !group.Has(e[0]) || !group.Has(e[1]) })
	}
	if r.Type == typeBody {
		p.edges = slices.DeleteFunc(p.edges, func(e keypoint.Edge) bool { return keypoint.Head().Has(e[0]) || keypoint.Head().Has(e[1]) })
		slices.SortStableFunc(p.edges, func(a, b keypoint.Edge) int { return cmp.Compare(sideOf(a[:]), sideOf(b[:])) }) // the middle first
	}
	if r.Type == typeLabel {
		for _, s := range p.Points {
			p.names = append(p.names, join(s.Parts, " + "))
		}
	}
	for _, b := range r.Bands {
		p.bands = append(p.bands, preparedBand{b.Threshold, newLook(b.Color, Red, b.Size)})
	}
	slices.SortStableFunc(p.bands, func(a, b preparedBand) int { return cmp.Compare(a.threshold, b.threshold) })
	p.Seconds = cmp.Or(r.Seconds, 1)
	return p
}

// Defaults returns the rules of the drawing that is made without rules.
func Defaults(comparison bool) []Rule {
	rules := []Rule{{Type: typeStickPicture}, {Type: typeKeypoint}}
	if comparison {
		for i := range rules {
			rules[i].Bands = []Band{{Threshold: defaultThreshold}}
		}
	}
	return rules
}

// missing reports, as keypoint.FieldErrors, what rules need and in lacks.
func (s *Style) missing(in *Inputs) error {
	if (!s.needs.Target || in.Target != nil) && (!s.needs.Value || in.Value != nil) {
		return nil
	}
	return rulejson.Check(s.rules, func(r *preparedRule, note rulejson.Note) {
		note(r.Ghost != "" && in.Target == nil, "/ghost", "needs the frame of the target")
		note(r.Arrows != "" && in.Target == nil, "/arrows", "needs the frame of the target")
		note(r.Analysis != nil && in.Value == nil, "/analysis", "needs the values of an analysis")
	})
}
