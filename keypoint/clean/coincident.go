package clean

import "github.com/bodymotion/motion/keypoint"

const (
	// coincide is the distance in torso lengths below which two parts are in one place.
	coincide = 0.05
	// unsure is the confidence below which a part may be in the place of another by mistake.
	unsure = 0.5
	// glued is subtracted from the confidence of an elbow or wrist in the place of its mirror part. On rendered side views such a part is
	// as often wrong as a free one whose confidence is lower by that much; glued knees and ankles are as often right as free ones.
	glued = 0.15
)

// gluing are the parts that networks put into the place of their mirror parts if they are hidden.
const gluing = 1<<keypoint.LeftElbow | 1<<keypoint.RightElbow | 1<<keypoint.LeftWrist | 1<<keypoint.RightWrist

// beside returns the parts whose place a part must not share. The 17 parts of the body are judged without the feet. The parts of a
// foot and its ankle lie behind each other in many views, so that a foot is compared with all parts but its own.
func beside(p keypoint.Part) keypoint.Parts {
	if keypoint.Body.Has(p) {
		return keypoint.Body
	}
	own := keypoint.PartsOf(keypoint.LeftAnkle, keypoint.LeftBigToe, keypoint.LeftSmallToe, keypoint.LeftHeel)
	if !own.Has(p) {
		own = keypoint.PartsOf(keypoint.RightAnkle, keypoint.RightBigToe, keypoint.RightSmallToe, keypoint.RightHeel)
	}
	return keypoint.All &^ own
}

// removeCoincident removes the less sure of two parts in one place if its confidence is below unsure: networks put the hidden elbow of a
// side view where they see the other one. Of two equally sure parts it removes the later one in COCO order. If an elbow or wrist remains in
// the place of its mirror part, the confidence of the less sure one is reduced. Frames without a torso are not changed.
func removeCoincident(seq keypoint.Sequence, report *Report) {
	for i := range seq.Frames {
		f := &seq.Frames[i]
		torso, ok := f.TorsoLength()
		if !ok {
			continue
		}
		before := *f
		for _, p := range before.Present().List() {
			at, _ := before.At(p)
			c := before.Confidence(p)
			twin := before.Present() & keypoint.PartsOf(p.Mirror())
			switch {
			case c < unsure && surer(&before, p, before.Present()&beside(p), coincide*torso):
				f.Unset(p)
				report.Changes[i][p] |= Coincident
			case keypoint.Parts(gluing).Has(p) && surer(&before, p, twin, coincide*torso):
				f.Set(p, at, c-glued)
				report.Changes[i][p] |= Doubted
			}
		}
	}
}

// surer reports whether a surer one of some parts lies within a distance of part p.
func surer(f *keypoint.Frame, p keypoint.Part, of keypoint.Parts, within float64) bool {
	at, _ := f.At(p)
	for _, q := range of.List() {
		other, _ := f.At(q)
		c, d := f.Confidence(p), f.Confidence(q)
		if q != p && (d > c || d == c && q < p) && other.Sub(at).Len() <= within {
			return true
		}
	}
	return false
}
