package httpapi

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// The JSON forms of the responses. Missing values are null.

type mediaItem struct {
	ID        int64   `json:"id"`
	Name      *string `json:"name"`
	CreatedAt string  `json:"createdAt"`
	UpdatedAt string  `json:"updatedAt"`
}

type newMedia struct {
	ID         int64   `json:"id"`
	UploadURL  string  `json:"uploadUrl"`
	Name       *string `json:"name"`
	Text       *string `json:"text"`
	ContentMD5 string  `json:"contentMd5"`
	CreatedAt  string  `json:"createdAt"`
	UpdatedAt  string  `json:"updatedAt"`
}

type image struct {
	ID         int64   `json:"id"`
	Name       *string `json:"name"`
	Text       *string `json:"text"`
	ContentMD5 string  `json:"contentMd5"`
	Height     *int    `json:"height"`
	Width      *int    `json:"width"`
	CreatedAt  string  `json:"createdAt"`
	UpdatedAt  string  `json:"updatedAt"`

	MediaURL **string `json:"mediaUrl,omitempty"` // null before the upload, left out unless it is asked for
}

type movie struct {
	image
	Frame *int     `json:"frame"`
	FPS   *float64 `json:"fps"`
	Time  *string  `json:"time"`
}

// mediaDetail is the form of a movie's or image's record. link is the address of the file, nil if it is
// left out.
func mediaDetail(m motion.Media, link **string) any {
	d := image{
		ID: m.ID, Name: text(m.Name), Text: text(m.Text), ContentMD5: m.ContentMD5,
		CreatedAt: stamp(m.CreatedAt), UpdatedAt: stamp(m.UpdatedAt), MediaURL: link,
	}
	probed := m.Size.X > 0
	if probed {
		d.Height, d.Width = &m.Size.Y, &m.Size.X
	}
	if m.Kind == storage.Images {
		return d
	}
	v := movie{image: d}
	if probed && m.Frames > 0 {
		v.Frame = &m.Frames
	}
	if probed && m.FrameRate > 0 {
		fps := math.Round(m.FrameRate*1000) / 1000 // 30000/1001 is 29.97
		v.FPS = &fps
	}
	if probed && m.Duration > 0 {
		clock := motion.Clock(m.Duration)
		v.Time = &clock
	}
	return v
}

// result is what all results have in their list items.
type result struct {
	ExecStatus storage.Status `json:"execStatus"`
	Progress   *float64       `json:"progress"`
	CreatedAt  string         `json:"createdAt"`
	UpdatedAt  string         `json:"updatedAt"`
}

func resultOf(s motion.State) result {
	return result{s.Status, progressOf(s), stamp(s.CreatedAt), stamp(s.UpdatedAt)}
}

// progressOf is null where the progress is not known. Four decimals say enough.
func progressOf(s motion.State) *float64 {
	part, ok := s.Progress()
	if !ok {
		return nil
	}
	part = math.Round(part*10_000) / 10_000
	return &part
}

type keypointItem struct {
	ID    int64  `json:"id"`
	Image *int64 `json:"image"`
	Movie *int64 `json:"movie"`
	result
	Verdict quality.Verdict `json:"verdict,omitempty"`
}

type keypointRecord struct {
	keypointItem
	Rate  float64        `json:"rate,omitempty"`
	Clean *clean.Options `json:"clean,omitempty"`
	Feet  bool           `json:"feet,omitempty"`
	people
	calibration
	Keypoint json.RawMessage `json:"keypoint"`
}

type keypointDetail struct {
	keypointRecord
	FailureDetail *string               `json:"failureDetail"`
	World         *keypoint.World       `json:"world,omitempty"`
	Candidates    *[]motion.Candidate   `json:"candidates,omitempty"`
	People        *[]inference.Presence `json:"people,omitempty"`
	Person        int                   `json:"person,omitempty"`
	Cleaned       *cleaned              `json:"cleaned,omitempty"`
	Quality       *quality.Report       `json:"quality,omitempty"`
	Scores        *json.RawMessage      `json:"scores,omitempty"`
	Timestamps    *json.RawMessage      `json:"timestamps,omitempty"`
	Edits         []correction          `json:"edits,omitempty"`
	Changes       *frameChanges         `json:"changes,omitempty"`
	Looks         *[]int                `json:"looks,omitempty"`
	Found         **foundFrames         `json:"found,omitempty"` // null if nothing is known
}

// cleaned counts what cleaning changed.
type cleaned struct {
	Swapped  int `json:"swapped"`
	Rejected int `json:"rejected"`
	Filled   int `json:"filled"`
	Smoothed int `json:"smoothed"`
	Skipped  int `json:"skipped"`
}

type comparisonItem struct {
	ID           int64 `json:"id"`
	Source       int64 `json:"source"`
	Target       int64 `json:"target"`
	Person       int   `json:"person,omitempty"`
	TargetPerson int   `json:"targetPerson,omitempty"`
	result
}

type comparisonRecord struct {
	comparisonItem
	Alignment  string          `json:"alignment,omitempty"`
	Mirror     bool            `json:"mirror,omitempty"`
	Difference json.RawMessage `json:"difference"`
}

type comparisonDetail struct {
	comparisonRecord
	FailureDetail *string          `json:"failureDetail"`
	Outdated      bool             `json:"outdated,omitempty"`
	Score         *json.RawMessage `json:"score,omitempty"`
	Shift         *json.RawMessage `json:"shift,omitempty"`
	Angles        *json.RawMessage `json:"angles,omitempty"`
	Largest       *json.RawMessage `json:"largest,omitempty"`
	Repetitions   *json.RawMessage `json:"repetitions,omitempty"`
}

type analysisItem struct {
	ID       int64 `json:"id"`
	Keypoint int64 `json:"keypoint"`
	result
}

type analysisRecord struct {
	analysisItem
	Person int     `json:"person,omitempty"`
	From   float64 `json:"from,omitempty"`
	To     float64 `json:"to,omitempty"`
	Rule   any     `json:"rule"` // as shown returns it
}

type analysisDetail struct {
	analysisRecord
	FailureDetail *string          `json:"failureDetail"`
	Outdated      bool             `json:"outdated,omitempty"`
	Result        json.RawMessage  `json:"result"`
	Gait          *json.RawMessage `json:"gait,omitempty"`
	Jumps         *json.RawMessage `json:"jumps,omitempty"`
	Warnings      *json.RawMessage `json:"warnings,omitempty"`
}

type drawingItem struct {
	ID         int64  `json:"id"`
	Keypoint   *int64 `json:"keypoint"`
	Comparison *int64 `json:"comparison"`
	result
}

type drawingRecord struct {
	drawingItem
	Person         int              `json:"person,omitempty"`
	Rule           any              `json:"rule"` // as shown returns it
	BackgroundRule *draw.Background `json:"backgroundRule"`
	motion.DrawOptions
}

type drawingDetail struct {
	drawingRecord
	FailureDetail *string `json:"failureDetail"`
	Outdated      bool    `json:"outdated,omitempty"`
	DrawingURL    *string `json:"drawingUrl"`
}

// shown returns rules as the client gave them: one alone, an array, or null for none.
func shown[R any](rules []R, alone bool) any {
	switch {
	case rules == nil:
		return nil
	case alone:
		return rules[0]
	}
	return rules
}

// text is null for an empty string.
func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// ref is null for no record.
func ref(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}

// stamp writes a time with microseconds in UTC.
func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000000Z") }

// answer answers with a JSON document.
func (c *call) answer(status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		c.fail(err)
		return
	}
	c.w.Header().Set("Content-Type", "application/json")
	c.w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	c.w.Header().Set("Cache-Control", "no-store")
	c.w.WriteHeader(status)
	c.w.Write(b)
}
