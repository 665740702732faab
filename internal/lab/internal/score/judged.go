package score

import (
	"errors"
	"maps"
	"strings"

	"github.com/bodymotion/motion/internal/lab/internal/truth"
	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// Joints are the joints whose angles are measured, both sides together.
var Joints = []string{"knee", "hip", "elbow", "shoulder"}

// Movie is how near the keypoints of one or more movies are to what is known of them.
type Movie struct {
	Within, Close, Jitter Values // of each movie: agreement within 0.2 and 0.1 torso lengths; Jitter
	Exchanged             Share  // pairs of parts

	// Of rendered movies alone:
	Angles, Steady map[string]Values // errors of the angles of joints in degrees, and those without the bias of each side and movie
	PeakAngles     Values
	PeakSpeeds     Values
	FeetGiven      Share  // heels and big toes of the truth that were found
	Feet           Values // and how far these are off, in torso lengths
}

// ErrOther says that keypoints are of another movie than the reference.
var ErrOther = errors.New("no frame of the reference has the time of a frame of the movie")

// Judge compares the keypoints of a movie with what is known of it, if anything is: t is nil otherwise.
func Judge(t *truth.Truth, found keypoint.Sequence) (m Movie, err error) {
	m.Angles, m.Steady = map[string]Values{}, map[string]Values{}
	if j, ok := Jitter(found); ok {
		m.Jitter = Values{j}
	}
	if t == nil {
		return m, nil
	}
	pairs, err := Match(t.Parts, found, 0)
	if err == nil && len(pairs) == 0 {
		err = ErrOther
	}
	if err != nil {
		return m, err
	}
	for within, to := range map[float64]*Values{0.2: &m.Within, 0.1: &m.Close} {
		if v, ok := Agreement(t.Parts, found, pairs, within).Value(); ok {
			*to = Values{v}
		}
	}
	m.Exchanged, _ = Exchanged(t.Parts, found, pairs)
	if t.Visible == nil { // it is not rendered
		return m, nil
	}
	for _, a := range Angles() {
		_, joint, _ := strings.Cut(a.Name, "_")
		errors := AngleErrors(t, found, pairs, a)
		m.Angles[joint] = append(m.Angles[joint], errors...)
		for bias := rank.Mean(errors); len(errors) > 0; errors = errors[1:] {
			m.Steady[joint] = append(m.Steady[joint], errors[0]-bias)
		}
	}
	m.PeakAngles, m.PeakSpeeds = PeakAngleErrors(t, found, pairs), PeakSpeedErrors(t, found, pairs)
	m.FeetGiven, m.Feet = Feet(t.Parts, found, pairs)
	return m, nil
}

// Plus returns both together.
func (m Movie) Plus(o Movie) Movie {
	sum := Movie{
		Within: m.Within.Plus(o.Within), Close: m.Close.Plus(o.Close), Jitter: m.Jitter.Plus(o.Jitter), Exchanged: m.Exchanged.Plus(o.Exchanged),
		Angles: maps.Clone(o.Angles), Steady: maps.Clone(o.Steady),
		PeakAngles: m.PeakAngles.Plus(o.PeakAngles), PeakSpeeds: m.PeakSpeeds.Plus(o.PeakSpeeds),
		FeetGiven: m.FeetGiven.Plus(o.FeetGiven), Feet: m.Feet.Plus(o.Feet),
	}
	for joint := range m.Angles {
		sum.Angles[joint], sum.Steady[joint] = m.Angles[joint].Plus(o.Angles[joint]), m.Steady[joint].Plus(o.Steady[joint])
	}
	return sum
}

// feet are the parts that Feet measures. No network at hand knows small toes.
var feet = keypoint.PartsOf(keypoint.LeftHeel, keypoint.RightHeel, keypoint.LeftBigToe, keypoint.RightBigToe)

// Feet returns the share of the heels and big toes of the truth that were found in the paired frames, and
// how far these are from the truth, in torso lengths of its frame.
func Feet(truth, found keypoint.Sequence, matched []Pair) (given Share, errors Values) {
	for _, m := range matched {
		want, got := &truth.Frames[m.Reference], &found.Frames[m.Result]
		torso, ok := want.TorsoLength()
		if !ok {
			continue
		}
		for _, p := range (want.Present() & feet).List() {
			at, _ := want.At(p)
			is, ok := got.At(p)
			given = given.With(ok)
			if ok {
				errors = errors.add(is.Sub(at).Len() / torso)
			}
		}
	}
	return given, errors
}

// Pictures is what one program has found in labelled pictures of people, of whom it finds one. The zero value is ready to use.
type Pictures struct {
	N      int
	Judged []Picture // those with a dominant person, or with nobody: others have no single right answer
	PCK    Share     // parts of dominant people within 0.2 torso lengths
	Missed Share     // pictures with a dominant person in which nobody was found
	Empty  Share     // pictures with nobody in which somebody was found
}

// Add adds what was found in a picture.
func (p *Pictures) Add(l *truth.Picture, found *keypoint.Frame) {
	p.N++
	one := Picture{Found: []Detection{{Parts: *found, Score: Confidence(found)}}}
	switch {
	case l.Dominant >= 0:
		who := l.People[l.Dominant]
		one.People = []truth.Person{who}
		p.PCK, p.Missed = p.PCK.Plus(PCK(&who.Parts, found, 0.2)), p.Missed.With(found.Empty())
	case l.Nobody():
		p.Empty = p.Empty.With(!found.Empty())
	default:
		return
	}
	p.Judged = append(p.Judged, one)
}

// Plus returns both together.
func (p Pictures) Plus(o Pictures) Pictures {
	judged := append(p.Judged[:len(p.Judged):len(p.Judged)], o.Judged...)
	return Pictures{p.N + o.N, judged, p.PCK.Plus(o.PCK), p.Missed.Plus(o.Missed), p.Empty.Plus(o.Empty)}
}
