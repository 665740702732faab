// Package live finds the keypoints of a person while pictures come, as from a camera:
//
//	s, err := live.New(est, live.Options{Rules: []analyze.Rule{{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Repetitions: &analyze.RepetitionOptions{}}}})
//	if err != nil {
//		log.Fatal(err)
//	}
//	for u, err := range s.Watch(ctx, ffmpeg.Live{Input: "rtsp://camera.local/stream"}.Open) {
//		if err != nil {
//			log.Fatal(err)
//		}
//		fmt.Println(u.Time, u.Values[0].X, u.Counts[0].Complete, u.Dropped)
//	}
//
// Each picture gives an Update: keypoints, cleaned without looking ahead, the values of analysis rules,
// and the repetitions so far. The person is chosen, followed, lost and found as inference.Extract does.
//
// Watch takes the newest picture and drops those that came while it looked at the one before, so that it
// never falls behind; two may wait for the first look. To look at every picture, call Session.Next with each.
//
// A Session needs the same memory however long it runs, apart from the frames that Options.Keep asks for.
//
// ffmpeg.Live lists the cameras and streams that it opens; Pictures takes some from Go. Package httpapi/live serves browsers
// and other programs over a WebSocket, as docs/use/live.md describes, and "motion live" of cmd/motion is a command for all of it.
package live

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
)

// Options are the options of New. All fields are optional.
type Options struct {
	// Choose selects the person. While it watches, keypoints are empty; that needs an Estimator that is an inference.Finder.
	Choose inference.Choice
	// Feet keeps the six parts of the feet, if the Estimator finds them.
	Feet bool
	// Clean are the steps of cleaning; nil: clean.Causal(). They must be those of a clean.Stream.
	Clean *clean.Options
	// Rules are computed for each picture. They may ask for repetitions, but not for statistics or symmetry.
	Rules []analyze.Rule
	// World has the scale and the floor, if they are known: then values are in metres.
	World keypoint.World
	// Keep is how many frames, the newest ones, Session.Sequence returns. 0: none; less: all, which needs
	// 60 MB of memory or more an hour at 30 pictures per second.
	Keep int
}

// Update is what is known with a picture.
type Update struct {
	Number int     // of the picture among those looked at, from 0
	Time   float64 // of the picture, seconds

	// Keypoints are cleaned, in pixels; empty if the person is not visible. Those that bridge a short gap are
	// marked clean.Filled in Changes.
	Keypoints keypoint.Frame
	Changes   [keypoint.NumParts]clean.Change
	// Changed reports that somebody else is followed from this picture on, or after a cut anybody.
	Changed bool

	Values []analyze.Value // of the rules, in this picture
	Counts []analyze.Count // of the rules, the repetitions so far; zero for a rule that does not ask for them
	// Uncertainty and Why say how far to trust Values, as analyze.Stream.Uncertainty does.
	Uncertainty []analyze.Value
	Why         []quality.Code
	// Facing is from where the picture sees the person; the zero value if that is not known, and without rules.
	Facing  quality.Facing
	Verdict Verdict

	Dropped int // pictures that Watch has dropped since the Update before
}

// Verdict is what the newest ten seconds in which somebody moves say, about a second old.
type Verdict struct {
	Movement study.Movement
	// Lead is the place of the rule whose values move most by their uncertainty: count its repetitions. −1: no rule asks for it.
	Lead  int
	Notes []quality.Warning // what hinders measuring this movement, with what to do; their frames are without meaning
}

// Session follows one person through pictures. It is not safe for concurrent use.
type Session struct {
	follower *inference.Follower
	clean    *clean.Stream
	rules    *analyze.Stream
	keep     int
	kept     keypoint.Sequence // raw
	looks    int
	asked    []analyze.Rule
	verdict  Verdict
	judged   float64 // seconds
}

// New starts a Session. A missing estimator and wrong options are a keypoint.ErrInvalid, wrong rules keypoint.FieldErrors.
func New(est inference.Estimator, opt Options) (*Session, error) {
	follower, err := inference.NewFollower(est, inference.ExtractOptions{Choose: opt.Choose, Feet: opt.Feet})
	if err != nil {
		return nil, err
	}
	steps := clean.Causal()
	if opt.Clean != nil {
		steps = *opt.Clean
	}
	stream, err := clean.NewStream(steps)
	if err != nil {
		return nil, err
	}
	rules, err := analyze.NewStream(opt.Rules, opt.World)
	if err != nil {
		return nil, err
	}
	return &Session{follower: follower, clean: stream, rules: rules, keep: opt.Keep, kept: keypoint.Sequence{World: opt.World},
		asked: slices.Clone(opt.Rules), verdict: Verdict{Lead: -1}, judged: math.Inf(-1)}, nil
}

// Next looks at the next picture. seconds is its time, which must be finite and after that of the picture before, else the error is
// a keypoint.ErrInvalid; so is a picture without pixels. A picture of another size than the first one is an inference.ErrFormat.
// After an error, which may also be that of the Estimator or of ctx, the Session goes on with the next picture.
func (s *Session) Next(ctx context.Context, img image.Image, seconds float64) (Update, error) {
	found, err := s.follower.Next(ctx, img, seconds)
	if err != nil {
		return Update{}, err
	}
	u := Update{Number: s.looks, Time: seconds, Changed: found.Changed}
	s.looks++
	if found.Changed {
		s.clean.Reset()
	}
	if u.Keypoints, u.Changes, err = s.clean.Next(found.Frame, seconds); err != nil {
		return Update{}, fmt.Errorf("picture %d: %w", u.Number, err)
	}
	b := img.Bounds()
	u.Keypoints.Clamp(corner(b.Min), corner(b.Max)) // a bridged part may have left
	if err = s.rules.Next(u.Keypoints, seconds, found.Changed); err != nil {
		return Update{}, fmt.Errorf("picture %d: %w", u.Number, err)
	}
	u.Values, u.Counts = s.rules.Values(), s.rules.Counts()
	u.Uncertainty, u.Why = s.rules.Uncertainty()
	u.Facing = s.rules.Facing()
	if len(s.asked) > 0 && seconds-s.judged >= judgeSeconds {
		s.judge(seconds)
	}
	u.Verdict = s.verdict
	s.add(found, seconds, b.Size())
	return u, nil
}

// judgeSeconds is the time between two verdicts.
const judgeSeconds = 1

// judge studies the newest frames. While nothing moves, the verdict stays.
func (s *Session) judge(seconds float64) {
	s.judged = seconds
	of, err := study.Run(s.rules.Recent(), quality.Report{})
	if err != nil || of.Lead == nil {
		return
	}
	lead := slices.IndexFunc(s.asked, func(r analyze.Rule) bool { return r.Type == of.Lead.Type && r.Side == of.Lead.Side })
	s.verdict = Verdict{of.Movement, lead, of.Notes}
}

func corner(p image.Point) keypoint.Point { return keypoint.Point{float64(p.X), float64(p.Y)} }

// add keeps a frame, and forgets the oldest ones from time to time.
func (s *Session) add(found inference.Followed, seconds float64, size image.Point) {
	if s.keep == 0 {
		return
	}
	k := &s.kept
	if k.Size = size; s.keep > 0 && k.Len() >= 2*s.keep {
		*k = k.Slice(k.Len()-s.keep+1, k.Len()-1).Clone()
	}
	if found.Changed && k.Len() > 0 {
		k.PersonChanges = append(k.PersonChanges, k.Len())
	}
	k.Frames, k.Times = append(k.Frames, found.Frame), append(k.Times, seconds)
}

// Sequence returns the newest frames, as many as Options.Keep, as the Estimator has found them: clean.Run, which also knows
// what came after, cleans them better than the Updates are. Times are those of the pictures.
func (s *Session) Sequence() keypoint.Sequence {
	n := s.kept.Len()
	if s.keep > 0 && n > s.keep {
		return s.kept.Slice(n-s.keep, n-1).Clone()
	}
	return s.kept.Clone()
}

// Counts returns the repetitions of each rule up to the newest picture. Those of an Update may be a tenth of a second older.
func (s *Session) Counts() []analyze.Count { return s.rules.Final() }
