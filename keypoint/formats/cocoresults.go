package formats

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
)

// cocoOrders are the parts in the order of 17 keypoints of COCO, 26 of Halpe and 133 of COCO-WholeBody, whose feet have an order each.
var cocoOrders = map[int][]keypoint.Part{
	17: keypoint.Body.List(),
	26: slices.Concat(keypoint.Body.List(), []keypoint.Part{keypoint.NumParts, keypoint.NumParts, keypoint.NumParts,
		keypoint.LeftBigToe, keypoint.RightBigToe, keypoint.LeftSmallToe, keypoint.RightSmallToe, keypoint.LeftHeel, keypoint.RightHeel}),
	133: slices.Concat(keypoint.Body.List(), wholeBodyFeet[:], slices.Repeat([]keypoint.Part{keypoint.NumParts}, 110)),
}

// cocoResult is one person of an array of results.
type cocoResult struct {
	Keypoints json.RawMessage `json:"keypoints"` // x, y, score in a row, or arrays of them
	Scores    []*float64      `json:"keypoint_scores"`
}

// results reads an array of results into the frames that their image ids number.
func (c *cocoReader) results(pointer string) (s keypoint.Sequence, err error) {
	people := map[int64]*chosen{}
	first, last := int64(0), int64(-1)
	err = c.in.array(pointer, func(_ int, pointer string) error {
		var who chosen
		id, member, err := c.resultsOf(pointer, &who)
		if err != nil {
			return err
		}
		frame, err := c.number(pointer+member, id)
		if err != nil {
			return err
		}
		if len(people) == 0 {
			first, last = frame, frame
		}
		first, last = min(first, frame), max(last, frame)
		// The difference may be greater than the greatest number.
		if n := uint64(last) - uint64(first); n >= uint64(c.limits.frames()) {
			return c.in.wrong(pointer+member, "is %d, which with %d makes more than %d frames", frame, first, c.limits.frames())
		}
		if was := people[frame]; was != nil && was.most >= who.most && !was.frame.Empty() {
			return nil
		}
		people[frame] = &who
		return nil
	})
	if err != nil {
		return s, err
	}
	n := int(last - first + 1)
	if n > sparse*len(people) {
		return s, c.in.wrong(pointer, "has people in %d images, whose ids span %d: want the numbers of frames as ids", len(people), n)
	}
	s.Frames = make([]keypoint.Frame, n)
	for frame, list := range people {
		s.Frames[frame-first] = list.frame
	}
	return s, nil
}

// resultsOf reads a person, or a frame of them as MMPose writes it, with its id and the member that has it.
func (c *cocoReader) resultsOf(pointer string, who *chosen) (id json.RawMessage, member string, err error) {
	ids, one, framed := map[string]json.RawMessage{}, cocoResult{}, false
	number := func(member string) func(string) error {
		return func(p string) error {
			var text json.RawMessage
			err := c.in.decode(p, &text)
			ids[member] = text
			return err
		}
	}
	add := func(pointer string, one cocoResult) error {
		f, err := c.result(pointer, one)
		who.add(&f)
		return err
	}
	err = c.in.object(pointer, map[string]func(string) error{
		"image_id": number("/image_id"), "frame_id": number("/frame_id"), // a number or the name of a file
		"keypoints":       func(p string) error { return c.in.decode(p, &one.Keypoints) },
		"keypoint_scores": func(p string) error { return c.in.decode(p, &one.Scores) },
		"instances": func(p string) error {
			framed = true
			return c.in.array(p, func(_ int, p string) error {
				var one cocoResult
				if err := c.in.decode(p, &one); err != nil {
					return err
				}
				return add(p, one)
			})
		},
	})
	if member = "/image_id"; ids[member] == nil && ids["/frame_id"] != nil {
		member = "/frame_id"
	}
	if err == nil && !framed && ids[member] != nil {
		err = add(pointer, one)
	}
	return ids[member], member, err
}

// sparse is how many times as many frames as images with people there may be; ids of pictures of a collection are more.
const sparse = 10

// number returns the number of a frame: an id, or the last number in the name of a file.
func (c *cocoReader) number(pointer string, id json.RawMessage) (n int64, err error) {
	if id == nil {
		return 0, c.in.wrong(pointer, "is missing, want the number of the frame, or the name of its file")
	}
	text := string(id)
	var name string
	if json.Unmarshal(id, &name) == nil {
		if _, digits, _ := lastNumber(name); digits != "" {
			text = digits
		}
	}
	if n, err = jsonappend.Int(text); err != nil {
		return 0, c.in.wrong(pointer, "is %s, want the number of the frame, or the name of its file with the number", quote(string(id)))
	}
	return n, nil
}

// result returns the keypoints of a person.
func (c *cocoReader) result(pointer string, m cocoResult) (f keypoint.Frame, err error) {
	place := pointer + "/keypoints"
	if m.Keypoints == nil {
		return f, c.in.wrong(place, "is missing, want x, y and score of each keypoint")
	}
	var points [][]*float64
	var flat []*float64
	if err := json.Unmarshal(m.Keypoints, &flat); err == nil {
		for i := 0; i+3 <= len(flat); i += 3 {
			points = append(points, flat[i:i+3])
		}
		if len(flat)%3 != 0 {
			return f, c.in.wrong(place, "has %d numbers, want x, y and score of each keypoint", len(flat))
		}
	} else if json.Unmarshal(m.Keypoints, &points) != nil {
		return f, c.in.fault(place, err)
	}
	order, ok := cocoOrders[len(points)]
	switch {
	case !ok:
		return f, c.in.wrong(place, "has %d keypoints, want 17 of COCO, 26 of Halpe or 133 of COCO-WholeBody", len(points))
	case m.Scores != nil && len(m.Scores) != len(points):
		return f, c.in.wrong(pointer+"/keypoint_scores", "has %d numbers, want %d, one a keypoint", len(m.Scores), len(points))
	}
	for i, p := range order {
		at := points[i]
		if m.Scores != nil && len(at) >= 2 {
			at = append(at[:2:2], m.Scores[i])
		}
		if len(at) != 3 {
			return f, c.in.wrong(fmt.Sprintf("%s/%d", place, i), "has %d numbers, want x, y and score, or keypoint_scores", len(at))
		}
		if p != keypoint.NumParts {
			triple(&f, p, at, 0)
		}
	}
	return f, nil
}
