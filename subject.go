package motion

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// NewSubject is a person who is filmed.
type NewSubject struct {
	Name       string       `json:"name"`                 // required, at most 1,000 bytes
	BodyHeight float64      `json:"bodyHeight,omitempty"` // metres without shoes, 0.3 to 3; 0 is unknown. It is the scale of new extractions
	BirthYear  int          `json:"birthYear,omitempty"`  // 0 is unknown
	Side       analyze.Side `json:"side,omitempty"`       // that is treated or trained; "" for none
	Note       string       `json:"note,omitempty"`       // at most 10,000 bytes
	Key        Key          `json:"-"`                    // of requests; a record has none
}

// Subject is the record of a person who is filmed. Recordings belong to it: see Recording.
type Subject struct {
	ID int64
	NewSubject
	CreatedAt, UpdatedAt time.Time
}

type subjectForm = catalog.Form[NewSubject, struct{}]

func subjectOf(r storage.Record) (Subject, error) {
	var d subjectForm
	err := catalog.Decode(r, &d)
	return Subject{r.ID, d.Request, r.CreatedAt, r.UpdatedAt}, err
}

func (n NewSubject) check() error {
	height := keypoint.Calibration{Scale: &keypoint.Scale{BodyHeight: n.BodyHeight}}
	switch year := time.Now().Year(); {
	case strings.TrimSpace(n.Name) == "":
		return badRequest("name", "is missing")
	case n.BodyHeight != 0 && height.Validate() != nil:
		return badRequest("bodyHeight", "is %v, want 0.3 to 3 metres", n.BodyHeight)
	case n.BirthYear != 0 && (n.BirthYear < 1850 || n.BirthYear > year):
		return badRequest("birthYear", "is %d, want 1850 to %d", n.BirthYear, year)
	case n.Side != "" && n.Side != analyze.LeftSide && n.Side != analyze.RightSide:
		return badRequest("side", "is %q, want %q or %q", n.Side, analyze.LeftSide, analyze.RightSide)
	}
	return cmp.Or(checkText("name", n.Name, 1000), checkText("note", n.Note, 10_000))
}

// CreateSubject creates the record of a person. What is wrong is a *RequestError.
func (s *Service) CreateSubject(ctx context.Context, owner string, n NewSubject) (Subject, error) {
	if err := n.check(); err != nil {
		return Subject{}, err
	}
	return create(ctx, s, owner, storage.Subjects, n.Key, subjectForm{Request: n}, subjectOf)
}

// GetSubject returns the record of a person.
func (s *Service) GetSubject(ctx context.Context, owner string, id int64) (Subject, error) {
	return typedOf(subjectOf)(s.cfg.Store.Head(ctx, subjectKey(owner, id)))
}

// ListSubjects returns a page of the owner's subjects, newest first, and the number of all that match. Of page, only
// Text, Offset and Limit count.
func (s *Service) ListSubjects(ctx context.Context, owner string, page Page) ([]Subject, int, error) {
	return list(ctx, s, owner, storage.Subjects, Page{Text: page.Text, Offset: page.Offset, Limit: page.Limit}, subjectOf)
}

// TrendRequest asks for the trend of a measure. The zero value asks for the peak of the lead that most recordings show.
type TrendRequest struct {
	Measure   analyze.Type    // a named angle, or hipHeight; "": as of trend.Request
	Side      analyze.Side    // "": that of the subject, or else as trend.Request
	Statistic trend.Statistic // "": peak
	Limit     int             // the newest recordings that are read, at most 1,000; 0 means 100
}

func (req TrendRequest) check() error {
	known := req.Measure == "" || req.Measure == analyze.HipHeight || slices.Contains(analyze.Angles(), req.Measure)
	switch {
	case !known:
		return badRequest("measure", "is %q, want one of %v", req.Measure, append(analyze.Angles(), analyze.HipHeight))
	case req.Side != "" && req.Side != analyze.LeftSide && req.Side != analyze.RightSide:
		return badRequest("side", "is %q, want %q or %q", req.Side, analyze.LeftSide, analyze.RightSide)
	case req.Side != "" && req.Measure != "" && !req.Measure.Sided():
		return badRequest("side", "is for measures that have sides, and %s has none", req.Measure)
	case req.Statistic != "" && !slices.Contains(trend.Statistics(), req.Statistic):
		return badRequest("statistic", "is %q, want one of %v", req.Statistic, trend.Statistics())
	case req.Limit < 0 || req.Limit > 1000:
		return badRequest("limit", "is %d, want 1 to 1000", req.Limit)
	}
	return nil
}

// GetTrend returns how a measure of a subject changes over its recordings, by the date of filming. Of the keypoint records of
// one movie, the newest counts, and a Joined one counts instead of those.
func (s *Service) GetTrend(ctx context.Context, owner string, subject int64, req TrendRequest) (trend.Trend, error) {
	if err := req.check(); err != nil {
		return trend.Trend{}, err
	}
	who, err := s.GetSubject(ctx, owner, subject)
	if err != nil {
		return trend.Trend{}, err
	}
	records, _, err := s.cfg.Store.List(ctx, owner, storage.Keypoints, storage.Filter{
		Status: storage.Success, Labels: []string{catalog.LabelOf(subject)}, Limit: cmp.Or(req.Limit, 100),
	})
	if err != nil {
		return trend.Trend{}, err
	}
	var list []trend.Recording
	for _, r := range sessions(records) {
		e, err := extractionOf(r)
		if err != nil {
			return trend.Trend{}, err
		}
		if e.Summary == nil { // made before recordings had one
			continue
		}
		list = append(list, trend.Recording{KeypointID: e.ID, RecordedAt: r.At, Undated: e.Filmed().IsZero(), Summary: *e.Summary})
	}
	return trend.Of(trend.Request{Measure: req.Measure, Side: cmp.Or(req.Side, who.Side), Statistic: req.Statistic}, list), nil
}

// sessions returns one keypoint record for each recording.
func sessions(records []storage.Record) (list []storage.Record) {
	from := map[storage.Key][]storage.Key{}
	joined := func(r storage.Record) int { // 1 if it is made from several keypoint records, else 0
		keypoints := slices.DeleteFunc(slices.Clone(from[r.Key]), func(o storage.Key) bool { return o.Kind != storage.Keypoints })
		return min(len(keypoints)/2, 1)
	}
	for _, r := range records {
		from[r.Key], _ = catalog.Origins(r) // extractionOf reports what is wrong
	}
	records = slices.Clone(records)
	slices.SortStableFunc(records, func(a, b storage.Record) int {
		return cmp.Or(-cmp.Compare(joined(a), joined(b)), -cmp.Compare(a.ID, b.ID))
	})
	covered := map[storage.Key]bool{}
	var cover func(storage.Key)
	cover = func(key storage.Key) {
		covered[key] = true
		for _, o := range from[key] {
			cover(o)
		}
	}
	for _, r := range records {
		if covered[r.Key] || slices.ContainsFunc(from[r.Key], func(o storage.Key) bool { return covered[o] }) {
			continue
		}
		cover(r.Key)
		list = append(list, r)
	}
	return list
}
