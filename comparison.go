package motion

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// Comparison is the difference between the movements in two keypoint records: how far the
// person of the target is from the person of the source.
type Comparison struct {
	State
	SourceID, TargetID int64 // keypoint records
	Person             int   // track in the source; 0 for the chosen one
	TargetPerson       int   // the same in the target
	Options            compare.Options
	WantScore          bool // the score was asked for
	WantShift          bool // the shift in time was asked for
	Outdated           bool // keypoints were corrected since; false in comparisons from a list

	from   []catalog.Corrected
	result []byte // JSON of the compare.Result
}

func comparisonOf(r storage.Record) (Comparison, error) {
	var d catalog.Comparison
	err := catalog.Decode(r, &d)
	c := Comparison{State: stateOf(r), SourceID: d.Source, TargetID: d.Target, Person: d.Person, TargetPerson: d.TargetPerson, WantScore: d.Score, WantShift: d.Shift, from: d.Corrected, result: r.Result}
	return c, errors.Join(err, decodeOptional(d.Options, &c.Options))
}

// Result returns the differences, or ErrNotReady.
func (c Comparison) Result() (compare.Result, error) {
	var res compare.Result
	if c.result == nil {
		return res, ErrNotReady
	}
	err := json.Unmarshal(c.result, &res)
	return res, err
}

// ComparisonJSON are the members of a compare.Result in JSON.
type ComparisonJSON struct {
	Difference      json.RawMessage // an array of frames
	Score, Shift    json.RawMessage // Shift is nil if a recording has no times
	Angles, Largest json.RawMessage // nil if Options does not ask for angles
	Repetitions     json.RawMessage // nil if Options does not ask for them
}

// JSON returns the members of the result; all are nil before SUCCESS.
func (c Comparison) JSON() (m ComparisonJSON) {
	if c.result == nil || json.Unmarshal(c.result, &m) != nil {
		return ComparisonJSON{}
	}
	return m
}

// CompareRequest asks how far the target is from the source.
type CompareRequest struct {
	SourceID, TargetID int64           // keypoint records, which may be unfinished
	Person             int             // track of one of the source's Extraction.People; 0 for the chosen one
	TargetPerson       int             // the same for the target
	Options            compare.Options // the zero value is the default
	WantScore          bool            // the API's record shows the score
	WantShift          bool            // and how much later the target is in each frame
}

// Compare creates a comparison record and queues its job. The job starts when both keypoint
// records have succeeded, and fails if one of them fails. Invalid options are a
// *RequestError.
func (s *Service) Compare(ctx context.Context, owner string, req CompareRequest) (Comparison, error) {
	if err := req.Options.Validate(); err != nil {
		return Comparison{}, inFirstField(err)
	}
	source, err := s.reference(ctx, owner, "sourceId", req.SourceID)
	if err != nil {
		return Comparison{}, err
	}
	target, err := s.reference(ctx, owner, "targetId", req.TargetID)
	if err != nil {
		return Comparison{}, err
	}
	if err := cmp.Or(source.checkPerson("person", req.Person), target.checkPerson("targetPerson", req.TargetPerson)); err != nil {
		return Comparison{}, err
	}
	options, err := json.Marshal(req.Options)
	if err != nil {
		return Comparison{}, err
	}
	d := catalog.Comparison{Source: req.SourceID, Target: req.TargetID, Person: req.Person, TargetPerson: req.TargetPerson, Options: options, Score: req.WantScore, Shift: req.WantShift}
	return create(ctx, s, owner, storage.Comparisons, d, comparisonOf)
}

// Comparison returns a comparison record with its result.
func (s *Service) Comparison(ctx context.Context, owner string, id int64) (Comparison, error) {
	c, err := find(ctx, s, storage.Key{Owner: owner, Kind: storage.Comparisons, ID: id}, comparisonOf)
	if err == nil && c.Status == storage.Success {
		c.Outdated, err = s.outdated(ctx, owner, c.from, catalog.Corrected{Keypoint: c.SourceID, Person: c.Person}, catalog.Corrected{Keypoint: c.TargetID, Person: c.TargetPerson})
	}
	return c, err
}

// Comparisons returns a page of the owner's comparisons without results, newest first, and the
// number of all that match.
func (s *Service) Comparisons(ctx context.Context, owner string, page Page) ([]Comparison, int, error) {
	return list(ctx, s, owner, storage.Comparisons, page, comparisonOf)
}

// workCompare does the work on a comparison.
func (s *Service) workCompare(ctx context.Context, r storage.Record, _ func(done, total int)) (worker.Output, error) {
	var d catalog.Comparison
	c, err := comparisonOf(r)
	if err = errors.Join(err, catalog.Decode(r, &d)); err != nil {
		return worker.Output{}, err
	}
	of, source, err := s.keypoints(ctx, r.Owner, c.SourceID, c.Person)
	if err != nil {
		return worker.Output{}, err
	}
	to, target, err := s.keypoints(ctx, r.Owner, c.TargetID, c.TargetPerson)
	if err != nil {
		return worker.Output{}, err
	}
	res, err := compare.Diff(source, target, c.Options)
	if err != nil {
		return worker.Output{}, lasting(err)
	}
	result, err := json.Marshal(res)
	if err != nil {
		return worker.Output{}, err
	}
	d.Corrected = correctionsOf(of, to)
	data, err := json.Marshal(d)
	return worker.Output{Data: data, Result: result}, err
}

// keypoints returns a keypoint record as that of a person, and the keypoints.
func (s *Service) keypoints(ctx context.Context, owner string, id int64, person int) (Extraction, keypoint.Sequence, error) {
	e, err := s.Extraction(ctx, owner, id)
	if err == nil {
		e, err = e.Person(person)
		err = lasting(err)
	}
	if err != nil {
		return e, keypoint.Sequence{}, err
	}
	seq, err := e.Sequence()
	return e, seq, err
}

// correctionsOf names the corrections of keypoints that a record is made from, nil without any.
func correctionsOf(extractions ...Extraction) (list []catalog.Corrected) {
	any := false
	for _, e := range extractions {
		digest := e.corrections[e.Track]
		list = append(list, catalog.Corrected{Keypoint: e.ID, Person: e.Track, Digest: digest})
		any = any || digest != ""
	}
	if !any {
		return nil
	}
	return list
}

// outdated reports whether keypoints have other corrections than those that a record was made from; nil
// stands for uncorrected ones of the given people.
func (s *Service) outdated(ctx context.Context, owner string, from []catalog.Corrected, people ...catalog.Corrected) (bool, error) {
	if from == nil {
		from = people
	}
	for _, was := range from {
		var now catalog.Extraction
		err := s.peek(ctx, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: was.Keypoint}, &now)
		switch {
		case errors.Is(err, ErrNotFound): // the record is being deleted, too
		case err != nil:
			return false, err
		case now.Corrections[was.Person] != was.Digest:
			return true, nil
		}
	}
	return false, nil
}

// compared sets what an Annotator draws of the comparison of a drawing. used is the target, if its
// keypoints are drawn.
func (s *Service) compared(ctx context.Context, owner string, d Drawing, a *Annotator) (c Comparison, used []Extraction, err error) {
	if c, err = s.Comparison(ctx, owner, d.ComparisonID); err != nil {
		return c, nil, err
	}
	res, err := c.Result()
	if err != nil {
		return c, nil, err
	}
	a.differences, a.Compare = res.Frames, c.Options
	beside := d.Layout == draw.LayoutSideBySide
	if style, err := draw.Compile(a.Rules, a.Background, true); !beside && (err != nil || !style.Needs().Target) {
		return c, nil, nil
	}
	to, target, err := s.keypoints(ctx, owner, c.TargetID, c.TargetPerson)
	if err != nil {
		return c, nil, err
	}
	a.Target = &target
	if beside {
		key := mediaOfExtraction(owner, to.MovieID, to.ImageID)
		a.Beside = func() (io.ReadSeekCloser, error) { return s.OpenMedia(ctx, key.Owner, key.Kind, key.ID) }
	}
	if beside && d.BlurFaces {
		a.TargetOthers, err = to.sequences()
	}
	return c, []Extraction{to}, err
}
