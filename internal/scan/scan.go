// Package scan reads JSON documents of a known form, fast: encoding/json would take most
// of the time of a job on a long movie. The caller knows the members and nothing else:
// whatever is not expected (escapes, nulls, other members, mistakes) is left to the
// general decoder, which also says what is wrong.
package scan

import "strconv"

// Scanner reads a document. After something unexpected OK is false, and what is read is
// without meaning.
type Scanner struct {
	OK bool

	b  []byte
	at int
}

// New returns a scanner at the start of a document.
func New(document []byte) *Scanner { return &Scanner{OK: true, b: document} }

// Literal reads a text if it comes next, exactly as it stands.
func (s *Scanner) Literal(text string) bool {
	if rest := s.b[s.at:]; len(rest) >= len(text) && string(rest[:len(text)]) == text {
		s.at += len(text)
		return true
	}
	return false
}

// Next reports whether an element of a list comes: the list's opening bracket before the
// first one, a comma before all others. It reads the closing bracket where none comes.
func (s *Scanner) Next(open, end byte, n int) bool {
	if n > 0 {
		if s.OK && s.Is(',') {
			return true
		}
		s.Expect(end)
		return false
	}
	s.Expect(open)
	return s.OK && !s.Is(end)
}

// Name reads the name of a member and the colon.
func (s *Scanner) Name() []byte {
	s.Expect('"')
	from := s.at
	for s.at < len(s.b) && s.b[s.at] != '"' && s.b[s.at] != '\\' {
		s.at++
	}
	name := s.b[from:s.at]
	s.Expect('"')
	s.Expect(':')
	return name
}

func (s *Scanner) space() {
	for s.at < len(s.b) {
		switch s.b[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// End reports whether nothing but space is left.
func (s *Scanner) End() bool {
	s.space()
	return s.at == len(s.b)
}

// Is reads a byte if it comes next.
func (s *Scanner) Is(c byte) bool {
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return s.isAfterSpace(c)
}

func (s *Scanner) isAfterSpace(c byte) bool {
	s.space()
	if s.at < len(s.b) && s.b[s.at] == c {
		s.at++
		return true
	}
	return false
}

// Expect reads a byte that has to come.
func (s *Scanner) Expect(c byte) {
	if !s.Is(c) {
		s.OK = false
	}
}

// Integer reads a whole number.
func (s *Scanner) Integer() int {
	v := s.Number()
	n := int(v)
	s.OK = s.OK && float64(n) == v
	return n
}

// tens are the powers of ten that a float64 holds exactly.
var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// Number reads a number. Up to 15 digits without an exponent it is the quotient of two
// numbers that a float64 holds exactly, and so correctly rounded.
func (s *Scanner) Number() float64 {
	if s.at < len(s.b) && s.b[s.at] <= ' ' {
		s.space()
	}
	b, at := s.b, s.at
	negative := at < len(b) && b[at] == '-'
	if negative {
		at++
	}
	first, point := at, -1
	mantissa := uint64(0) // wraps around where there are too many digits, and is not used then
	for ; at < len(b); at++ {
		c := b[at] - '0'
		if c <= 9 {
			mantissa = mantissa*10 + uint64(c)
			continue
		}
		if b[at] != '.' || point >= 0 || at == first {
			break
		}
		point = at
	}
	digits, decimals := at-first, 0
	if point >= 0 {
		digits--
		decimals = at - point - 1
	}
	from := s.at
	s.at = at
	leadingZero := digits-decimals > 1 && b[first] == '0'
	exponent := at < len(b) && (b[at] == 'e' || b[at] == 'E')
	if digits == 0 || point >= 0 && decimals == 0 || leadingZero || exponent {
		s.OK = false
		return 0
	}
	if digits > 15 {
		v, err := strconv.ParseFloat(string(b[from:at]), 64)
		s.OK = s.OK && err == nil
		return v
	}
	v := float64(mantissa) / tens[decimals]
	if negative {
		return -v
	}
	return v
}
