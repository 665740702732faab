package keypoint

import "github.com/bodymotion/motion/internal/scan"

// scanSequence reads the JSON form of a Sequence; ok is false for whatever is not just as
// MarshalJSON writes it, apart from spaces.
func scanSequence(data []byte) (d document, ok bool) {
	s := scan.New(data)
	scores := false
	for n := 0; s.Next('{', '}', n); n++ {
		switch string(s.Name()) {
		case "width":
			d.Width = s.Integer()
		case "height":
			d.Height = s.Integer()
		case "timestamps":
			d.Timestamps = []float64{}
			for i := 0; s.Next('[', ']', i); i++ {
				d.Timestamps = append(d.Timestamps, s.Number())
			}
		case "keypoint":
			s.OK = s.OK && d.Keypoint == nil
			d.Keypoint = []Frame{}
			for i := 0; s.Next('[', ']', i); i++ {
				d.Keypoint = append(d.Keypoint, Frame{})
				scanFrame(s, &d.Keypoint[i])
			}
		case "scores":
			s.OK = s.OK && !scores && d.Keypoint != nil // they come after their frames
			scores = true
			i := 0
			for ; s.Next('[', ']', i); i++ {
				if s.OK = s.OK && i < len(d.Keypoint); s.OK {
					scanScores(s, &d.Keypoint[i])
				}
			}
			s.OK = s.OK && i == len(d.Keypoint)
		default:
			s.OK = false
		}
	}
	return d, s.OK && s.End() && d.Keypoint != nil
}

// scanFrame reads the API's form of a frame into a zero Frame.
func scanFrame(s *scan.Scanner, f *Frame) (ok bool) {
	for n := 0; s.Next('{', '}', n); n++ {
		p := scanPart(s, Part(n))
		s.Expect('[')
		x := s.Number()
		s.Expect(',')
		y := s.Number()
		s.Expect(']')
		if s.OK = s.OK && !f.Has(p); s.OK {
			f.Set(p, Point{x, y}, 1)
		}
	}
	return s.OK
}

// scanScores reads the confidences of a frame: one for each of its parts.
func scanScores(s *scan.Scanner, f *Frame) (ok bool) {
	var seen Parts
	for n := 0; s.Next('{', '}', n); n++ {
		p := scanPart(s, Part(n))
		if s.OK = s.OK && f.Has(p) && !seen.Has(p); s.OK {
			seen |= 1 << p
			f.Set(p, f.points[p], s.Number())
		}
	}
	s.OK = s.OK && seen == f.present
	return s.OK
}

// scanPart reads the name of a part and the colon. Most often it is the one that is
// expected.
func scanPart(s *scan.Scanner, expected Part) Part {
	if expected < NumParts && s.Literal(partMembers[expected]) {
		return expected
	}
	name := s.Name()
	for p, n := range partNames {
		if n == string(name) {
			return Part(p)
		}
	}
	s.OK = false
	return 0
}
