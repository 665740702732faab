package httpapi

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

type keypointItem struct {
	ID    int64  `json:"id"`
	Image *int64 `json:"image"`
	Movie *int64 `json:"movie"`
	result
	KeypointID  int64   `json:"keypointId,omitempty"`
	KeypointIDs []int64 `json:"keypointIds,omitempty"`
	about
	Notes   []motion.Note   `json:"notes,omitempty"`
	Verdict quality.Verdict `json:"verdict,omitempty"`
	Lead    *study.Lead     `json:"lead,omitempty"`
}

type keypointRecord struct {
	keypointItem
	Rate      float64        `json:"rate,omitempty"`
	Clean     *clean.Options `json:"clean,omitempty"`
	Feet      bool           `json:"feet,omitempty"`
	Choose    *choice        `json:"choose,omitempty"`
	Everybody bool           `json:"everybody,omitempty"`
	Capture   *capture       `json:"capture,omitempty"`
	Size      *[2]int        `json:"size,omitempty"` // of given keypoints
	Mirrored  bool           `json:"mirrored,omitempty"`
	Shrink    bool           `json:"shrink,omitempty"`
	keypoint.Calibration
	Sketches []draw.Sketch   `json:"sketches,omitempty"`
	Keypoint json.RawMessage `json:"keypoint"`
}

type keypointDetail struct {
	keypointRecord
	FailureDetail *string               `json:"failureDetail"`
	World         *keypoint.World       `json:"world,omitempty"`
	Cameras       []camera              `json:"cameras,omitempty"`
	Space         *inSpace              `json:"space,omitempty"`
	Candidates    *[]motion.Candidate   `json:"candidates,omitempty"`
	People        *[]inference.Presence `json:"people,omitempty"`
	Person        int                   `json:"person,omitempty"`
	Cleaned       *clean.Counts         `json:"cleaned,omitempty"`
	Quality       *quality.Report       `json:"quality,omitempty"`
	Scores        *json.RawMessage      `json:"scores,omitempty"`
	Visibility    *json.RawMessage      `json:"visibility,omitempty"`
	Timestamps    *json.RawMessage      `json:"timestamps,omitempty"`
	Positions     *[]places             `json:"positions,omitempty"` // null if none are known
	Outdated      bool                  `json:"outdated,omitempty"`
	Edits         []correction          `json:"edits,omitempty"`
	Changes       *frameChanges         `json:"changes,omitempty"`
	Looks         *[]int                `json:"looks,omitempty"`
	Hidden        *[]keypoint.Parts     `json:"hidden,omitempty"`
	Found         **foundFrames         `json:"found,omitempty"` // null if nothing is known
	Preliminary   **preliminary         `json:"preliminary,omitempty"`
	Ahead         **int                 `json:"ahead,omitempty"`
	Newer         **newer               `json:"newer,omitempty"` // null: there is no newer one
}

// preliminary is what the keypoints tell that have been found so far.
type preliminary struct {
	Frames   int            `json:"frames"`
	Quality  quality.Report `json:"quality"`
	Overview study.Study    `json:"overview"`
}

// newer names the latest measurement of a recording.
type newer struct {
	ID        int64  `json:"id"`
	CreatedAt string `json:"createdAt"`
}

// camera is where the camera of a recording stands, as a keypoint.Camera.
type camera struct {
	KeypointID  int64             `json:"keypointId"`
	Offset      float64           `json:"offset"`
	Focal       float64           `json:"focal"`
	Rotation    [3][3]float64     `json:"rotation"` // rows
	Translation keypoint.Position `json:"translation"`
}

// inSpace says what positions in space are, as a keypoint.Space.
type inSpace struct {
	Unit     string  `json:"unit"`
	Residual float64 `json:"residual,omitzero"`
	Angle    float64 `json:"angle,omitzero"` // as residual not of places that a laboratory has measured
}

// places are the positions of the parts in a frame.
type places map[keypoint.Part]keypoint.Position

// choice is who was to be analysed.
type choice struct {
	Policy  inference.Policy `json:"policy"`
	Point   *keypoint.Point  `json:"point,omitempty"`
	Track   int              `json:"track,omitempty"`
	Seconds float64          `json:"seconds,omitempty"`
	Stay    bool             `json:"stay,omitempty"`
}

// capture is how the movie was recorded.
type capture struct {
	FrameRate float64 `json:"frameRate"` // frames per second
}

// foundFrames are the keypoints that a running job has found so far.
type foundFrames struct {
	From       int                `json:"from"`
	Keypoint   []keypoint.Frame   `json:"keypoint"`
	Timestamps jsonappend.Seconds `json:"timestamps"`
}

func (c *call) keypointItem(e motion.Extraction) keypointItem {
	return keypointItem{ID: e.ID, Image: orNull(e.ImageID), Movie: orNull(e.MovieID), result: resultOf(e.State), KeypointID: e.KeypointID, KeypointIDs: e.KeypointIDs, about: c.about(e.Recording, e.Filmed()), Notes: e.Notes}
}

func (c *call) keypointRecord(e motion.Extraction, keypoints json.RawMessage) keypointRecord {
	d := keypointRecord{
		keypointItem: c.keypointItem(e), Rate: e.Rate, Clean: orNull(e.Clean), Feet: e.Feet, Everybody: e.Everybody,
		Calibration: e.Calibration, Sketches: e.Sketches, Keypoint: keypoints,
	}
	if x := e.Choose; x != (inference.Choice{}) {
		d.Choose = &choice{Policy: x.Policy, Track: x.Track, Seconds: x.Seconds, Stay: x.Stay}
		if x.Policy == inference.PolicyNearest {
			d.Choose.Point = (*keypoint.Point)(&x.Point)
		}
	}
	if e.CaptureRate != 0 {
		d.Capture = &capture{e.CaptureRate}
	}
	if d.Mirrored, d.Shrink = e.Mirrored, e.Shrink; e.Given != nil && e.Given.Width > 0 {
		d.Size = &[2]int{e.Given.Width, e.Given.Height}
	}
	return d
}

func listKeypoints(c *call) error {
	return listed(c, c.service.ListExtractions, func(e motion.Extraction) keypointItem {
		item := c.keypointItem(e)
		item.Verdict = e.Verdict // in lists alone: a record has the whole report
		if e.Summary != nil {
			item.Lead = e.Summary.Lead
		}
		return item
	})
}

func makeKeypoint(c *call) error {
	b, err := c.body(append(aboutMembers, "notes", "movieId", "imageId", "keypointId", "keypointIds", "rate", "clean", "choose", "candidates", "candidatesEvery", "everybody",
		"feet", "depth", "capture", "scale", "floor", "origin", "cameraPitch", "keypoints", "scores", "timestamps", "format", "data", "size", "frameRate", "mirrored", "shrink")...)
	if err != nil {
		return err
	}
	var req motion.ExtractRequest
	req.Rate, _ = b.get("rate").Number()
	if v := b.get("rate"); v.Present() && req.Rate == 0 && !b.get("movieId").Present() { // others are refused below
		v.Errorf("is for movies only, with movieId")
	}
	req.Clean = parsed(b, b.get("clean"), clean.ParseOptions)
	req.Uncleaned = b.get("clean").Present() && req.Clean == (clean.Options{})
	req.Choose = orZero(wire.Choice(b.get("choose")))
	if n, ok := b.get("candidates").Int(); ok {
		if req.CandidateFrames = int(n); n < 0 || n > 100 {
			b.get("candidates").Errorf("is %d, want 0 to 100", n)
		}
	}
	req.CandidatesEvery, _ = b.get("candidatesEvery").Number()
	req.Everybody, req.Feet, req.Shrink = b.flag("everybody"), b.flag("feet"), b.flag("shrink")
	b.flag("depth") // which is always kept
	if v := b.get("capture"); v.Present() && v.Known("frameRate") && v.Get("frameRate").Require("frames per second") {
		req.CaptureRate = v.Get("frameRate").Positive()
	}
	req.Calibration = wire.Calibration(b.get("scale"), b.get("floor"), b.get("origin"))
	if v, ok := b.get("cameraPitch").Number(); ok {
		req.Calibration.CameraPitch = &v
	}
	if req.Source, err = c.source(b); err != nil {
		return err
	}
	req.Mirrored, req.Recording, req.Notes = b.flag("mirrored"), b.newRecording(), orZero(b.notes())
	req.Key = c.key
	return create(c, b, req, c.service.ExtractKeypoints, func(e motion.Extraction) any { return c.keypointRecord(e, nil) })
}

// included are the members that ?include= adds to a keypoint record.
var included = []string{"scores", "visibility", "timestamps", "changes", "looks", "hidden", "found", "preliminary", "ahead", "space", "recordedAt", "newer"}

func getKeypoint(c *call, id int64) error {
	if c.query.Get("format") == "thumbnail" && !c.query.Has("include") {
		return thumbnail(c, id)
	}
	if wantsFile(c) {
		return exported(c, id, keypointFile)
	}
	if err := c.included(included...); err != nil {
		return err
	}
	raw, err := c.truth("raw")
	if err != nil {
		return err
	}
	if c.query.Has("foundFrom") && !c.includes("found") {
		return invalid(inQuery("foundFrom", c.query.Get("foundFrom"), "left out without include=found"))
	}
	from, err := c.number("foundFrom", 0, 1<<31, "a frame, from 0")
	if err != nil {
		return err
	}
	e, err := readKeypoint(c, id)
	if err != nil {
		return err
	}
	now, err := c.underWay(e, from)
	if err != nil {
		return err
	}
	return answerKeypoint(c, e, raw, now)
}

// underWay returns what is asked for of a record that is not finished, found from a frame on.
func (c *call) underWay(e motion.Extraction, from int) (d keypointDetail, err error) {
	if c.includes("found") {
		d.Found = new(*foundFrames)
		if seq, ok := c.service.GetFound(c.client, e.ID, from); ok && e.Status == storage.Processing {
			*d.Found = &foundFrames{from, append([]keypoint.Frame{}, seq.Frames...), seq.Times}
		}
	}
	if c.includes("preliminary") {
		d.Preliminary = new(*preliminary)
		p, err := c.service.GetPreliminary(c.client, e)
		if err == nil {
			*d.Preliminary = &preliminary{p.Frames, p.Quality, p.Study}
		} else if wanted(err) != nil {
			return d, err
		}
	}
	if c.includes("ahead") {
		n, ok, err := c.service.CountAhead(c.r.Context(), c.client, e)
		if d.Ahead = new(*int); ok {
			*d.Ahead = &n
		}
		return d, err
	}
	return d, nil
}

// readKeypoint reads the keypoint record that was asked for, as that of the person that the query asks for.
// Unfinished, it is that of nobody.
func readKeypoint(c *call, id int64) (e motion.Extraction, err error) {
	track, err := c.number("person", 1, 1<<31, "the track of one of the record's people, from 1")
	if err != nil {
		return e, err
	}
	if e, err = awaited(c, id, c.service.GetExtraction); err != nil {
		return e, err
	}
	p, err := e.Person(track)
	var bad *motion.RequestError
	switch {
	case errors.As(err, &bad):
		return e, invalid(mistake{Parameter: "person", Detail: fmt.Sprintf("The query parameter person is %d: %v.", track, bad.Err)})
	case errors.Is(err, motion.ErrNotReady):
		e.Track = track
		return e, nil
	}
	return p, err
}

// answerKeypoint answers with a keypoint record and what is known of the work that is under way.
func answerKeypoint(c *call, e motion.Extraction, raw bool, d keypointDetail) error {
	keypoints, scores, visibility, timestamps := e.JSON(raw)
	d.keypointRecord, d.FailureDetail, d.Person = c.keypointRecord(e, keypoints), orNull(e.Failure), e.Track
	d.Scores, d.Visibility = optional(scores, c.includes("scores")), optional(visibility, c.includes("visibility"))
	d.Timestamps = optional(timestamps, c.includes("timestamps"))
	d.outcome(e)
	var err error
	if d.Outdated, err = outdated(c, e.State); err != nil {
		return err
	}
	if e.Verdict != "" {
		report, err := e.Quality()
		if err != nil {
			return err
		}
		d.Quality = &report
	}
	edits, err := e.Corrections()
	if wanted(err) != nil {
		return err
	}
	for _, m := range edits {
		d.Edits = append(d.Edits, correction{m.Edit, stamp(m.At), m.Client})
	}
	if err := d.include(c, e); err != nil {
		return err
	}
	return c.answer(http.StatusOK, d)
}

// outcome adds what was found besides the keypoints.
func (d *keypointDetail) outcome(e motion.Extraction) {
	if e.Status == storage.Success {
		if (e.Calibration != (keypoint.Calibration{}) || e.World != (keypoint.World{})) && e.KeypointIDs == nil {
			d.World = &e.World
		}
		if e.Candidates != nil {
			d.Candidates = &e.Candidates
		}
		if e.Everybody {
			d.People = &e.People
		}
		if e.Clean != (clean.Options{}) || e.Rate > 0 {
			d.Cleaned = &e.Cleaned
		}
	}
	if s := e.Space; s != nil {
		d.Space = &inSpace{s.Unit, s.Residual, s.Angle}
		for k, id := range e.KeypointIDs { // those of given keypoints are of no record
			v := s.Cameras[k]
			one := camera{id, v.Offset, v.Focal, [3][3]float64{}, v.Translation}
			for row := range one.Rotation {
				one.Rotation[row] = v.Rotation.Row(row)
			}
			d.Cameras = append(d.Cameras, one)
		}
	}
}

// include adds what the query asks for and what has to be computed or read for it.
func (d *keypointDetail) include(c *call, e motion.Extraction) error {
	if c.includes("space") || c.includes("hidden") {
		seq, err := e.Sequence()
		if wanted(err) != nil {
			return err
		}
		if c.includes("space") {
			list := placesOf(seq)
			d.Positions = &list
		}
		if c.includes("hidden") {
			hidden := quality.Hidden(seq)
			d.Hidden = &hidden
		}
	}
	if c.includes("changes") {
		changes, err := e.CleaningMarks()
		marks, errMarks := e.Marks()
		if err := cmp.Or(wanted(err), wanted(errMarks)); err != nil {
			return err
		}
		d.Changes = &frameChanges{changes, marks}
	}
	if c.includes("looks") {
		seq, err := e.Raw()
		if wanted(err) != nil {
			return err
		}
		d.Looks = &seq.Looks
	}
	if c.includes("newer") {
		d.Newer = new(*newer)
		if e, err := c.service.GetNewer(c.r.Context(), c.client, e); err != nil {
			return err
		} else if e.ID != 0 {
			*d.Newer = &newer{e.ID, stamp(e.CreatedAt)}
		}
	}
	return nil
}

// placesOf returns where the parts are in each frame, nil if that is not known.
func placesOf(seq keypoint.Sequence) (list []places) {
	if seq.Space == nil {
		return nil
	}
	for i := range seq.Frames {
		one, at := places{}, seq.Frames[i].Positions()
		for _, p := range at.Present().List() {
			one[p], _ = at.At(p)
		}
		list = append(list, one)
	}
	return list
}

// wanted returns an error unless it is that a record has no result yet.
func wanted(err error) error {
	if errors.Is(err, motion.ErrNotReady) {
		return nil
	}
	return err
}

// changeKeypoint corrects the keypoints of a record, or changes what is known of it.
func changeKeypoint(c *call, id int64) error {
	b, err := c.body(append(aboutMembers, "notes", "sketches", "edits")...)
	if err != nil {
		return err
	}
	change := motion.ExtractionUpdate{RecordingUpdate: b.about(), Notes: b.notes(), Sketches: b.sketches()}
	var edits []correct.Edit
	if change == (motion.ExtractionUpdate{}) {
		edits = editsOf(b.get("edits"))
	} else if v := b.get("edits"); v.Present() {
		v.Errorf("is given together with other members: send two requests")
	}
	if err := b.err(); err != nil {
		return err
	}
	var e motion.Extraction
	if edits != nil {
		e, err = c.service.CorrectKeypoints(c.r.Context(), c.client, id, edits)
	} else {
		e, err = c.service.UpdateExtraction(c.r.Context(), c.client, id, change)
	}
	if err == nil {
		err = c.turn()
	}
	if err != nil {
		return err
	}
	return answerKeypoint(c, e, false, keypointDetail{})
}
