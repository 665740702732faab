package ensemble_test

import (
	"context"
	"errors"
	"image"
	"image/draw"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ensemble"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
)

// look is a Network that sees the same in every picture.
type look struct {
	frame   keypoint.Frame
	err     error
	regions *[]inference.Region // where it was asked to look
}

func (l look) Look(_ context.Context, _ image.Image, r inference.Region) (keypoint.Frame, error) {
	if l.regions != nil {
		*l.regions = append(*l.regions, r)
	}
	return l.frame, l.err
}

// followed is the region of the person of the frame before, or the whole picture if there is none.
func followed(previous keypoint.Frame) inference.Region {
	if previous.Empty() {
		return inference.Region{}
	}
	return inference.Expected(previous)
}

var picture = image.NewGray(image.Rect(0, 0, 100, 200))

// body is somebody with a torso of 60 pixels and a confidence of 0.9; each part moved as told.
func body(moves map[keypoint.Part]keypoint.Point) keypoint.Frame {
	f := fakes.Body(image.Rect(0, 0, 100, 200))
	for p, d := range moves {
		at, _ := f.At(p)
		f.Set(p, at.Add(d), f.Confidence(p))
	}
	return f
}

// withFeet returns the frame with heels and big toes beside its ankles.
func withFeet(f keypoint.Frame, confidence float64) keypoint.Frame {
	for ankle, parts := range map[keypoint.Part][]keypoint.Part{
		keypoint.LeftAnkle: {keypoint.LeftHeel, keypoint.LeftBigToe}, keypoint.RightAnkle: {keypoint.RightHeel, keypoint.RightBigToe},
	} {
		at, _ := f.At(ankle)
		f.Set(parts[0], at.Add(keypoint.Point{-5, 5}), confidence)
		f.Set(parts[1], at.Add(keypoint.Point{10, 5}), confidence)
	}
	return f
}

// exchanged returns the frame with the sides of parts exchanged, which are given by their left one.
func exchanged(f keypoint.Frame, left ...keypoint.Part) keypoint.Frame {
	for _, l := range left {
		a, _ := f.At(l)
		b, _ := f.At(l.Mirror())
		f.Set(l, b, f.Confidence(l))
		f.Set(l.Mirror(), a, f.Confidence(l))
	}
	return f
}

// estimate estimates a picture with an ensemble whose members, which always look, see the frames.
func estimate(t *testing.T, previous keypoint.Frame, frames ...keypoint.Frame) keypoint.Frame {
	t.Helper()
	var members []inference.Network
	for _, f := range frames {
		members = append(members, look{frame: f})
	}
	e, err := ensemble.New(ensemble.Options{Finding: members, Ask: ensemble.Always})
	if err != nil {
		t.Fatal(err)
	}
	f, err := e.Look(t.Context(), picture, followed(previous))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func near(t *testing.T, what string, got, want keypoint.Frame) {
	t.Helper()
	if got.Present() != want.Present() {
		t.Errorf("%s: parts %v, want %v", what, got.Present().List(), want.Present().List())
	}
	for _, p := range want.Present().List() {
		a, _ := got.At(p)
		b, _ := want.At(p)
		if a.Sub(b).Len() > 1e-9 {
			t.Errorf("%s: %v at %v, want %v", what, p, a, b)
		}
	}
}

// standing is a Network of somebody in the fake Estimator's pictures.
type standing struct{ fakes.Estimator }

func (s standing) Look(ctx context.Context, img image.Image, r inference.Region) (keypoint.Frame, error) {
	atOrigin := image.NewRGBA(image.Rectangle{Max: img.Bounds().Size()})
	draw.Draw(atOrigin, atOrigin.Rect, img, img.Bounds().Min, draw.Src)
	return s.Estimate(ctx, atOrigin, inference.Hint{Region: r})
}

// TestMedian: looks that agree give their median, and a stray one does not count.
func TestMedian(t *testing.T) {
	wrist := func(x float64) keypoint.Frame {
		return body(map[keypoint.Part]keypoint.Point{keypoint.LeftWrist: {x, 0}})
	}
	nobody := keypoint.Frame{}
	for _, c := range []struct {
		name  string
		looks []keypoint.Frame
		want  float64
	}{
		{"one", []keypoint.Frame{wrist(3)}, 3},
		{"two that agree", []keypoint.Frame{wrist(0), wrist(4)}, 2},
		{"three that agree", []keypoint.Frame{wrist(0), wrist(4), wrist(12)}, 4},
		{"a stray one", []keypoint.Frame{wrist(0), wrist(-80), wrist(4)}, 2},
		{"a stray first one", []keypoint.Frame{wrist(-80), wrist(0), wrist(4)}, 2},
	} {
		near(t, c.name, estimate(t, nobody, c.looks...), wrist(c.want))
	}
}

// TestDisagreement: the look nearest to the frame before counts, or the most confident one, and less
// confident.
func TestDisagreement(t *testing.T) {
	far := body(map[keypoint.Part]keypoint.Point{keypoint.LeftWrist: {-60, 0}})
	sure := body(nil)
	at, _ := sure.At(keypoint.LeftWrist)
	sure.Set(keypoint.LeftWrist, at, 0.95)
	for name, c := range map[string]struct{ previous, want keypoint.Frame }{
		"the frame before": {far, far}, "confidence": {keypoint.Frame{}, sure},
	} {
		got := estimate(t, c.previous, sure, far)
		near(t, name, got, c.want)
		if want := 0.7 * c.want.Confidence(keypoint.LeftWrist); got.Confidence(keypoint.LeftWrist) != want {
			t.Errorf("%s: confidence %v, want %v", name, got.Confidence(keypoint.LeftWrist), want)
		}
	}
}

// TestSides: if two looks have exchanged sides, the frame before says which of them is wrong, or else
// the majority.
func TestSides(t *testing.T) {
	right := withFeet(body(nil), 0.9)
	legs := []keypoint.Part{keypoint.LeftKnee, keypoint.LeftAnkle}
	wrong := exchanged(right, append(legs, keypoint.LeftHeel, keypoint.LeftBigToe)...)
	nobody := keypoint.Frame{}
	for _, c := range []struct {
		name     string
		previous keypoint.Frame
		looks    []keypoint.Frame
		want     keypoint.Frame
	}{
		{"the first is right", right, []keypoint.Frame{right, wrong}, right},
		{"the second is right", right, []keypoint.Frame{wrong, right}, right},
		{"the majority", nobody, []keypoint.Frame{wrong, right, right}, right},
		{"against the majority", right, []keypoint.Frame{wrong, right, wrong}, right},
		{"nobody tells", nobody, []keypoint.Frame{right, wrong}, right},
		{"all agree", right, []keypoint.Frame{wrong, wrong}, wrong},
	} {
		near(t, c.name, estimate(t, c.previous, c.looks...), c.want)
	}
	arms := exchanged(right, keypoint.LeftElbow, keypoint.LeftWrist)
	near(t, "arms", estimate(t, right, arms, right), right)
}

// TestFeet: feet are given only where two looks agree on the ankle, or one and the frame before.
func TestFeet(t *testing.T) {
	with, without := withFeet(body(nil), 0.9), body(nil)
	away := body(map[keypoint.Part]keypoint.Point{keypoint.LeftAnkle: {12, 0}})
	half := with
	half.Unset(keypoint.LeftHeel)
	half.Unset(keypoint.LeftBigToe)
	nobody := keypoint.Frame{}
	for _, c := range []struct {
		name     string
		previous keypoint.Frame
		looks    []keypoint.Frame
		want     keypoint.Parts
	}{
		{"both agree", nobody, []keypoint.Frame{with, without}, with.Present()},
		{"one ankle differs", nobody, []keypoint.Frame{with, away}, half.Present()},
		{"only one looked", nobody, []keypoint.Frame{with}, without.Present()},
		{"the frame before", without, []keypoint.Frame{with}, with.Present()},
		{"the frame before differs", away, []keypoint.Frame{with}, half.Present()},
		{"unsure", nobody, []keypoint.Frame{withFeet(body(nil), 0.3), without}, without.Present()},
	} {
		got := estimate(t, c.previous, c.looks...)
		if got.Present() != c.want {
			t.Errorf("%s: %v, want %v", c.name, got.Present().List(), c.want.List())
		}
	}
}

// TestDoubt: while somebody is followed, the second member looks only if the first leaves a doubt.
func TestDoubt(t *testing.T) {
	previous := body(nil)
	missing, unsure := body(nil), body(nil)
	missing.Unset(keypoint.LeftKnee)
	at, _ := unsure.At(keypoint.LeftKnee)
	unsure.Set(keypoint.LeftKnee, at, 0.3)
	for _, c := range []struct {
		name  string
		first keypoint.Frame
		doubt bool
	}{
		{"as before", previous, false},
		{"moved a little", body(map[keypoint.Part]keypoint.Point{keypoint.LeftKnee: {5, 0}}), false},
		{"the head moved", body(map[keypoint.Part]keypoint.Point{keypoint.Nose: {30, 0}}), false},
		{"moved", body(map[keypoint.Part]keypoint.Point{keypoint.LeftKnee: {12, 0}}), true},
		{"missing", missing, true}, {"unsure", unsure, true}, {"lost", keypoint.Frame{}, true},
	} {
		var regions []inference.Region
		second := look{frame: previous, regions: &regions}
		e, err := ensemble.New(ensemble.Options{Finding: []inference.Network{look{}}, Following: []inference.Network{look{frame: c.first}, second}})
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Look(t.Context(), picture, followed(previous))
		if err != nil || f.Empty() || (len(regions) > 0) != c.doubt {
			t.Errorf("%s: %d parts, the second looked %d times (%v)", c.name, f.Len(), len(regions), err)
		}
	}
}

// TestTurned: with Turned, the second member looks only if the trunk or the legs have turned.
func TestTurned(t *testing.T) {
	previous := body(nil)
	back := exchanged(previous, keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist, keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
	for name, c := range map[string]struct {
		first keypoint.Frame
		asked int
	}{
		"as before": {previous, 0}, "moved": {body(map[keypoint.Part]keypoint.Point{keypoint.LeftKnee: {40, 0}}), 0},
		"legs exchanged": {exchanged(previous, keypoint.LeftKnee, keypoint.LeftAnkle), 1}, "arms exchanged": {exchanged(previous, keypoint.LeftElbow, keypoint.LeftWrist), 0}, "turned": {back, 1},
	} {
		var regions []inference.Region
		e, err := ensemble.New(ensemble.Options{
			Finding: []inference.Network{look{frame: c.first}, look{frame: previous, regions: &regions}}, Ask: ensemble.Turned,
		})
		if err != nil {
			t.Fatal(err)
		}
		f, err := e.Look(t.Context(), picture, followed(previous))
		if err != nil || len(regions) != c.asked {
			t.Errorf("%s: the second looked %d times (%v)", name, len(regions), err)
		}
		if c.asked > 0 {
			near(t, name, f, previous)
		}
	}
}

// TestRegions: the first member finds the person, and the others look where it has found them.
func TestRegions(t *testing.T) {
	var first, second []inference.Region
	members := []inference.Network{look{frame: body(nil), regions: &first}, look{frame: body(nil), regions: &second}}
	e, err := ensemble.New(ensemble.Options{Finding: members})
	if err != nil {
		t.Fatal(err)
	}
	asked := inference.Region{Box: inference.Box{Max: keypoint.Point{100, 200}}}
	if _, err := e.Look(t.Context(), picture, asked); err != nil {
		t.Fatal(err)
	}
	same := cmp.Comparer(func(a, b keypoint.Frame) bool { return a == b })
	if d := cmp.Diff([]inference.Region{asked}, first, same); d != "" {
		t.Errorf("first: -want +got:\n%s", d)
	}
	box := inference.Box{Min: keypoint.Point{-10, -20}, Max: keypoint.Point{110, 220}} // with hair and soles
	if d := cmp.Diff([]inference.Region{{Box: box, Keypoints: body(nil)}}, second, same); d != "" {
		t.Errorf("second: -want +got:\n%s", d)
	}
}

// meets is a Network that waits for another one to look at the same time.
type meets struct {
	look
	other chan bool
}

func (m meets) Look(ctx context.Context, img image.Image, r inference.Region) (keypoint.Frame, error) {
	select {
	case m.other <- true:
	case <-m.other:
	case <-ctx.Done():
		return keypoint.Frame{}, ctx.Err()
	}
	return m.look.Look(ctx, img, r)
}

// broken panics when it looks.
type broken struct{}

func (broken) Look(context.Context, image.Image, inference.Region) (keypoint.Frame, error) {
	panic("index out of range")
}

// TestPanic: a panic of a member that looks in a goroutine of its own is an error.
func TestPanic(t *testing.T) {
	e, err := ensemble.New(ensemble.Options{Finding: []inference.Network{look{frame: body(nil)}, broken{}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Look(t.Context(), picture, inference.Region{}); err == nil || err.Error() != "panic: index out of range" {
		t.Error(err)
	}
}

// TestTogether: the members after the first one look at somebody new at the same time.
func TestTogether(t *testing.T) {
	other := make(chan bool)
	second := meets{look{frame: body(nil)}, other}
	e, err := ensemble.New(ensemble.Options{Finding: []inference.Network{look{frame: body(nil)}, second, second}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithTimeout(t.Context(), 20*time.Second)
	defer end()
	if _, err := e.Look(ctx, picture, inference.Region{}); err != nil {
		t.Error(err)
	}
}

// TestErrors: bad options, and errors of members.
func TestErrors(t *testing.T) {
	if _, err := ensemble.New(ensemble.Options{}); err == nil {
		t.Error("no members: no error")
	}
	for _, opt := range []ensemble.Options{
		{Finding: []inference.Network{nil}}, {Finding: []inference.Network{look{}}, Following: []inference.Network{look{}, nil}},
	} {
		if _, err := ensemble.New(opt); !errors.Is(err, keypoint.ErrInvalid) {
			t.Errorf("a nil member: %v", err)
		}
	}
	broken := errors.New("broken")
	e, err := ensemble.New(ensemble.Options{Finding: []inference.Network{look{frame: body(nil)}, look{err: broken}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, previous := range []keypoint.Frame{{}, withFeet(exchanged(body(nil), keypoint.LeftAnkle), 1)} {
		if _, err := e.Look(t.Context(), picture, followed(previous)); !errors.Is(err, broken) {
			t.Errorf("a broken member: %v", err)
		}
	}
	if _, err := (inference.TopDown{Network: e}).Find(t.Context(), picture); !errors.Is(err, inference.ErrNoFinder) {
		t.Errorf("Find without a Finder: %v", err)
	}
}

// TestVisibility: it is that of the look that knows it, whichever look's point counts, and moves with its limb.
func TestVisibility(t *testing.T) {
	knows := body(map[keypoint.Part]keypoint.Point{keypoint.LeftWrist: {-60, 0}})
	knows.SetVisibility(keypoint.LeftWrist, 0.1)
	knows.SetVisibility(keypoint.LeftKnee, 0.2)
	got := estimate(t, body(nil), body(nil), knows)
	near(t, "another look's point", got, body(nil))
	if v, ok := got.Visibility(keypoint.LeftWrist); !ok || v != 0.1 {
		t.Errorf("visibility %v (%v), want 0.1 of the look whose point does not count", v, ok)
	}
	if _, ok := got.Visibility(keypoint.RightWrist); ok {
		t.Error("there is a visibility that no look knows")
	}
	legs := exchanged(knows, keypoint.LeftKnee, keypoint.LeftAnkle)
	legs.SetVisibility(keypoint.LeftKnee, 0.9)
	legs.SetVisibility(keypoint.RightKnee, 0.2)
	got = estimate(t, body(nil), body(nil), legs)
	if v, _ := got.Visibility(keypoint.LeftKnee); v != 0.2 {
		t.Errorf("visibility %v, want 0.2 of the knee that was taken for the right one", v)
	}
}

// deeper is a Network that guesses positions in space.
type deeper struct{ frame keypoint.Frame }

func (d deeper) Look(_ context.Context, _ image.Image, _ inference.Region) (keypoint.Frame, error) {
	f, s := d.frame, new(keypoint.Positions)
	for _, p := range f.Present().List() {
		at, _ := f.At(p)
		s.Set(p, keypoint.Position{at[0], -at[1], 1}, 0)
	}
	f.SetPositions(s)
	return f, nil
}

// TestDepth: the positions in space are those of the member that has them, exchanged with its sides.
func TestDepth(t *testing.T) {
	right := body(nil)
	wrong := exchanged(right, keypoint.LeftKnee, keypoint.LeftAnkle)
	network, err := ensemble.New(ensemble.Options{Finding: []inference.Network{look{frame: right}, look{frame: right}, deeper{wrong}}})
	if err != nil {
		t.Fatal(err)
	}
	est := inference.TopDown{Network: network}
	f, err := est.Estimate(t.Context(), picture, inference.Hint{})
	if err != nil {
		t.Fatal(err)
	}
	for p := keypoint.LeftHip; p <= keypoint.RightAnkle; p++ {
		at, _ := right.At(p)
		if place, ok := f.Positions().At(p); !ok || place != (keypoint.Position{at[0], -at[1], 1}) {
			t.Errorf("%v is at %v and in space at %v (%v)", p, at, place, ok)
		}
	}
}
