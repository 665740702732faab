package formats

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
)

// bvhJoint is a joint of a skeleton, or the end of a bone if it has no children.
type bvhJoint struct {
	name     string
	rest     mgl64.Vec3     // the direction from its parent at rest, with the arms out sideways; zero: it is where that is
	at       keypoint.Parts // in the middle of these
	children []*bvhJoint    // its bone goes to the first one

	length float64    // from its parent
	turn   mgl64.Quat // in its parent, at rest or the last one
}

// bvhSkeleton returns the hips with all that hangs on them.
func bvhSkeleton() *bvhJoint {
	joint := func(name string, rest mgl64.Vec3, at keypoint.Parts, children ...*bvhJoint) *bvhJoint {
		return &bvhJoint{name: name, rest: rest, at: at, children: children, turn: mgl64.QuatIdent()}
	}
	up, down, forward := mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, -1, 0}, mgl64.Vec3{0, 0, 1}
	hips, shoulders := keypoint.PartsOf(keypoint.LeftHip, keypoint.RightHip), keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder)
	var legs, arms []*bvhJoint
	for k, side := range []string{"Left", "Right"} {
		of := func(left keypoint.Part) keypoint.Parts { return keypoint.PartsOf(left + keypoint.Part(k)) }
		out := mgl64.Vec3{1 - 2*float64(k)}
		foot := joint(side+"Foot", down, of(keypoint.LeftAnkle), joint("", forward, of(keypoint.LeftBigToe)))
		legs = append(legs, joint(side+"UpLeg", out, of(keypoint.LeftHip), joint(side+"Leg", down, of(keypoint.LeftKnee), foot)))
		arm := joint(side+"ForeArm", out, of(keypoint.LeftElbow), joint("", out, of(keypoint.LeftWrist)))
		arms = append(arms, joint(side+"Arm", out, of(keypoint.LeftShoulder), arm))
	}
	head := joint("Head", up, keypoint.PartsOf(keypoint.LeftEar, keypoint.RightEar), joint("", forward, keypoint.PartsOf(keypoint.Nose)))
	chest := joint("Chest", up, shoulders, append(arms, joint("Neck", mgl64.Vec3{}, shoulders, head))...)
	return joint("Hips", mgl64.Vec3{}, hips, append(legs, joint("Spine", mgl64.Vec3{}, hips, chest))...)
}

// bvh is a recording as a skeleton in motion.
type bvh struct {
	paced
	root       *bvhJoint
	origin, up mgl64.Vec3 // the place of the hips and the way from there to the shoulders, as last seen
}

// writeBVH writes a skeleton that moves at a steady rate: places in the unit of the Space, y up, and angles in degrees. The length
// of a bone is its median; one that is in no frame is left out. Hips turns with the line through both hips and with the trunk. Every
// other joint takes the smallest turn from rest that points its bone to where it is seen, Chest the line through the shoulders:
// how a limb turns about its own length is not seen, so its twist is zero. While its bone is not seen, a joint keeps the last turn,
// or has the first one to come. Angles go on beyond 180° rather than jump.
func writeBVH(w io.Writer, seq keypoint.Sequence) error {
	p, err := pacedOf("BVH", seq)
	b := &bvh{paced: p, root: bvhSkeleton(), up: mgl64.Vec3{0, 1, 0}}
	switch b.measure(b.root); {
	case err != nil:
		return err
	case seq.Space == nil:
		return wrong("BVH", "positions", "the recording is in a plane, want one in space: join recordings of two cameras, or read TRC or C3D with three coordinates")
	case len(b.root.children) == 0:
		return wrong("BVH", "positions", "no frame has both hips, on which all bones hang: want them in one at least")
	}
	out := bufio.NewWriter(w)
	out.WriteString("HIERARCHY\n")
	b.root.describe(out, "", "ROOT Hips", "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n")
	fmt.Fprintf(out, "MOTION\nFrames: %d\nFrame Time: %.8f\n", len(b.frames), 1/b.fps)
	for i := range slices.Backward(b.frames) { // for those before the first one in which a bone is seen
		b.pose(i)
	}
	var last []float64
	for i := range b.frames {
		row := b.pose(i)
		for k := 3; k < len(last); k += 3 {
			near(row[k:], [3]float64(last[k:]))
		}
		for k, v := range row {
			fmt.Fprintf(out, "%s%.6f", separator(k, "", " "), v)
		}
		out.WriteByte('\n')
		last = row
	}
	return out.Flush()
}

// near replaces the three angles of a turn, in degrees, by those of the same turn that are nearest to the last ones.
func near(turn []float64, last [3]float64) {
	same := [3]float64{turn[0] + 180, 180 - turn[1], turn[2] + 180}
	var off, offSame float64
	for i, v := range last {
		turn[i], same[i] = v+math.Remainder(turn[i]-v, 360), v+math.Remainder(same[i]-v, 360)
		off, offSame = off+math.Abs(turn[i]-v), offSame+math.Abs(same[i]-v)
	}
	if offSame < off {
		copy(turn, same[:])
	}
}

// bone returns the way from a joint to another in a frame.
func (b *bvh) bone(frame int, from, to *bvhJoint) (way mgl64.Vec3, ok bool) {
	p, okP := b.place(frame, from.at)
	q, okQ := b.place(frame, to.at)
	return q.Sub(p), okP && okQ
}

// place returns the middle of parts in a frame; ok is false if one is not seen.
func (b *bvh) place(frame int, parts keypoint.Parts) (at mgl64.Vec3, ok bool) {
	at, _ = b.frames[frame].Centroid(parts)
	return at, b.frames[frame].Present()&parts == parts
}

// measure gives the bones below a joint their lengths, and takes away those that no frame has.
func (b *bvh) measure(j *bvhJoint) {
	j.children = slices.DeleteFunc(j.children, func(child *bvhJoint) bool {
		lengths := rank.Known(len(b.frames), func(i int) (float64, bool) {
			way, ok := b.bone(i, j, child)
			return way.Len(), ok
		})
		child.length = rank.Median(lengths)
		b.measure(child)
		return len(lengths) == 0 || child.rest == mgl64.Vec3{} && len(child.children) == 0
	})
}

// describe writes a joint and what hangs on it.
func (j *bvhJoint) describe(out io.Writer, indent, kind, channels string) {
	at := j.rest.Mul(j.length)
	if len(j.children) == 0 {
		kind, channels = "End Site", ""
	}
	fmt.Fprintf(out, "%s%s\n%[1]s{\n%[1]s\tOFFSET %.6[3]f %.6[4]f %.6[5]f\n%[6]s", indent, kind, at[0], at[1], at[2], channels)
	for _, child := range j.children {
		child.describe(out, indent+"\t", "JOINT "+child.name, indent+"\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n")
	}
	fmt.Fprintf(out, "%s}\n", indent)
}

// pose returns the channels of all joints in a frame.
func (b *bvh) pose(frame int) []float64 {
	left, ok := b.bone(frame, b.root, b.root.children[0])
	if ok {
		b.origin, _ = b.place(frame, b.root.at)
	}
	if neck, okN := b.place(frame, keypoint.PartsOf(keypoint.LeftShoulder, keypoint.RightShoulder)); ok && okN {
		b.up = neck.Sub(b.origin)
	}
	if forward := left.Cross(b.up).Normalize(); ok && finite(forward[0]) {
		side := left.Normalize()
		b.root.turn = mgl64.Mat4ToQuat(mgl64.Mat3FromCols(side, forward.Cross(side), forward).Mat4())
	}
	return b.turns(b.origin[:], frame, b.root, mgl64.QuatIdent())
}

// turns appends the angles of a joint and of those that hang on it in a frame.
func (b *bvh) turns(row []float64, frame int, j *bvhJoint, parent mgl64.Quat) []float64 {
	if len(j.children) == 0 {
		return row
	}
	if way, ok := b.bone(frame, j, j.children[0]); ok && way.Len() > 0 && j != b.root {
		j.turn = mgl64.QuatBetweenVectors(j.children[0].rest, parent.Inverse().Rotate(way))
	}
	turn := j.turn.Mat4()
	x, z, y := math.Asin(mgl64.Clamp(turn.At(2, 1), -1, 1)), math.Atan2(-turn.At(0, 1), turn.At(1, 1)), math.Atan2(-turn.At(2, 0), turn.At(2, 2))
	if math.Cos(x) < 1e-6 { // Z and Y turn about the same line
		z, y = math.Atan2(turn.At(1, 0), turn.At(0, 0)), 0
	}
	row = append(row, mgl64.RadToDeg(z), mgl64.RadToDeg(x), mgl64.RadToDeg(y))
	for _, child := range j.children {
		row = b.turns(row, frame, child, parent.Mul(j.turn))
	}
	return row
}
