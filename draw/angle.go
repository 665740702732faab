package draw

import (
	"fmt"
	"math"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// angle draws an arc between the rays from the second point to the first and to the third,
// and its degrees beside it, after the text of a sketch. It draws nothing if a point is absent or a ray has no length.
func (p *painter) angle(r *preparedRule) {
	m := p.points(r, p.frame)
	if !m[0].ok || !m[1].ok || !m[2].ok {
		return
	}
	centre := m[1].at
	u, v := m[0].at.Sub(centre), m[2].at.Sub(centre)
	if u.Len() == 0 || v.Len() == 0 {
		return
	}
	l := r.lookOf(max(m[0].band, m[1].band, m[2].band))
	from := math.Atan2(u[1], u[0])
	sweep := math.Remainder(math.Atan2(v[1], v[0])-from, 2*math.Pi) // radians, clockwise on screen
	if r.Rotation && sweep > 0 {
		sweep -= 2 * math.Pi
	}
	width, em := p.lineWidth(l.size), p.em(l.size)
	radius := max(min(u.Len()/2, v.Len()/2, p.pen.side/20*math.Sqrt(l.size)), 2*width)
	on := func(a, radius float64) keypoint.Point {
		return centre.Add(keypoint.Point{math.Cos(a), math.Sin(a)}.Mul(radius))
	}
	// Enough chords to stay within a tenth of a pixel of the arc.
	n := max(int(math.Ceil(math.Abs(sweep)/(2*math.Acos(1-min(0.1/radius, 1))))), 1)
	for i := range n {
		p.pen.line(on(from+sweep*float64(i)/float64(n), radius), on(from+sweep*float64(i+1)/float64(n), radius), width, l.color)
	}
	text := strings.TrimLeft(fmt.Sprintf("%s %.0f°", r.Text, math.Abs(sweep)*180/math.Pi), " ")
	wide := p.text.Width(text, em)
	// The text's box touches a circle around the arc, on the bisector.
	middle := from + sweep/2
	reach := radius + width + em/4 + math.Abs(math.Cos(middle))*wide/2 + math.Abs(math.Sin(middle))*capHeight*em/2
	at := on(middle, reach).Add(keypoint.Point{-wide / 2, capHeight * em / 2})
	p.write(text, p.place(at, centre, wide, em), em, l.color)
}
