package chart

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/bodymotion/motion/analyze"
)

// band draws one standard deviation on either side of a mean cycle.
type band struct {
	series *Series
	color  color.NRGBA
}

// deviation returns the standard deviation at a point of the mean cycle; it is absent if the series
// has no band.
func (s *Series) deviation(point int) analyze.Value {
	if !s.banded() || point >= len(s.Band.StandardDeviation) {
		return analyze.Value{}
	}
	return s.Band.StandardDeviation[point]
}

func (s *Series) checkBand() error {
	if !s.banded() {
		return nil
	}
	if len(s.Cycles) > 0 {
		return fmt.Errorf("it has a Band and %d cycles, want one or the other", len(s.Cycles))
	}
	if s.pair() {
		return fmt.Errorf("it has a Band and points of a %s, want numbers", s.Result.Type)
	}
	for i, v := range s.Band.Mean {
		if d := s.deviation(i); v.Present && !sound(v.X) || d.Present && !(d.X >= 0 && sound(d.X)) {
			return fmt.Errorf("point %d of the Band is %v ± %v, want numbers from %g to %g", i, v.X, d.X, -maxNumber, maxNumber)
		}
	}
	return nil
}

// Plot implements plot.Plotter.
func (p band) Plot(c draw.Canvas, plt *plot.Plot) {
	toX, toY := plt.Transforms(&c)
	var above, below []vg.Point
	flush := func() {
		for i := range below {
			above = append(above, below[len(below)-1-i])
		}
		if len(above) > 2 {
			c.FillPolygon(veil(p.color, 0x38), above)
		}
		above, below = above[:0], below[:0]
	}
	for i, v := range p.series.values() {
		d := p.series.deviation(i)
		if !v.Present || !d.Present {
			flush()
			continue
		}
		x := toX(p.series.x(i))
		above = append(above, vg.Point{X: x, Y: toY(v.X + d.X)})
		below = append(below, vg.Point{X: x, Y: toY(v.X - d.X)})
	}
	flush()
}
