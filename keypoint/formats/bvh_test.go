package formats_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// hierarchy is what a BVH file says of its joints, in its order: the end of a bone has the name of its joint with "+".
type hierarchy struct {
	names   []string
	parents []int
	offsets []mgl64.Vec3
	frames  [][]mgl64.Vec3 // the places of the joints
	step    float64
}

// readBVH reads a file and poses its skeleton in each frame.
func readBVH(t *testing.T, file string) (h hierarchy) {
	t.Helper()
	in := bufio.NewScanner(strings.NewReader(file))
	var open []int
	count := 0
	for in.Scan() && !strings.HasPrefix(in.Text(), "Frame Time:") {
		switch words := strings.Fields(in.Text()); words[0] {
		case "ROOT", "JOINT", "End":
			parent := -1
			if len(open) > 0 {
				parent = open[len(open)-1]
			}
			name := words[1]
			if words[0] == "End" {
				name = h.names[parent] + "+"
			}
			h.names, h.parents = append(h.names, name), append(h.parents, parent)
			open = append(open, len(h.names)-1)
		case "OFFSET":
			var v mgl64.Vec3
			if _, err := fmt.Sscan(strings.Join(words[1:], " "), &v[0], &v[1], &v[2]); err != nil {
				t.Fatal(err)
			}
			h.offsets = append(h.offsets, v)
		case "}":
			open = open[:len(open)-1]
		case "Frames:":
			fmt.Sscan(words[1], &count)
		}
	}
	fmt.Sscan(strings.Fields(in.Text())[2], &h.step)
	var before []float64
	for in.Scan() {
		numbers := strings.Fields(in.Text())
		for k, number := range numbers {
			v, err := strconv.ParseFloat(number, 64)
			if before = append(before, v); err != nil || len(before) > len(numbers) && k > 2 && math.Abs(v-before[k]) > 120 {
				t.Fatalf("frame %d: channel %d is %s after %v (%v)", len(h.frames), k, number, before[k], err)
			}
		}
		before = before[len(before)-len(numbers):]
		next := func() (v mgl64.Vec3) {
			if _, err := fmt.Sscan(strings.Join(numbers[:3], " "), &v[0], &v[1], &v[2]); err != nil {
				t.Fatal(err)
			}
			numbers = numbers[3:]
			return v
		}
		places, turns := make([]mgl64.Vec3, len(h.names)), make([]mgl64.Quat, len(h.names))
		for i, parent := range h.parents {
			turns[i] = mgl64.QuatIdent()
			if parent < 0 {
				places[i] = next()
			} else {
				places[i], turns[i] = places[parent].Add(turns[parent].Rotate(h.offsets[i])), turns[parent]
			}
			if !strings.HasSuffix(h.names[i], "+") {
				a := next().Mul(math.Pi / 180)
				turns[i] = turns[i].Mul(mgl64.AnglesToQuat(a[0], a[1], a[2], mgl64.ZXY))
			}
		}
		if len(numbers) > 0 {
			t.Fatalf("%d numbers are left", len(numbers))
		}
		h.frames = append(h.frames, places)
	}
	if len(h.frames) != count {
		t.Errorf("%d frames, want %d", len(h.frames), count)
	}
	return h
}

// bvhPlaces are the joints of the file by what they are the places of.
var bvhPlaces = map[string][]keypoint.Part{
	"Hips": {keypoint.LeftHip, keypoint.RightHip}, "Spine": {keypoint.LeftHip, keypoint.RightHip},
	"Chest": {keypoint.LeftShoulder, keypoint.RightShoulder}, "Neck": {keypoint.LeftShoulder, keypoint.RightShoulder},
	"Head": {keypoint.LeftEar, keypoint.RightEar}, "Head+": {keypoint.Nose},
	"LeftUpLeg": {keypoint.LeftHip}, "LeftLeg": {keypoint.LeftKnee}, "LeftFoot": {keypoint.LeftAnkle}, "LeftLeg+": {keypoint.LeftAnkle}, "LeftFoot+": {keypoint.LeftBigToe},
	"RightUpLeg": {keypoint.RightHip}, "RightLeg": {keypoint.RightKnee}, "RightFoot": {keypoint.RightAnkle}, "RightLeg+": {keypoint.RightAnkle}, "RightFoot+": {keypoint.RightBigToe},
	"LeftArm": {keypoint.LeftShoulder}, "LeftForeArm": {keypoint.LeftElbow}, "LeftForeArm+": {keypoint.LeftWrist},
	"RightArm": {keypoint.RightShoulder}, "RightForeArm": {keypoint.RightElbow}, "RightForeArm+": {keypoint.RightWrist},
}

// dolls is a recording of the doll in space, which turns around, with a foot, 30 frames per second.
func dolls(frames int) keypoint.Sequence {
	seq := keypoint.Sequence{Space: &keypoint.Space{Unit: keypoint.Metres}}
	for i := range frames {
		time := float64(i) / 30
		at := sample.Doll(time)
		at[keypoint.LeftBigToe] = at[keypoint.LeftAnkle].Add(mgl64.Rotate3DY(0.7 * time).Mul3x1(mgl64.Vec3{0.03, -0.05, 0.2}))
		var places keypoint.Positions
		for p, v := range at {
			if part := keypoint.Part(p); keypoint.Body.Has(part) || part == keypoint.LeftBigToe {
				at[p] = mgl64.Rotate3DY(3 * time).Mul3x1(v)
				places.Set(part, at[p], 0.01)
			}
		}
		var f keypoint.Frame
		for _, p := range places.Present().List() {
			f.Set(p, at[p].Vec2(), 1)
		}
		f.SetPositions(&places)
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, time)
	}
	return seq
}

// bvhOf writes and reads a file.
func bvhOf(t *testing.T, seq keypoint.Sequence) hierarchy {
	t.Helper()
	return readBVH(t, written(t, func(b *bytes.Buffer) error { return formats.Write(b, "bvh", seq) }))
}

// place returns where a joint is in a frame by the keypoints.
func (h hierarchy) place(seq keypoint.Sequence, frame, joint int) (at mgl64.Vec3, seen bool) {
	parts := bvhPlaces[h.names[joint]]
	seen = len(parts) > 0
	for _, p := range parts {
		v, ok := seq.Frames[frame].Positions().At(p)
		at, seen = at.Add(v.Mul(1/float64(len(parts)))), seen && ok
	}
	return at, seen
}

// off returns how far the joints of a file are from the keypoints in a frame, by name; those that are not seen are left out.
func (h hierarchy) off(seq keypoint.Sequence, frame int) map[string]float64 {
	off := map[string]float64{}
	for k, name := range h.names {
		if want, seen := h.place(seq, frame, k); seen {
			off[name] = h.frames[frame][k].Sub(want).Len()
		}
	}
	return off
}

// TestBVH: the skeleton of a file is where the keypoints are, to its digits if the bones keep their lengths, and otherwise as far
// off as the bones on the way there differ from their medians.
func TestBVH(t *testing.T) {
	seq := dolls(90)
	h := bvhOf(t, seq)
	if len(h.names) != 19 || len(h.frames) != 90 || math.Abs(h.step-1./30) > 1e-8 {
		t.Fatalf("%v: %d frames, %v s apart", h.names, len(h.frames), h.step)
	}
	for i := range h.frames {
		off := h.off(seq, i)
		if len(off) != len(h.names) {
			t.Fatalf("frame %d: only %v are known", i, off)
		}
		for name, v := range off {
			if v > 1e-5 {
				t.Errorf("frame %d: %s is %v m off", i, name, v)
			}
		}
	}

	noisy, random := seq.Clone(), rand.New(rand.NewPCG(1, 2))
	for i := range noisy.Frames {
		var places keypoint.Positions
		for _, p := range seq.Frames[i].Positions().Present().List() {
			at, _ := seq.Frames[i].Positions().At(p)
			places.Set(p, at.Add(mgl64.Vec3{random.NormFloat64(), random.NormFloat64(), random.NormFloat64()}.Mul(0.01)), 0.01)
		}
		noisy.Frames[i].SetPositions(&places)
	}
	h = bvhOf(t, noisy)
	for i := range h.frames {
		off := h.off(noisy, i)
		for k, name := range h.names {
			limit := 1e-5
			for j := k; h.parents[j] >= 0; j = h.parents[j] {
				from, _ := h.place(noisy, i, h.parents[j])
				to, _ := h.place(noisy, i, j)
				limit += math.Abs(to.Sub(from).Len() - h.offsets[j].Len())
			}
			if off[name] > limit {
				t.Errorf("frame %d: %s is %v m off, and the lengths of the bones differ by %v m", i, name, off[name], limit)
			}
		}
	}
}

// TestBVHGaps: a joint that is not seen keeps its last turn, and has the first one before it was seen; a lost frame is filled in.
func TestBVHGaps(t *testing.T) {
	seq := dolls(40)
	hide := func(from, to int, parts ...keypoint.Part) {
		for i := from; i < to; i++ {
			var places keypoint.Positions
			for _, p := range seq.Frames[i].Positions().Present().List() {
				if at, _ := seq.Frames[i].Positions().At(p); !slices.Contains(parts, p) {
					places.Set(p, at, 0.01)
				}
			}
			seq.Frames[i].SetPositions(&places)
		}
	}
	hide(0, 10, keypoint.LeftKnee)
	hide(20, 30, keypoint.RightElbow)
	hide(35, 40, keypoint.LeftHip, keypoint.RightHip)
	hide(0, 40, keypoint.LeftEar, keypoint.LeftBigToe)
	h := bvhOf(t, seq)
	if slices.Contains(h.names, "Neck") || slices.Contains(h.names, "LeftFoot") || !slices.Contains(h.names, "LeftLeg+") {
		t.Errorf("%v, without a head and a foot that were never seen", h.names)
	}
	along := func(frame int, from, to string) mgl64.Vec3 { // in the turn of the hips
		at := func(name string) mgl64.Vec3 { return h.frames[frame][slices.Index(h.names, name)] }
		left := at("LeftUpLeg").Sub(at("Hips")).Normalize()
		way := at(to).Sub(at(from))
		return mgl64.Vec3{way.Dot(left), way[1], way.Dot(left.Cross(mgl64.Vec3{0, 1, 0}))}
	}
	same := func(from, to string, a, b int, want bool) {
		t.Helper()
		if d := along(a, from, to).Sub(along(b, from, to)).Len(); d < 1e-5 != want {
			t.Errorf("%s to %s moves by %v m between frames %d and %d", from, to, d, a, b)
		}
	}
	same("LeftUpLeg", "LeftLeg", 0, 10, true)
	same("LeftUpLeg", "LeftLeg", 10, 11, false)
	same("RightArm", "RightForeArm", 19, 29, true)
	same("RightArm", "RightForeArm", 29, 30, false)
	if h.frames[34][0] != h.frames[39][0] || h.frames[33][0] == h.frames[34][0] {
		t.Errorf("the hips are at %v after %v", h.frames[39][0], h.frames[34][0])
	}
	seq = dolls(12)
	hips, _ := seq.Frames[6].Positions().Centroid(keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip))
	seq.Frames, seq.Times = slices.Delete(seq.Frames, 6, 7), slices.Delete(seq.Times, 6, 7)
	if h := bvhOf(t, seq); len(h.frames) != 12 || h.frames[6][0].Sub(hips).Len() > 0.01 {
		t.Errorf("%d frames with a lost one", len(h.frames))
	}
}

// TestBVHAngles: every turn is written, also that in which the first and the last angle are about the same line.
func TestBVHAngles(t *testing.T) {
	seq := dolls(1)
	for _, way := range []mgl64.Vec3{{0, 0, 1}, {0, 1e-9, 1}, {0, 0, -1}, {1}, {-1}, {0, -1}, {0.3, 0.2, -0.9}} {
		var places keypoint.Positions
		for _, p := range seq.Frames[0].Positions().Present().List() {
			at, _ := seq.Frames[0].Positions().At(p)
			if p == keypoint.LeftKnee {
				hip, _ := places.At(keypoint.LeftHip)
				at = hip.Add(way)
			}
			places.Set(p, at, 0)
		}
		seq.Frames[0].SetPositions(&places)
		h := bvhOf(t, seq)
		for name, v := range h.off(seq, 0) {
			if v > 1e-5 {
				t.Errorf("%v: %s is %v m off", way, name, v)
			}
		}
	}
}

func TestBVHRefused(t *testing.T) {
	flat, headless, lost, far := dolls(2), dolls(2), spatial(0, 0.04), dolls(2)
	flat.Space, headless.Times, far.Times[1] = nil, nil, 1e9
	for want, seq := range map[string]keypoint.Sequence{
		"BVH: positions: the recording is in a plane, want one in space": flat,
		"BVH: Time: the sequence has no times":                           headless,
		"BVH: positions: no frame has both hips":                         lost,
		"BVH: positions: no frame has both hips, ":                       {Space: &keypoint.Space{Unit: "m"}, Times: []float64{}},
		"BVH: frames: there are more than 65535":                         withMore(far),
	} {
		var b bytes.Buffer
		err := formats.Write(&b, "bvh", seq)
		if err == nil || !strings.Contains(err.Error(), want) || !errors.Is(err, keypoint.ErrInvalid) || b.Len() > 0 {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if err := formats.Write(broken{}, "bvh", dolls(2)); !errors.Is(err, errBroken) {
		t.Error(err)
	}
}

// withMore returns a recording with steady frames before its last one, so that its rate is theirs.
func withMore(seq keypoint.Sequence) keypoint.Sequence {
	more := dolls(40)
	more.Frames, more.Times = append(more.Frames, seq.Frames[1]), append(more.Times, seq.Times[1])
	return more
}
