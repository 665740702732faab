package live

import (
	"context"
	"encoding/json"
	"image"
	"time"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
)

// The messages of the service. Numbers have at most four decimals, but times have six.

type ready struct {
	Type            string `json:"type"`
	MaxPictureBytes int    `json:"maxPictureBytes"`
	MaxPixels       int    `json:"maxPixels"`
}

type problem struct {
	Type   string         `json:"type"`
	Detail string         `json:"detail"`
	Errors []wire.Mistake `json:"errors"`
}

func problemOf(mistakes []wire.Mistake) problem {
	return problem{"problem", wire.Detail(mistakes), mistakes}
}

type pictureProblem struct {
	Type   string   `json:"type"`
	Detail string   `json:"detail"`
	Time   *float64 `json:"time"` // of the picture, seconds; null: unknown
}

type update struct {
	Type        string                   `json:"type"`
	Number      int                      `json:"number"`
	Time        float64                  `json:"time"`
	Size        [2]int                   `json:"size"`
	Keypoint    keypoint.Frame           `json:"keypoint"`
	Scores      map[keypoint.Part]number `json:"scores"`
	Filled      []keypoint.Part          `json:"filled"`
	Changed     bool                     `json:"changed"`
	Values      []any                    `json:"values"` // number, [x, y] or null
	Repetitions []*repetitions           `json:"repetitions"`
	Dropped     int                      `json:"dropped"`
	Took        number                   `json:"took"` // seconds from when the picture was received
}

type number = jsonappend.Rounded

// repetitions are those of a rule so far.
type repetitions struct {
	Count    int         `json:"count"`
	Complete int         `json:"complete"`
	Last     *repetition `json:"last"`
}

// repetition is the newest one, as the record of an analysis has it, without the numbers of frames.
type repetition struct {
	Complete bool   `json:"complete"`
	Start    moment `json:"start"`
	Turn     moment `json:"turn"`
	End      moment `json:"end"`
	Depth    number `json:"depth"`
	Duration number `json:"duration"`
	Out      number `json:"out"`
	Hold     number `json:"hold"`
	Back     number `json:"back"`
}

type moment struct {
	Time  number `json:"time"`
	Value number `json:"value"`
}

type end struct {
	Type        string         `json:"type"`
	Pictures    int            `json:"pictures"`
	Dropped     int            `json:"dropped"`
	Repetitions []*repetitions `json:"repetitions"`
}

// updateOf returns the message of an update of a picture of that size.
func updateOf(u live.Update, size image.Point, received time.Time, rules []analyze.Rule) update {
	m := update{
		Type: "update", Number: u.Number, Time: u.Time, Size: [2]int{size.X, size.Y}, Keypoint: u.Keypoints,
		Scores: map[keypoint.Part]number{}, Filled: []keypoint.Part{}, Changed: u.Changed,
		Values: make([]any, len(u.Values)), Repetitions: repetitionsOf(u.Counts, rules), Dropped: u.Dropped, Took: number(time.Since(received).Seconds()),
	}
	for _, part := range u.Keypoints.Present().List() {
		m.Scores[part] = number(u.Keypoints.Confidence(part))
		if u.Changes[part]&clean.Filled != 0 {
			m.Filled = append(m.Filled, part)
		}
	}
	for i, v := range u.Values {
		switch {
		case v.Present && rules[i].Type.Pair():
			m.Values[i] = [2]number{number(v.X), number(v.Y)}
		case v.Present:
			m.Values[i] = number(v.X)
		}
	}
	return m
}

// repetitionsOf returns the counts, null for a rule that does not ask for them.
func repetitionsOf(counts []analyze.Count, rules []analyze.Rule) []*repetitions {
	list := make([]*repetitions, len(counts))
	for i, c := range counts {
		if rules[i].Repetitions == nil {
			continue
		}
		list[i] = &repetitions{Count: c.Found, Complete: c.Complete}
		if c.Found > 0 {
			r := c.Last
			list[i].Last = &repetition{
				Complete: r.Complete,
				Start:    moment{number(r.StartTime), number(r.From)},
				Turn:     moment{number(r.TurnTime), number(r.At)},
				End:      moment{number(r.EndTime), number(r.To)},
				Depth:    number(r.Depth), Duration: number(r.Duration),
				Out: number(r.Out), Hold: number(r.Hold), Back: number(r.Back),
			}
		}
	}
	return list
}

// write sends a message. A client that does not read in time is cut off.
func (c *connection) write(ctx context.Context, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		c.log("writing a message", err)
		return errInternal
	}
	inTime, stop := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer stop()
	return c.conn.Write(inTime, websocket.MessageText, data)
}
