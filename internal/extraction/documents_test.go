package extraction_test

import (
	"encoding/json"
	"errors"
	"image"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/correct"
)

// TestForm holds the form of a stored result.
func TestForm(t *testing.T) {
	b, err := json.Marshal(extraction.Documents{Cleaned: []byte(`{"keypoint":[]}`), Raw: []byte(`{}`)})
	if want := `{"cleaned":{"keypoint":[]},"raw":{}}`; string(b) != want || err != nil {
		t.Errorf("%s (%v), want %s", b, err, want)
	}
}

// TestEditAlone: of the requests that are made together, one that is wrong, or after which the person's height is no
// longer known, is refused alone.
func TestEditAlone(t *testing.T) {
	var seq keypoint.Sequence
	for i := range 3 {
		seq.Frames = append(seq.Frames, fakes.Body(image.Rect(100, 50, 200, 350)))
		seq.Times = append(seq.Times, float64(i)/10)
	}
	seq.Size = image.Pt(640, 480)
	height := keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: 1.8}}
	d, _, err := extraction.Make(inference.People{Chosen: inference.Person{Sequence: seq}}, extraction.Options{Calibration: height}, nil)
	if err != nil {
		t.Fatal(err)
	}
	put := func(frame int, part keypoint.Part, x float64) correct.Edit {
		return correct.Edit{Frame: frame, Part: part, Point: &keypoint.Point{x, 200}}
	}
	var noFeet []correct.Edit
	for frame := range 3 {
		noFeet = append(noFeet, correct.Edit{Frame: frame, Part: keypoint.LeftAnkle}, correct.Edit{Frame: frame, Part: keypoint.RightAnkle})
	}
	requests := [][]correct.Edit{
		{put(0, keypoint.LeftWrist, 111)}, noFeet, {put(9, keypoint.LeftWrist, 1)}, {put(1, keypoint.LeftWrist, 122)}, {put(2, keypoint.LeftWrist, 2)},
	}
	already := errors.New("refused before")
	refused := []error{nil, nil, nil, nil, already}
	edited, r, err := d.Edit(requests, refused, keypoint.Body, time.Now(), "me", height)
	if err != nil || len(edited.Corrections.List) != 2 || r.Sequence.World.MetresPerPixel == 0 {
		t.Fatalf("%d corrections, the world is %+v (%v)", len(edited.Corrections.List), r.Sequence.World, err)
	}
	if refused[0] != nil || !errors.Is(refused[1], keypoint.ErrInvalid) || refused[2] == nil || refused[3] != nil || refused[4] != already {
		t.Errorf("refused: %v", refused)
	}
	for frame, x := range []float64{111, 122} {
		if at, _ := r.Sequence.Frames[frame].At(keypoint.LeftWrist); at[0] != x {
			t.Errorf("frame %d: the wrist is at %v, want %v", frame, at, x)
		}
	}
	same, _, err := d.Edit(requests[1:3], make([]error, 2), keypoint.Body, time.Now(), "me", height)
	if diff := cmp.Diff(d, same); err != nil || diff != "" {
		t.Errorf("all are refused (%v): %s", err, diff)
	}
}

// TestDigests: the same corrections have the same digest, whoever made them and when; those that move the world are everybody's.
func TestDigests(t *testing.T) {
	of := func(person int, x float64, at time.Time) correct.List {
		return correct.List{{Edit: correct.Edit{Person: person, Frame: 3, Part: keypoint.LeftAnkle, Point: &keypoint.Point{x, 2}}, At: at}}
	}
	people := []inference.Presence{{Track: 1, Chosen: true}, {Track: 2}}
	first := extraction.Digests(of(0, 1, time.Time{}), people, false)
	if len(first[0]) != 16 || first[1] != first[0] || len(first) != 2 {
		t.Errorf("digests: %v", first)
	}
	if diff := cmp.Diff(first, extraction.Digests(of(0, 1, time.Now()), people, false)); diff != "" {
		t.Errorf("made later: %s", diff)
	}
	if other := extraction.Digests(of(0, 1.5, time.Time{}), people, false); other[0] == first[0] {
		t.Errorf("another correction has the digest %s too", other[0])
	}
	carried := of(0, 1, time.Time{})
	if carried[0].Carry = 3; extraction.Digests(carried, people, false)[0] == first[0] {
		t.Error("the same correction carried over has the same digest")
	}
	both := append(of(0, 1, time.Time{}), of(2, 1, time.Time{})...)
	if one, moved := extraction.Digests(both, people, false), extraction.Digests(both, people, true); one[2] == moved[2] || moved[2] == "" {
		t.Errorf("the second person's: %v, and of a moved world %v", one, moved)
	}
	if none := extraction.Digests(nil, people, true); none != nil {
		t.Errorf("none: %v", none)
	}
}
