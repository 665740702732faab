package httpapi

import (
	"strconv"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// foundFrames are the keypoints that a running job has found so far.
type foundFrames struct {
	From       int                `json:"from"`
	Keypoint   []keypoint.Frame   `json:"keypoint"`
	Timestamps jsonappend.Seconds `json:"timestamps"`
}

// foundFrom returns the frame from which the query asks for the keypoints found so far. It has answered
// when ok is false.
func (c *call) foundFrom(asked bool) (from int, ok bool) {
	q := c.r.URL.Query()
	if !q.Has("foundFrom") {
		return 0, true
	}
	n, err := strconv.ParseUint(q.Get("foundFrom"), 10, 31)
	want := "a frame, from 0"
	if !asked {
		want = "left out without include=found"
	}
	if err != nil || !asked {
		c.invalid(inQuery("foundFrom", q.Get("foundFrom"), want))
		return 0, false
	}
	return int(n), true
}

// soFar returns the keypoints that are found so far, nil if none are known or the job is over.
func (c *call) soFar(e motion.Extraction, from int) *foundFrames {
	seq, ok := c.service.Found(c.client, e.ID, from)
	if !ok || e.Status != storage.Processing {
		return nil
	}
	return &foundFrames{from, append([]keypoint.Frame{}, seq.Frames...), seq.Times}
}
