package study_test

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// studied judges and studies a recording.
func studied(t *testing.T, seq keypoint.Sequence) study.Study {
	t.Helper()
	judged, err := quality.Assess(quality.Input{Sequence: seq})
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.Run(seq, judged)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// unjudged studies a recording whose quality is not known, against a neutral pose or nil.
func unjudged(t *testing.T, seq keypoint.Sequence, neutral *analyze.Neutral) study.Study {
	t.Helper()
	s, err := study.RunPart(seq, quality.Report{}, keypoint.Span{Last: seq.Len() - 1}, neutral)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// of returns a measure.
func of(t *testing.T, s study.Study, kind analyze.Type, side analyze.Side) study.Measure {
	t.Helper()
	for _, m := range s.Measures {
		if m.Type == kind && m.Side == side {
			return m
		}
	}
	t.Fatalf("there is no %s %s", side, kind)
	return study.Measure{}
}

// TestMovements tells the movements of the rendered movies by their true keypoints.
func TestMovements(t *testing.T) {
	for name, want := range map[string]study.Movement{
		"squat_90_slow": "squat", "squat_0_shift": "squat", "squat_30_phone": "squat",
		"hinge_90": "hinge", "lunge_90": "lunge", "push_up_90": "pushUp", "curl_60": "curl",
		"lateral_raise_0_mirrored": "raise", "jump_90_120fps": "jump", "stand_180": "still", "side_step_0": "other",
		"walk_treadmill_90": "walking", "walk_across_90": "walking", "run_treadmill_90": "running",
	} {
		movie := testkit.Rendered(t, name)
		s := studied(t, movie.Seq)
		if s.Movement != want {
			t.Errorf("%s: %s, want %s", name, s.Movement, want)
		}
		if gait := want == "walking" || want == "running"; gait != (s.Gait != nil) || (want == "jump") != (len(s.Jumps) > 0) {
			t.Errorf("%s: gait %v, jumps %v", name, s.Gait != nil, len(s.Jumps))
		}
		if (s.Gait != nil || len(s.Jumps) > 0 || want == "still") && s.Repetitions != nil {
			t.Errorf("%s: repetitions", name)
		}
	}
}

// TestFromTheFront counts squats by the height of the hips where no angle of the legs can be told, and says so.
func TestFromTheFront(t *testing.T) {
	s := studied(t, testkit.Rendered(t, "squat_0_shift").Seq)
	if s.Lead == nil || *s.Lead != (study.Lead{Type: analyze.HipHeight}) || s.Repetitions == nil || s.Repetitions.Complete != 3 || s.Verdict != quality.Usable {
		t.Errorf("lead %v, repetitions %+v, %s", s.Lead, s.Repetitions, s.Verdict)
	}
	knee := of(t, s, analyze.KneeFlexion, analyze.LeftSide)
	if knee.Trust != quality.TrustWithheld || knee.Peak != nil || knee.Max.Present || len(knee.Why) == 0 || knee.Why[0] != quality.CodeOutOfPlane {
		t.Errorf("knee: %s %v %v", knee.Trust, knee.Why, knee.Peak)
	}
	for _, v := range knee.Values {
		if v.Present {
			t.Fatal("a withheld measure has values")
		}
	}
}

// TestPeak holds that an extreme has the uncertainty and the trust of its moment, and is within two of these of the truth, in a
// squat that is seen obliquely: the falsely sure leg is not what is read first.
func TestPeak(t *testing.T) {
	s := studied(t, testkit.Rendered(t, "squat_60").Seq)
	if s.Lead == nil || s.Lead.Type != analyze.KneeFlexion {
		t.Fatalf("lead %v", s.Lead)
	}
	const truth = 106
	for _, side := range []analyze.Side{analyze.LeftSide, analyze.RightSide} {
		knee := of(t, s, analyze.KneeFlexion, side)
		if knee.Trust == quality.TrustWithheld {
			continue
		}
		at := knee.Uncertainty[knee.Peak.Frame].X
		if at != knee.Peak.Uncertainty || knee.Values[knee.Peak.Frame].X != knee.Peak.Value || knee.Trust != quality.TrustOf(at) {
			t.Errorf("%s: %+v, in its frame ± %v", side, knee.Peak, at)
		}
		if at <= knee.Uncertainty[0].X {
			t.Errorf("%s: ± %v at the turn, and %v in standing", side, at, knee.Uncertainty[0].X)
		}
		if d := truth - knee.Peak.Value; side == s.Lead.Side && (d > 2*at || d < -2*at) {
			t.Errorf("%s leads with %s, the truth is %d", side, knee, truth)
		}
	}
}

// TestBesideAGap withholds what is hidden where it goes farthest, but not if one of two squats is seen.
func TestBesideAGap(t *testing.T) {
	for hidden, want := range map[float64]bool{4: true, 10: false} { // seconds
		m := testkit.Rendered(t, "squat_90_slow")
		for i := range m.Seq.Frames {
			if m.Angles["left_knee"][i] > 70 && m.Seq.Times[i] < hidden {
				m.Seq.Frames[i].Unset(keypoint.LeftKnee)
			}
		}
		if knee := of(t, studied(t, m.Seq), analyze.KneeFlexion, analyze.LeftSide); (knee.Peak != nil) != want {
			t.Errorf("the deepest 42° of squats are hidden up to %v s: %s", hidden, knee)
		}
	}
}

// TestHiddenArm withholds an arm that hangs still and is seen to copy the curls of the other one, whatever it is seen to do:
// the network says that it is hidden. The verdict follows from the other one.
func TestHiddenArm(t *testing.T) {
	seq := testkit.Rendered(t, "curl_60").Seq
	shown := studied(t, seq)
	if shown.Movement != "curl" || shown.Lead == nil {
		t.Fatalf("%s, lead %v", shown.Movement, shown.Lead)
	}
	hidden := analyze.LeftSide
	parts := []keypoint.Part{keypoint.LeftElbow, keypoint.LeftWrist}
	if shown.Lead.Side == hidden {
		hidden, parts = analyze.RightSide, []keypoint.Part{keypoint.RightElbow, keypoint.RightWrist}
	}
	for i := range seq.Frames {
		for _, p := range []keypoint.Part{keypoint.LeftElbow, keypoint.LeftWrist, keypoint.RightElbow, keypoint.RightWrist} {
			seq.Frames[i].SetVisibility(p, 0.99)
		}
		for _, p := range parts {
			seq.Frames[i].SetVisibility(p, 0.03)
		}
	}
	s := studied(t, seq)
	arm := of(t, s, analyze.ElbowFlexion, hidden)
	if arm.Trust != quality.TrustWithheld || arm.Peak != nil || len(arm.Why) == 0 || arm.Why[0] != quality.CodeHidden || arm.String() != "hidden" {
		t.Errorf("the hidden arm: %s %v, %s", arm.Trust, arm.Why, arm)
	}
	if s.Movement != "curl" || s.Lead == nil || s.Lead.Side == hidden || s.Verdict != shown.Verdict || s.Repetitions == nil || s.Repetitions.Complete != 3 {
		t.Errorf("%s, lead %v, %s, was %s", s.Movement, s.Lead, s.Verdict, shown.Verdict)
	}
	if !slices.ContainsFunc(s.Notes, func(w quality.Warning) bool { return w.Code == quality.CodeHiddenSide && w.Parts.Has(parts[0]) }) {
		t.Errorf("notes: %v", s.Notes)
	}
}

// TestPart studies a part alone, with the frames of the whole recording.
func TestPart(t *testing.T) {
	seq := testkit.Rendered(t, "squat_90_slow").Seq
	whole := studied(t, seq)
	if whole.Repetitions == nil || len(whole.Repetitions.List) < 2 {
		t.Fatalf("%+v", whole.Repetitions)
	}
	second := whole.Repetitions.List[1]
	part := keypoint.Span{First: second.Start.Frame - 5, Last: min(second.End.Frame+5, seq.Len()-1)}
	s, err := study.RunPart(seq, quality.Report{}, part, nil)
	if err != nil || s.Repetitions == nil || len(s.Repetitions.List) != 1 {
		t.Fatalf("%+v (%v)", s.Repetitions, err)
	}
	if d := s.Repetitions.List[0].Turn.Frame - second.Turn.Frame; d < -2 || d > 2 {
		t.Errorf("turn at %d, want %d", s.Repetitions.List[0].Turn.Frame, second.Turn.Frame)
	}
	knee := of(t, s, analyze.KneeFlexion, analyze.RightSide)
	if knee.Values[part.First-1].Present || !knee.Values[part.First].Present || knee.Peak.Frame < part.First {
		t.Error("values outside the part")
	}
	if len(s.Repetitions.List[0].At) == 0 {
		t.Error("no values at the turn")
	}
	if _, err := study.RunPart(seq, quality.Report{}, keypoint.Span{First: 5, Last: 10_000}, nil); err == nil {
		t.Error("a part that is not there")
	}
}

// TestNobody says that nobody was found.
func TestNobody(t *testing.T) {
	s := studied(t, keypoint.Sequence{Frames: make([]keypoint.Frame, 3), Times: []float64{0, 0.1, 0.2}})
	if s.Movement != "other" || s.Lead != nil || s.Verdict != quality.Nobody || len(s.Notes) != 1 || s.Notes[0].Code != quality.CodeLost {
		t.Errorf("%s %v %s %v", s.Movement, s.Lead, s.Verdict, s.Notes)
	}
}

// BenchmarkRun studies a minute of squats.
func BenchmarkRun(b *testing.B) {
	one := testkit.Rendered(b, "squat_90_slow").Seq
	seq := keypoint.Sequence{Size: one.Size}
	for len(seq.Frames) < 1800 {
		seq.Frames = append(seq.Frames, one.Frames...)
	}
	for i := range seq.Frames {
		seq.Times = append(seq.Times, float64(i)/30)
	}
	for b.Loop() {
		if _, err := study.Run(seq, quality.Report{}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestJSON reads what is written.
func TestJSON(t *testing.T) {
	image := testkit.Rendered(t, "squat_60").Seq
	image.Frames, image.Times = image.Frames[:1], nil
	for _, seq := range []keypoint.Sequence{testkit.Rendered(t, "squat_90_slow").Seq, testkit.Rendered(t, "walk_treadmill_90").Seq, image} {
		written, err := json.Marshal(studied(t, seq))
		var back study.Study
		if err == nil {
			err = json.Unmarshal(written, &back)
		}
		again, err2 := json.Marshal(back)
		if err != nil || err2 != nil || !reflect.DeepEqual(written, again) {
			t.Errorf("%v %v: %.300s", err, err2, written)
		}
	}
}

// turned returns a ray that is turned.
func turned(d keypoint.Point, degrees float64) keypoint.Point {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return keypoint.Point{d[0]*cos - d[1]*sin, d[0]*sin + d[1]*cos}
}

// TestImplausible: a knee that bends back by 40 degrees is no knee, and one that bends by 150 degrees from one frame to the
// next neither. To the front, 40 degrees are right.
func TestImplausible(t *testing.T) {
	side := testkit.Rendered(t, "squat_90_slow").Seq
	bent := func(degrees float64, first, last int) study.Measure {
		s := side.Clone()
		for i := first; i <= last; i++ {
			hip, _ := s.Frames[i].At(keypoint.LeftHip)
			knee, _ := s.Frames[i].At(keypoint.LeftKnee)
			s.Frames[i].Set(keypoint.LeftAnkle, knee.Add(turned(knee.Sub(hip), degrees)), 1)
		}
		return of(t, studied(t, s), analyze.KneeFlexion, analyze.LeftSide)
	}
	told := func(m study.Measure) bool {
		return m.Values[6].Present || !slices.Contains(m.Why, quality.CodeImplausible)
	}
	if back, front := told(bent(-40, 0, 12)), told(bent(40, 0, 12)); back == front {
		t.Errorf("bent to one side: told %v, to the other: %v", back, front)
	}
	for _, degrees := range []float64{-150, 150} {
		if told(bent(degrees, 6, 6)) {
			t.Errorf("%v degrees in one frame are told", degrees)
		}
	}
}

// TestReach: feet that turn right round are none, though no frame jumps.
func TestReach(t *testing.T) {
	s := testkit.Rendered(t, "squat_90_slow").Seq.Clone()
	for i := range s.Frames {
		ankle, _ := s.Frames[i].At(keypoint.LeftAnkle)
		for _, p := range []keypoint.Part{keypoint.LeftHeel, keypoint.LeftBigToe} {
			if at, ok := s.Frames[i].At(p); ok {
				s.Frames[i].Set(p, ankle.Add(turned(at.Sub(ankle), min(float64(i)*8, 360))), 1)
			}
		}
	}
	m := of(t, studied(t, s), analyze.AnkleDorsiflexion, analyze.LeftSide)
	for i, v := range m.Values {
		if v.Present && math.Abs(v.X) > 130 {
			t.Fatalf("frame %d: the ankle is at %.0f°", i, v.X)
		}
	}
	if !slices.Contains(m.Why, quality.CodeImplausible) {
		t.Errorf("why %v", m.Why)
	}
}

// TestStanding finds the time of quiet standing, and gives angles against it.
func TestStanding(t *testing.T) {
	seq := testkit.Rendered(t, "squat_90_slow").Seq
	plain, against := unjudged(t, seq, nil), unjudged(t, seq, &analyze.Neutral{})
	if plain.Standing == nil || plain.Standing.To-plain.Standing.From < 0.5 {
		t.Fatalf("standing: %+v", plain.Standing)
	}
	stands := int(plain.Standing.From * 30)
	checked := 0
	for k, m := range against.Measures {
		if v, was := m.Values[stands+5], plain.Measures[k].Values[stands+5]; m.Unit == "°" && v.Present && was.Present {
			checked++
			if math.Abs(v.X) > 3 {
				t.Errorf("%s is %.1f° in standing, as it is %.1f°", m.Name, v.X, was.X)
			}
		}
	}
	if checked < 4 {
		t.Errorf("%d measures were checked", checked)
	}
}

// TestConstant: angles that are told have what they are off by alike in every frame, more obliquely, another in space, and none against
// a neutral pose; lengths and what is withheld have none.
func TestConstant(t *testing.T) {
	squat := testkit.Rendered(t, "squat_90_slow")
	neutral, plain := unjudged(t, squat.Seq, &analyze.Neutral{}), unjudged(t, squat.Seq, nil)
	side, oblique, space := studied(t, squat.Seq), studied(t, testkit.Rendered(t, "squat_60").Seq), studied(t, squat.InSpace())
	for name, c := range map[string]struct {
		of   study.Study
		kind analyze.Type
		side analyze.Side
		want float64
	}{
		"from the side": {side, analyze.KneeFlexion, analyze.LeftSide, 6}, "obliquely": {oblique, analyze.KneeFlexion, analyze.LeftSide, 8},
		"in space": {space, analyze.HipFlexion, analyze.LeftSide, 7}, "neutral": {neutral, analyze.HipFlexion, analyze.LeftSide, 0},
		"unjudged": {plain, analyze.HipFlexion, analyze.LeftSide, 6}, "withheld": {side, analyze.PelvicTilt, "", 0}, "a length": {side, analyze.HipHeight, "", 0},
	} {
		if m := of(t, c.of, c.kind, c.side); math.Floor(m.Constant) != c.want {
			t.Errorf("%s: %v, want %v (%s)", name, m.Constant, c.want, m.Trust)
		}
	}
}

// TestPicture: a picture is no better than a movie of the same moment: not good obliquely and from the front, where the angles of legs
// are less sure, and not where a leg or an arm is bent so far that its angle is. It says what.
func TestPicture(t *testing.T) {
	for _, c := range []struct {
		movie string
		frame int
		want  quality.Verdict
		limit string
	}{
		{"squat_90_slow", 0, quality.Good, ""},
		{"squat_90_slow", 60, quality.Usable, "flexion is less sure"},
		{"squat_60", 0, quality.Usable, "from the front, left knee flexion is less sure"},
		{"squat_60", 50, quality.Usable, "from the front, left knee flexion is less sure"},
		{"squat_0_shift", 40, quality.Usable, "Knee flexion: not visible from the front"},
		{"push_up_90", 50, quality.Usable, "flexion"},
	} {
		one := testkit.Rendered(t, c.movie).Seq.Slice(c.frame, c.frame)
		one.Times = nil
		judged, err := quality.Assess(quality.Input{Sequence: one})
		if err != nil {
			t.Fatal(err)
		}
		s, err := study.Run(one, judged)
		if s.Movement.Known() {
			t.Errorf("%s: a picture shows %s", c.movie, s.Movement)
		}
		if limit := s.Summary.Limit.String(); err != nil || s.Verdict != c.want || !strings.Contains(limit, c.limit) || c.limit == "" && limit != "" {
			t.Errorf("%s, frame %d: %s, %q, %v, want %s and %q", c.movie, c.frame, s.Verdict, limit, err, c.want, c.limit)
		}
	}
}
