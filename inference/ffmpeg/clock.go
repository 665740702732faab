package ffmpeg

// minStep is the time added when a frame is not after the one before, seconds.
const minStep = 1e-4

// clock makes times start at 0 and increase.
type clock struct {
	step    float64 // duration of a frame whose time is unknown, seconds
	started bool
	zero    float64 // time of the first frame
	last    float64 // time of the latest frame
}

// at returns the time of the next frame; if ok, the movie says t.
func (c *clock) at(t float64, ok bool) float64 {
	switch {
	case !c.started:
		c.started = true
		if ok {
			c.zero = t
		}
		return 0
	case !ok:
		c.last += c.step
	case t-c.zero <= c.last:
		c.last += minStep
	default:
		c.last = t - c.zero
	}
	return c.last
}
