package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/bodymotion/motion/draw/internal/text"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// page is a report in the words of its language; its exported fields are what the file shows.
type page struct {
	r      *Report
	W      *texts
	all    []*group
	curves []*curve // of all groups
	main   *curve   // with the repetitions that the report shows; nil without

	Title, Subtitle, Text string
	Identity              []entry
	Lead                  lead
	Pictures              []picture
	Charts                []figure
	ChartsNote            string
	Sessions              figure // without a drawing, none
	Targets               table  // without rows, none
	Tables                []table
	Trust                 trust
	Methods               sentences
	Definitions, Settings []entry
}

func newPage(r *Report) *page {
	p := &page{r: r, W: languages[r.Language]}
	p.arrange()
	return p
}

// render returns the file.
func (p *page) render() (string, error) {
	p.Title, p.Text, p.Subtitle = cmp.Or(p.r.Title, p.W.Kind), p.r.Text, p.subtitle()
	var err error
	if p.Sessions, err = p.sessions(); err != nil {
		return "", err
	}
	p.Targets = p.targetTable()
	p.Identity, p.Lead, p.Tables, p.Trust = p.identity(), p.lead(), p.tables(), p.trust()
	p.Methods, p.Definitions, p.Settings = p.methods(), p.definitions(), p.settings()
	if p.Pictures, err = p.pictures(); err != nil {
		return "", err
	}
	if err := p.charts(); err != nil {
		return "", err
	}
	return p.html(), nil
}

// subtitle says what and when.
func (p *page) subtitle() string {
	r := p.r
	fps, moves := r.Sequence.FrameRate()
	var s sentences
	s.add(r.Title != "", p.W.Kind)
	s.add(r.Person > 0, fmt.Sprintf(p.W.person, r.Person))
	s.add(moves, fmt.Sprintf(p.W.lasts, text.Fixed(r.Sequence.Duration(), 1), rate(fps)))
	s.add(!moves && r.Sequence.Len() == 1, p.W.still)
	s.add(!r.Uploaded.IsZero() && r.Recorded.IsZero(), fmt.Sprintf(p.W.uploaded, p.date(r.Uploaded)))
	s.add(!r.Made.IsZero(), fmt.Sprintf(p.W.made, p.date(r.Made)))
	return strings.Join(s, " · ")
}

// sentences are those of several that hold.
type sentences []string

// add adds a text if it holds.
func (s *sentences) add(holds bool, text string) {
	if holds {
		*s = append(*s, text)
	}
}

func (p *page) date(t time.Time) string { return t.UTC().Format(p.W.date) }

// partText says which part of the recording was analysed, "" for all of it.
func (p *page) partText() string {
	if p.r.Part == (keypoint.Span{}) || p.r.Sequence.Times == nil {
		return ""
	}
	return fmt.Sprintf(p.W.part, p.timeOf(p.r.Part.First), p.timeOf(p.r.Part.Last))
}

// disclaimer says what the numbers are and what they are not, at the foot of the report.
func (p *page) disclaimer() string {
	if p.r.Sequence.Space.Seen() {
		return p.W.fromCameras
	}
	return p.W.inPicture
}

// methods says how the numbers of this report were measured.
func (p *page) methods() (s sentences) {
	r, w := p.r, p.W
	walks := r.Gait != nil && len(r.Gait.Events) > 0
	symmetry := slices.ContainsFunc(r.Series, func(s Series) bool { return s.Result.Symmetry != nil })
	s.add(p.partText() != "", p.partText())
	s.add(!r.Sequence.Space.Seen(), w.methodPlane)
	s.add(r.Sequence.Space.Seen(), w.methodSpace)
	s.add(true, w.methodUncertainty)
	if n := r.Neutral; n != nil {
		s.add(true, fmt.Sprintf(w.methodNeutral, seconds(n.From), seconds(n.To)))
	} else if r.Study != nil && r.Study.Standing != nil {
		s.add(true, fmt.Sprintf(w.offerNeutral, seconds(r.Study.Standing.From), seconds(r.Study.Standing.To)))
	}
	s.add(p.main != nil, w.methodRepetition)
	s.add(walks, w.methodGait)
	s.add(walks || symmetry, w.methodSymmetry)
	s.add(len(r.Jumps) > 0, w.methodJump)
	if c := r.Comparison; c != nil {
		s.add(true, fmt.Sprintf(w.methodCompare, w.alignments[c.Options.Alignment]))
		s.add(c.Options.Mirror, w.mirrored)
	}
	return s
}

// entry is a tile of the lead or a line of the small print.
type entry struct{ Name, Value string }

// settings says how the keypoints were made.
func (p *page) settings() (list []entry) {
	s, w := p.r.Settings, p.W
	add := func(told bool, name, value string) {
		if told {
			list = append(list, entry{name, value})
		}
	}
	add(s.Version != "", w.version, "motion "+s.Version)
	add(s.Keypoints != 0, w.keypoints, fmt.Sprint(s.Keypoints))
	add(s.Analysis != 0, w.analysis, fmt.Sprint(s.Analysis))
	add(s.Comparing != 0, w.comparison, fmt.Sprint(s.Comparing))
	add(s.Rate != 0, w.looks, rate(s.Rate))
	add(s.CaptureRate != 0, w.capture, rate(s.CaptureRate))
	if s.Cleaning != nil {
		add(true, w.cleaning, p.cleaning(*s.Cleaning))
	}
	return list
}

// cleaning names the steps of cleaning.
func (p *page) cleaning(o clean.Options) string {
	var steps sentences
	steps.add(o.Swaps, p.W.swaps)
	steps.add(o.Outliers != nil, p.W.outliers)
	steps.add(o.Coincident, p.W.coincident)
	if o.Gaps != nil {
		steps = append(steps, fmt.Sprintf(p.W.gaps, text.Fixed(cmp.Or(o.Gaps.Max, 0.5), 2)))
	}
	if o.Smooth != nil {
		method := string(cmp.Or(o.Smooth.Method, clean.Butterworth))
		if cutoff := o.Smooth.Cutoff; cutoff > 0 {
			method += " " + text.Fixed(cutoff, 1) + " Hz"
		}
		steps = append(steps, fmt.Sprintf(p.W.smooth, method))
	}
	if len(steps) == 0 {
		return p.W.raw
	}
	return p.W.listOf(steps)
}

// definitions says what each value is.
func (p *page) definitions() (list []entry) {
	for _, g := range p.all {
		text, side := g.sides[0].Result.Description, string(g.sides[0].Result.Side)
		if p.W == &japanese {
			text = definitions[g.sides[0].Result.Type]
		} else if side != "" {
			text = strings.ReplaceAll(text, side+" ", "")
		}
		list = append(list, entry{g.name, text})
	}
	return list
}
