package ensemble

import (
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
)

const (
	share = 0.4 // of the frames in which the last member may look, over time
	most  = 2.0 // looks that it may have saved
)

// memory is what an ensemble knows of somebody whom it follows.
type memory struct {
	credit float64                          // looks that the last member may take
	parts  keypoint.Parts                   // of which the last member's offset is known
	offset [keypoint.NumBody]keypoint.Point // of its latest look from the first member's, torso lengths
}

// recall returns what was kept, with the share of this frame.
func recall(m *inference.Memory) memory {
	if m != nil {
		if known, ok := m.Before.(memory); ok {
			known.credit = min(known.credit+share, most)
			return known
		}
	}
	return memory{credit: most}
}

// keep keeps it for a later frame.
func (m memory) keep(in *inference.Memory) {
	if in != nil {
		in.After = m
	}
}

// learn takes a look of the last member into account.
func (m *memory) learn(first, last *keypoint.Frame) {
	m.credit--
	torso := size([]keypoint.Frame{*first, *last})
	for p := range keypoint.Part(keypoint.NumBody) {
		a, ok := first.At(p)
		b, also := last.At(p)
		if d := b.Sub(a).Mul(1 / torso); ok && also && d.Len() <= agreement {
			m.parts, m.offset[p] = m.parts|keypoint.PartsOf(p), d
		}
	}
}

// apply moves the parts of the first look to the middle of it and the look that the last member would have.
func (m *memory) apply(first *keypoint.Frame) {
	torso := size([]keypoint.Frame{*first})
	for _, p := range (m.parts & first.Present()).List() {
		at, _ := first.At(p)
		first.Set(p, at.Add(m.offset[p].Mul(torso/2)), first.Confidence(p))
	}
}
