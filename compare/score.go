package compare

import "github.com/bodymotion/motion/keypoint"

// Score is the similarity of two recordings, 0 to 1; 1 means the same movement. Overall is that of the shoulders, elbows,
// wrists, knees and ankles together: without the hips, which are the centre, the head and the feet.
//
// With s and t as in Difference, in torso lengths, d = t − s, means and variances over the frames, and
// both added up over shoulders, elbows, wrists, knees and ankles,
//
//	score = 1 − (variance of d + |mean of d|² / 5) / (variance of s + variance of t + 0.12²)
//
// and at least 0. It is the concordance correlation coefficient of Lin (A Concordance Correlation Coefficient to Evaluate
// Reproducibility, Biometrics 45, 1989), which would count the mean in full and in the denominator too. Here another posture
// counts less than another movement, because camera, clothes and proportions change it; and a person who stands still is
// measured against 0.12 torso lengths. Parts count by the number of frames that show them. The score of a part is the same of
// that part alone. Where neither shoulders nor limbs are seen, all parts count.
//
// Repetitions of one person score 0.9 or more, unrelated movements 0.5 or less, seen from the same
// side; internal/lab/README.md has the measurements.
type Score struct {
	Overall float64                   `json:"overall"`
	Parts   map[keypoint.Part]float64 `json:"parts"` // of the parts that were compared
}

// scored are the parts that count for the overall score.
var scored = (keypoint.UpperBody | keypoint.LowerBody) &^ hips

const (
	// postureWeight is the weight of the squared mean displacement against the variance of the displacements.
	postureWeight = 0.2
	// stillness is added to the variances, in squared torso lengths: people who stand still are measured against 0.12 torso lengths.
	stillness = 0.12 * 0.12
)

// moments are sums over the frames that show a part in both recordings, in torso lengths from the centre of the body.
type moments struct {
	frames         float64
	source, target spread
	displacement   spread // target minus source
}

// spread is the sum of points and that of their squared lengths.
type spread struct {
	sum     keypoint.Point
	squares float64
}

func (s *spread) add(p keypoint.Point) {
	s.sum = s.sum.Add(p)
	s.squares += p.Dot(p)
}

// posture returns n times the squared mean.
func (s *spread) posture(n float64) float64 { return s.sum.Dot(s.sum) / n }

// movement returns n times the variance.
func (s *spread) movement(n float64) float64 { return max(0, s.squares-s.posture(n)) }

func (m *moments) add(source, target keypoint.Point) {
	m.frames++
	m.source.add(source)
	m.target.add(target)
	m.displacement.add(target.Sub(source))
}

// score returns the similarity of recordings, and nil if no part was compared.
func score(all *[keypoint.NumParts]moments) *Score {
	var compared keypoint.Parts
	for p := range all {
		if all[p].frames > 0 {
			compared |= keypoint.PartsOf(keypoint.Part(p))
		}
	}
	if compared == 0 {
		return nil
	}
	counted := compared & scored
	if counted == 0 { // only the head or the hips
		counted = compared
	}
	s := &Score{Parts: map[keypoint.Part]float64{}}
	var difference, scale float64
	for _, p := range compared.List() {
		m := &all[p] // both of what follows are times the number of frames
		d := m.displacement.movement(m.frames) + postureWeight*m.displacement.posture(m.frames)
		v := m.source.movement(m.frames) + m.target.movement(m.frames) + stillness*m.frames
		s.Parts[p] = similarity(d, v)
		if counted.Has(p) {
			difference, scale = difference+d, scale+v
		}
	}
	s.Overall = similarity(difference, scale)
	return s
}

// similarity is 1 minus the difference as a share of the scale, and at least 0.
func similarity(difference, scale float64) float64 {
	if s := 1 - difference/scale; s > 0 {
		return s
	}
	return 0 // also for NaN, from coordinates that overflow
}
