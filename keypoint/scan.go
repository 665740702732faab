package keypoint

import "strconv"

// scanner reads the JSON form of a Sequence without encoding/json, which would take most
// of the time of a job on a long movie. It knows the members and nothing else: whatever
// it does not expect (escapes, nulls, other members, mistakes) it leaves to the general
// decoder, which also says what is wrong.
type scanner struct {
	b  []byte
	at int
	ok bool // nothing unexpected so far
}

// sequence reads a whole document.
func (s *scanner) sequence() (d document) {
	scores := false
	s.object(func(name []byte) {
		switch string(name) {
		case "width":
			d.Width = s.integer()
		case "height":
			d.Height = s.integer()
		case "timestamps":
			d.Timestamps = []float64{}
			s.array(func() { d.Timestamps = append(d.Timestamps, s.number()) })
		case "keypoint":
			s.ok = s.ok && d.Keypoint == nil
			d.Keypoint = []Frame{}
			s.array(func() {
				d.Keypoint = append(d.Keypoint, Frame{})
				s.frame(&d.Keypoint[len(d.Keypoint)-1])
			})
		case "scores":
			s.ok = s.ok && !scores && d.Keypoint != nil // they come after their frames
			scores = true
			i := 0
			s.array(func() {
				if s.ok = s.ok && i < len(d.Keypoint); s.ok {
					s.scores(&d.Keypoint[i])
				}
				i++
			})
			s.ok = s.ok && i == len(d.Keypoint)
		default:
			s.ok = false
		}
	})
	s.space()
	s.ok = s.ok && s.at == len(s.b) && d.Keypoint != nil
	return d
}

func (s *scanner) frame(f *Frame) {
	s.object(func(name []byte) {
		p, known := partNamed(name)
		s.ok = s.ok && known && !f.Has(p)
		s.expect('[')
		x := s.number()
		s.expect(',')
		y := s.number()
		s.expect(']')
		if s.ok {
			f.Set(p, Point{x, y}, 1)
		}
	})
}

// scores reads the confidences of a frame: one for each of its parts.
func (s *scanner) scores(f *Frame) {
	var seen Parts
	s.object(func(name []byte) {
		p, known := partNamed(name)
		if s.ok = s.ok && known && f.Has(p) && !seen.Has(p); !s.ok {
			return
		}
		seen |= 1 << p
		f.Set(p, f.points[p], s.number())
	})
	s.ok = s.ok && seen == f.present
}

func partNamed(name []byte) (Part, bool) {
	for p, n := range partNames {
		if n == string(name) {
			return Part(p), true
		}
	}
	return 0, false
}

func (s *scanner) space() {
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// is reads a byte if it comes next.
func (s *scanner) is(c byte) bool {
	s.space()
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
}

func (s *scanner) expect(c byte) {
	if s.ok && !s.is(c) {
		s.ok = false
	}
}

// list reads elements parted by commas up to the closing bracket.
func (s *scanner) list(open, end byte, element func()) {
	s.expect(open)
	if !s.ok || s.is(end) {
		return
	}
	for s.ok {
		element()
		if s.ok && s.is(end) {
			return
		}
		s.expect(',')
	}
}

func (s *scanner) array(element func()) { s.list('[', ']', element) }

func (s *scanner) object(member func(name []byte)) {
	s.list('{', '}', func() {
		s.expect('"')
		from := s.at
		for s.at < len(s.b) && s.b[s.at] != '"' && s.b[s.at] != '\\' {
			s.at++
		}
		name := s.b[from:s.at]
		s.expect('"')
		s.expect(':')
		if s.ok {
			member(name)
		}
	})
}

func (s *scanner) integer() int {
	v := s.number()
	n := int(v)
	s.ok = s.ok && float64(n) == v
	return n
}

// tens are the powers of ten that a float64 holds exactly.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// number reads a number. Up to 15 digits without an exponent it is the quotient of two
// numbers that a float64 holds exactly, and so correctly rounded.
func (s *scanner) number() float64 {
	s.space()
	from := s.at
	negative := s.at < len(s.b) && s.b[s.at] == '-'
	if negative {
		s.at++
	}
	digits, decimals, mantissa := 0, -1, int64(0)
	first := s.at
	for ; s.at < len(s.b); s.at++ {
		c := s.b[s.at]
		if c == '.' && decimals < 0 && digits > 0 {
			decimals = 0
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		if digits++; digits <= 15 {
			mantissa = mantissa*10 + int64(c-'0')
		}
		if decimals >= 0 {
			decimals++
		}
	}
	leadingZero := digits-max(decimals, 0) > 1 && s.b[first] == '0'
	exponent := s.at < len(s.b) && (s.b[s.at] == 'e' || s.b[s.at] == 'E')
	if digits == 0 || decimals == 0 || leadingZero || exponent {
		s.ok = false
		return 0
	}
	if digits > 15 {
		v, err := strconv.ParseFloat(string(s.b[from:s.at]), 64)
		s.ok = s.ok && err == nil
		return v
	}
	v := float64(mantissa) / tens[max(decimals, 0)]
	if negative {
		return -v
	}
	return v
}
