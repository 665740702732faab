package analyze

import (
	"math"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// uncertainty returns one standard deviation of each value of the points, nil if none can be told, and what of them is alike in all
// frames: the least constant of one. A neutral pose takes it out.
func (r *Rule) uncertainty(rec *recording, values []Value, points []keypoint.Selector) (out []Value, constant float64) {
	sigma := func(i int) (Value, float64) { return r.sigma(rec, i, values[i], points) }
	if rec.headings != nil {
		sigma = rec.errorsInSpace(r, values)
	}
	for i := range values {
		of, alike := sigma(i)
		if !of.Present {
			continue
		}
		if out == nil {
			out, constant = make([]Value, len(values)), alike
		}
		out[i], constant = of, min(constant, alike)
	}
	if _, zeroed := rec.zero[r.Side]; !zeroed {
		return out, constant
	}
	for i := range out {
		out[i].X = math.Sqrt(max(out[i].X*out[i].X-constant*constant, 0))
	}
	return out, 0
}

// sigma returns one standard deviation of the value in a frame, and what of it is alike in all.
func (r *Rule) sigma(rec *recording, i int, v Value, points []keypoint.Selector) (of Value, constant float64) {
	def := r.Type.definition()
	if def.uncertainty == nil || !v.Present {
		return Value{}, 0
	}
	sigma, constant, ok := def.uncertainty(rec.Uncertainty, i, r.Plane(), points)
	switch {
	case def.unit == torsos:
		sigma = math.Hypot(sigma*rec.unit(i), math.Hypot(perspective, rec.World.ScaleError)*math.Abs(v.X))
	case rec.World.Metric() && def.unit == "px": // and the error of the scale
		sigma = math.Hypot(sigma*rec.World.MetresPerPixel, rec.World.ScaleError*max(math.Abs(v.X), math.Abs(v.Y)))
	}
	if !ok {
		return Value{}, 0
	}
	return number(sigma), constant
}

// errorsInSpace returns what tells one standard deviation of the value in a frame, and what of it is alike in all: of a named angle in
// degrees, or of a named length in its unit, by those of the places.
func (rec *recording) errorsInSpace(r *Rule, values []Value) func(i int) (of Value, constant float64) {
	a := r.Type.definition().angle
	j, points := a.on(r.Side), a.pointsOf(r.Side)
	value := func(k int) (float64, bool) {
		if k < 0 || k >= len(values) {
			return 0, false
		}
		return values[k].X, values[k].Present
	}
	return func(i int) (of Value, constant float64) {
		if !values[i].Present {
			return Value{}, 0
		}
		p := pose{rec.Frames[i].Positions(), rec.headings[i]}
		if a.length == nil {
			sigma, constant := rec.InSpace(i, a.plane, points, p.errorOf(j), value)
			return number(sigma), constant
		}
		sum := 0.0
		if a.plane == quality.Frontal {
			across, turned, _ := p.across(points)
			sum = (across - turned) * (across - turned)
		}
		for _, s := range points {
			for _, part := range s.Parts {
				sum += p.at.Error(part) * p.at.Error(part) / float64(len(s.Parts))
			}
		}
		return number(math.Hypot(math.Sqrt(sum)*rec.Space.ViewPixels()*rec.unit(i), rec.World.ScaleError*values[i].X)), 0
	}
}
