package clean

import "github.com/bodymotion/motion/keypoint"

const (
	// coincide is the distance in torso lengths below which two parts are in one place.
	coincide = 0.05
	// unsure is the confidence below which a part may be in the place of another by mistake.
	unsure = 0.5
)

// removeCoincident removes the less sure of two parts in one place if its confidence is below unsure:
// networks put the hidden elbow of a side view where they see the other one. Of two parts of one
// confidence it removes the later one in the COCO order. Frames without a torso keep all parts.
func removeCoincident(seq keypoint.Sequence, report *Report) {
	for i := range seq.Frames {
		f := &seq.Frames[i]
		torso, ok := f.TorsoLength()
		if !ok {
			continue
		}
		before := *f
		for _, p := range before.Present().List() {
			if before.Confidence(p) < unsure && surer(&before, p, coincide*torso) {
				f.Unset(p)
				report.Changes[i][p] |= Coincident
			}
		}
	}
}

// surer reports whether a surer part lies within a distance of part p.
func surer(f *keypoint.Frame, p keypoint.Part, within float64) bool {
	at, _ := f.At(p)
	for _, q := range f.Present().List() {
		other, _ := f.At(q)
		c, d := f.Confidence(p), f.Confidence(q)
		if q != p && (d > c || d == c && q < p) && other.Sub(at).Len() <= within {
			return true
		}
	}
	return false
}
