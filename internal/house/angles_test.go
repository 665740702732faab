package house_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"testing"

	"github.com/fogleman/gg"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
)

var update = flag.Bool("update", false, "draw docs/angles.png anew")

// panel is a drawing of a named angle.
type panel struct {
	kind  analyze.Type
	front bool
	value float64 // which the drawing shows and the analysis must find
	pose  stick
	at    keypoint.Part // where the arc is
	reach float64       // of the zero line
}

// stick is a stick figure by its angles in degrees, as in the definitions.
type stick struct{ trunk, neck, hip, knee, ankle, shoulder, elbow, abduction, tilt, valgus, level float64 }

var panels = []panel{
	{kind: analyze.KneeFlexion, value: 60, pose: stick{trunk: 8, hip: 40, knee: 60, shoulder: 10, elbow: 15}, at: keypoint.LeftKnee, reach: 60},
	{kind: analyze.HipFlexion, value: 70, pose: stick{trunk: 5, hip: 70, knee: 75, shoulder: -10, elbow: 20}, at: keypoint.LeftHip, reach: 60},
	{kind: analyze.AnkleDorsiflexion, value: 20, pose: stick{trunk: 15, hip: 40, knee: 45, ankle: 20, shoulder: 10, elbow: 15}, at: keypoint.LeftHeel, reach: 60},
	{kind: analyze.ElbowFlexion, value: 80, pose: stick{shoulder: 5, elbow: 80}, at: keypoint.LeftElbow, reach: 45},
	{kind: analyze.ShoulderFlexion, value: 65, pose: stick{shoulder: 65, elbow: 10}, at: keypoint.LeftShoulder, reach: 55},
	{kind: analyze.ShoulderAbduction, value: 70, front: true, pose: stick{abduction: 70}, at: keypoint.LeftShoulder, reach: 55},
	{kind: analyze.TrunkLean, value: 35, pose: stick{trunk: 35, hip: 60, knee: 30, ankle: 5, shoulder: 30, elbow: 20}, at: keypoint.LeftHip, reach: 75},
	{kind: analyze.PelvicTilt, value: 15, front: true, pose: stick{tilt: 15, abduction: 10}, at: keypoint.RightHip, reach: 50},
	{kind: analyze.NeckFlexion, value: 30, pose: stick{neck: 30, shoulder: 10, elbow: 15}, at: keypoint.LeftShoulder, reach: 50},
	{kind: analyze.KneeValgus, value: 20, front: true, pose: stick{valgus: 20}, at: keypoint.LeftKnee, reach: 50},
	{kind: analyze.HipAbduction, value: 30, front: true, pose: stick{hip: 28}, at: keypoint.LeftHip, reach: 60},
	{kind: analyze.TrunkSideLean, value: 20, front: true, pose: stick{trunk: 20}, at: keypoint.LeftHip, reach: 80},
	{kind: analyze.ShoulderLevel, value: 12, front: true, pose: stick{level: 12}, at: keypoint.RightShoulder, reach: 60},
}

const panelWidth, panelHeight = 280, 320

// TestAnglesDrawing holds that docs/angles.png shows each named angle as the analysis computes it. With
// -update it draws it anew.
func TestAnglesDrawing(t *testing.T) {
	dc := gg.NewContext(3*panelWidth, (len(panels)+2)/3*panelHeight)
	dc.SetHexColor("#ffffff")
	dc.Clear()
	font, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(font, &opentype.FaceOptions{Size: 17, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	dc.SetFontFace(face)
	drawn := map[analyze.Type]bool{}
	for i, p := range panels {
		drawn[p.kind] = true
		rule := analyze.Rule{Type: p.kind}
		if p.kind.Sided() {
			rule.Side = analyze.LeftSide
		}
		f := p.pose.frame(p.front)
		results, err := analyze.Run(keypoint.Sequence{Frames: []keypoint.Frame{f}}, []analyze.Rule{rule})
		if err != nil {
			t.Fatal(err)
		}
		if v := results[0].Values[0]; !v.Present || math.Abs(v.X-p.value) > 1e-6 {
			t.Errorf("%s is %+v, the drawing shows %v", p.kind, v, p.value)
		}
		dc.Push()
		dc.Translate(float64(i%3*panelWidth), float64(i/3*panelHeight))
		p.draw(dc, &f)
		dc.Pop()
	}
	for _, kind := range analyze.Angles() {
		if !drawn[kind] {
			t.Errorf("%s is not drawn", kind)
		}
	}
	const name = "docs/angles.png"
	if *update {
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, dc.Image()); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := gg.LoadPNG(name)
	if err != nil {
		t.Fatal(err)
	}
	if committed.Bounds() != dc.Image().Bounds() || different(committed, dc.Image()) > 0.001 {
		t.Errorf("%s shows something else: go test ./internal/house -run AnglesDrawing -update", name)
	}
}

// different returns the share of the pixels that differ clearly.
func different(a, b image.Image) float64 {
	n := 0
	r := a.Bounds()
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			v, _, _, _ := a.At(x, y).RGBA()
			w, _, _, _ := b.At(x, y).RGBA()
			if v > w+0x3000 || w > v+0x3000 {
				n++
			}
		}
	}
	return float64(n) / float64(r.Dx()*r.Dy())
}

// frame returns the figure, seen from the side and facing the right, or from the front.
func (s stick) frame(front bool) (f keypoint.Frame) {
	from := func(at keypoint.Point, length, degrees float64) keypoint.Point { // degrees from straight down to the right
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		return at.Add(keypoint.Point{length * sin, length * cos})
	}
	both := func(left keypoint.Part, l, r keypoint.Point) { f.Set(left, l, 1); f.Set(left.Mirror(), r, 1) }
	if front { // the left is on the right of the picture
		hips := keypoint.Point{140, 200}
		shoulders := from(hips, 78, 180+s.trunk)
		right := from(hips, 15, -90+s.tilt)
		left := from(hips, 15, 90+s.tilt)
		both(keypoint.LeftHip, left, right)
		side, aside := from(shoulders, 26, 90+s.level), from(shoulders, 26, -90+s.level)
		both(keypoint.LeftShoulder, side, aside)
		knee, otherKnee := from(left, 50, 2+s.hip-s.valgus/2), from(right, 50, -2)
		both(keypoint.LeftKnee, knee, otherKnee)
		both(keypoint.LeftAnkle, from(knee, 50, 2+s.hip+s.valgus/2), from(otherKnee, 50, -2))
		elbow := from(side, 42, s.abduction)
		other := from(aside, 42, -10)
		both(keypoint.LeftElbow, elbow, other)
		both(keypoint.LeftWrist, from(elbow, 38, s.abduction), from(other, 38, -5))
		head := from(shoulders, 35, 180+s.trunk)
		both(keypoint.LeftEar, head.Add(keypoint.Point{13}), head.Sub(keypoint.Point{13}))
		f.Set(keypoint.Nose, head.Add(keypoint.Point{0, 5}), 1)
		return f
	}
	hip := keypoint.Point{125, 190}
	neck := from(hip, 78, 180-s.trunk)
	ear := from(neck, 33, 180-s.trunk-s.neck)
	thigh := s.hip - s.trunk
	shank := thigh - s.knee
	knee := from(hip, 55, thigh)
	ankle := from(knee, 53, shank)
	heel := from(ankle, 9, shank)
	arm := s.shoulder - s.trunk
	elbow := from(neck, 42, arm)
	f.Set(keypoint.Nose, from(ear, 20, 90-s.trunk-s.neck), 1)
	for part, at := range map[keypoint.Part]keypoint.Point{
		keypoint.LeftEar: ear, keypoint.LeftShoulder: neck, keypoint.LeftElbow: elbow, keypoint.LeftWrist: from(elbow, 38, arm+s.elbow),
		keypoint.LeftHip: hip, keypoint.LeftKnee: knee, keypoint.LeftAnkle: ankle, keypoint.LeftHeel: heel,
		keypoint.LeftBigToe: from(heel, 34, shank+90+s.ankle),
	} {
		both(part, at, at)
	}
	return f
}

// draw paints the figure, the line of the value 0 and the arc of the value.
func (p panel) draw(dc *gg.Context, f *keypoint.Frame) {
	at := func(part keypoint.Part) keypoint.Point { pt, _ := f.At(part); return pt }
	line := func(parts ...keypoint.Part) {
		for i, part := range parts {
			pt := at(part)
			if i == 0 {
				dc.MoveTo(pt[0], pt[1])
			}
			dc.LineTo(pt[0], pt[1])
		}
		dc.Stroke()
	}
	dc.SetLineCapRound()
	dc.SetLineJoinRound()
	dc.SetHexColor("#b8c0c8")
	dc.SetLineWidth(11)
	line(keypoint.LeftShoulder, keypoint.LeftElbow, keypoint.LeftWrist)
	line(keypoint.RightShoulder, keypoint.RightElbow, keypoint.RightWrist)
	line(keypoint.LeftHip, keypoint.LeftKnee, keypoint.LeftAnkle)
	line(keypoint.RightHip, keypoint.RightKnee, keypoint.RightAnkle)
	line(keypoint.LeftShoulder, keypoint.RightShoulder, keypoint.RightHip, keypoint.LeftHip, keypoint.LeftShoulder)
	if f.Has(keypoint.LeftHeel) {
		line(keypoint.LeftAnkle, keypoint.LeftHeel, keypoint.LeftBigToe)
	}
	ears, _ := keypoint.MidpointSelector(keypoint.LeftEar, keypoint.RightEar).At(f)
	shoulders, _ := keypoint.MidpointSelector(keypoint.LeftShoulder, keypoint.RightShoulder).At(f)
	dc.DrawLine(ears[0], ears[1], shoulders[0], shoulders[1])
	dc.Stroke()
	dc.DrawCircle(ears[0], ears[1], 17)
	dc.Fill()
	dc.SetLineWidth(5)
	nose := at(keypoint.Nose)
	dc.DrawLine(ears[0], ears[1], nose[0], nose[1])
	dc.Stroke()

	// The directions on screen, counter-clockwise from the right, of the value 0 and of the limb.
	limb := map[analyze.Type][2]keypoint.Part{
		analyze.KneeFlexion: {keypoint.LeftKnee, keypoint.LeftAnkle}, analyze.HipFlexion: {keypoint.LeftHip, keypoint.LeftKnee},
		analyze.AnkleDorsiflexion: {keypoint.LeftHeel, keypoint.LeftBigToe}, analyze.ElbowFlexion: {keypoint.LeftElbow, keypoint.LeftWrist},
		analyze.ShoulderFlexion: {keypoint.LeftShoulder, keypoint.LeftElbow}, analyze.ShoulderAbduction: {keypoint.LeftShoulder, keypoint.LeftElbow},
		analyze.TrunkLean: {keypoint.LeftHip, keypoint.LeftShoulder}, analyze.PelvicTilt: {keypoint.RightHip, keypoint.LeftHip},
		analyze.NeckFlexion: {keypoint.LeftShoulder, keypoint.LeftEar}, analyze.KneeValgus: {keypoint.LeftKnee, keypoint.LeftAnkle},
		analyze.HipAbduction: {keypoint.LeftHip, keypoint.LeftKnee}, analyze.TrunkSideLean: {keypoint.LeftHip, keypoint.LeftShoulder},
		analyze.ShoulderLevel: {keypoint.RightShoulder, keypoint.LeftShoulder},
	}[p.kind]
	a, b := at(limb[0]), at(limb[1])
	if p.kind == analyze.TrunkSideLean {
		a, b = a.Add(at(keypoint.RightHip)).Mul(0.5), shoulders
	}
	to := math.Atan2(b[1]-a[1], b[0]-a[0])
	turn := p.value * math.Pi / 180 // clockwise from the value 0 to the limb
	switch p.kind {
	case analyze.HipFlexion, analyze.AnkleDorsiflexion, analyze.ElbowFlexion, analyze.ShoulderFlexion, analyze.ShoulderAbduction, analyze.PelvicTilt,
		analyze.KneeValgus, analyze.HipAbduction, analyze.TrunkSideLean, analyze.ShoulderLevel:
		turn = -turn
	}
	zero := to - turn
	vertex := at(p.at)
	if p.kind == analyze.TrunkSideLean {
		vertex = a
	}
	dc.SetHexColor("#d03020")
	dc.SetLineWidth(4)
	dc.DrawLine(a[0], a[1], b[0], b[1])
	dc.Stroke()
	dc.SetLineWidth(2)
	dc.SetDash(6, 5)
	dc.DrawLine(vertex[0], vertex[1], vertex[0]+p.reach*math.Cos(zero), vertex[1]+p.reach*math.Sin(zero))
	dc.Stroke()
	dc.SetDash()
	radius := 0.62 * p.reach
	dc.DrawArc(vertex[0], vertex[1], radius, zero, to)
	dc.Stroke()
	tip := keypoint.Point{vertex[0] + radius*math.Cos(to), vertex[1] + radius*math.Sin(to)}
	for _, side := range []float64{0.45, -0.45} { // the arrow head
		back := to + math.Pi/2 + side
		if turn > 0 {
			back = to - math.Pi/2 + side
		}
		dc.DrawLine(tip[0], tip[1], tip[0]+9*math.Cos(back), tip[1]+9*math.Sin(back))
	}
	dc.Stroke()
	dc.SetHexColor("#202428")
	plane := "from the side"
	if p.front {
		plane = "from the front"
	}
	dc.DrawStringAnchored(fmt.Sprintf("%s  %+.0f°", p.kind, p.value), panelWidth/2, 18, 0.5, 0.5)
	dc.SetHexColor("#707880")
	dc.DrawStringAnchored(plane, panelWidth/2, 38, 0.5, 0.5)
}
