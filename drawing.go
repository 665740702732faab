package motion

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/film"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// DrawRequest asks for a drawing.
type DrawRequest struct {
	KeypointID   int64            `json:"keypointId,omitempty"` // exactly one of KeypointID and ComparisonID
	ComparisonID int64            `json:"comparisonId,omitempty"`
	Person       int              `json:"person,omitempty"`         // track of one of Outcome.People; 0 for the chosen one, and with ComparisonID
	Rules        []draw.Rule      `json:"-"`                        // at least one, or nil for the default drawing
	RuleJSON     json.RawMessage  `json:"rule,omitempty"`           // as in AnalyzeRequest
	Background   *draw.Background `json:"backgroundRule,omitempty"` // nil for the picture or movie itself
	DrawOptions

	// AnalysisID is an analysis of the same keypoints (in a comparison, of the source's) whose values labels write:
	// draw.Rule.Analysis is the index of its rule. It is required if a rule has an Analysis; it may be unfinished. 0 means none.
	AnalysisID int64 `json:"analysisId,omitempty"`

	Key Key `json:"-"` // of requests; a record has none
}

// DrawOptions are the options of a drawing in addition to its rules. All are optional.
type DrawOptions struct {
	Preset    string         `json:"preset,omitempty"`    // of draw.Preset, instead of rules
	Layout    draw.Layout    `json:"layout,omitempty"`    // of a comparison
	BlurFaces bool           `json:"blurFaces,omitempty"` // of those whose keypoints are known, see draw.Faces
	Values    []analyze.Rule `json:"values,omitempty"`    // written beside the joints, without statistics
	Shrink    bool           `json:"shrink,omitempty"`    // as Annotator has it

	// From and To trim a movie to the frames from one time to another, in seconds of the keypoints; To 0 means
	// to the end. Movies that are trimmed have no sound.
	From float64 `json:"from,omitempty"`
	To   float64 `json:"to,omitempty"`
}

// Drawing is a picture or movie with a skeleton or the differences drawn onto it. Drawings from a list
// have no Rules and Values.
type Drawing struct {
	State
	DrawRequest

	File string // the name of the drawn file, "7.jpg" for an image or "7.mp4" for a movie; "" before SUCCESS
}

// labels are the rules and the part of the analysis whose values labels write: the drawing computes the
// values itself and no longer needs the record.
type labels struct {
	Rule json.RawMessage `json:"rule,omitempty"`
	From float64         `json:"from,omitempty"`
	To   float64         `json:"to,omitempty"`
}

type drawingForm = catalog.Form[DrawRequest, labels]

func newDrawing(r storage.Record, w catalog.Work, req DrawRequest) Drawing {
	d := Drawing{State: stateOf(r, w), DrawRequest: req}
	if w.File != nil {
		d.File = fmt.Sprint(r.ID, w.File.Extension)
	}
	return d
}

// listedDrawing returns a drawing without what has to be parsed.
func listedDrawing(r storage.Record) (Drawing, error) {
	var d catalog.Form[struct {
		DrawRequest
		Values json.RawMessage `json:"values"`
	}, labels]
	err := catalog.Decode(r, &d)
	return newDrawing(r, d.Work, d.Request.DrawRequest), err
}

func drawingOf(r storage.Record) (Drawing, error) {
	d, _, err := wholeDrawing(r)
	return d, err
}

// wholeDrawing returns the stored form, too.
func wholeDrawing(r storage.Record) (d Drawing, form drawingForm, err error) {
	if err := catalog.Decode(r, &form); err != nil {
		return d, form, err
	}
	d = newDrawing(r, form.Work, form.Request)
	if d.RuleJSON != nil {
		if d.Rules, err = draw.ParseRules(d.RuleJSON); err != nil {
			err = fmt.Errorf("stored rule: %w", err)
		}
	}
	return d, form, err
}

// check reports what is wrong with a request, whatever records it names.
func (req DrawRequest) check(fonts []draw.Font) error {
	comparison := req.ComparisonID != 0
	switch {
	case (req.KeypointID == 0) != comparison:
		return badRequest("keypointId", "exactly one of keypointId and comparisonId is required")
	case comparison && req.Person != 0:
		return badRequest("person", "is not for comparisons, which say who is compared")
	case req.Rules != nil && len(req.Rules) == 0:
		return badRequest("rule", "is empty: want at least one rule, or no list for the default drawing")
	}
	if err := req.DrawOptions.check(req.Rules != nil, comparison); err != nil {
		return err
	}
	style, err := draw.Compile(req.Rules, draw.Background{}, comparison, fonts...)
	if err != nil {
		return inField("rule", err)
	}
	if style.Needs().Value && req.AnalysisID == 0 {
		return badRequest("analysisId", "is required: a label writes the value of an analysis")
	}
	if req.Background != nil {
		_, err = draw.Compile(nil, *req.Background, false)
	}
	return inField("backgroundRule", err)
}

// check reports what is wrong with the options of a drawing with or without rules, of a comparison or not.
func (o DrawOptions) check(rules, comparison bool) error {
	switch _, known := draw.Preset(o.Preset, false); {
	case o.Preset != "" && !known:
		return badRequest("preset", "is %q, want %s", o.Preset, strings.Join(draw.Presets(), " or "))
	case o.Preset != "" && rules:
		return badRequest("preset", "is given together with rule: want one of the two")
	case o.Layout != "" && o.Layout != draw.LayoutGhost && o.Layout != draw.LayoutSideBySide:
		return badRequest("layout", "is %q, want ghost or sideBySide", o.Layout)
	case o.Layout != "" && !comparison:
		return badRequest("layout", "is for drawing a comparison only")
	}
	return checkPart(o.From, o.To)
}

// checkValues returns mistakes in rules whose values are written beside the joints.
func checkValues(rules []analyze.Rule, movie bool) error {
	if rules != nil && len(rules) == 0 {
		return keypoint.FieldErrors{{Detail: "is empty: want at least one rule"}}
	}
	errs := rulejson.Check(rules, func(r *analyze.Rule, note rulejson.Note) {
		const detail = "has no place here: every frame shows its own value"
		note(r.Movie != nil, "/movieOption", detail)
		note(r.Repetitions != nil, "/repetitions", detail)
		note(r.Symmetry, "/symmetry", detail)
	})
	if errs != nil {
		return errs[:1]
	}
	return analyze.Check(rules, movie)
}

// rules returns the rules, or those of the preset, with what the layout adds.
func (o DrawOptions) rules(rules []draw.Rule, comparison bool) []draw.Rule {
	if o.Preset != "" {
		rules, _ = draw.Preset(o.Preset, comparison)
	}
	if o.Layout == draw.LayoutGhost {
		if rules == nil {
			rules = draw.Defaults(comparison)
		}
		rules = draw.Ghosts(rules, draw.SkyBlue)
	}
	return rules
}

// DrawKeypoints creates a drawing record and queues its job. The job starts when the records that the drawing is made from
// have succeeded, and fails if one of them fails. Wrong rules are a *RequestError that wraps keypoint.FieldErrors.
func (s *Service) DrawKeypoints(ctx context.Context, owner string, req DrawRequest) (Drawing, error) {
	if err := req.check(s.cfg.Fonts); err != nil {
		return Drawing{}, err
	}
	var d drawingForm
	if err := s.drawable(ctx, owner, req, &d); err != nil {
		return Drawing{}, err
	}
	var err error
	if req.RuleJSON, err = rulesJSON(req.Rules, req.RuleJSON); err != nil {
		return Drawing{}, inField("rule", err)
	}
	d.Request = req
	return create(ctx, s, owner, storage.Drawings, req.Key, d, drawingOf)
}

// drawable checks the records that a request names, and adds to the stored form what they say.
func (s *Service) drawable(ctx context.Context, owner string, req DrawRequest, d *drawingForm) error {
	keypointID, person, field := req.KeypointID, req.Person, "keypointId"
	if req.ComparisonID != 0 {
		key := storage.Key{Owner: owner, Kind: storage.Comparisons, ID: req.ComparisonID}
		c, err := typedOf(comparisonOf)(s.cfg.Store.Head(ctx, key))
		if err != nil {
			return referenceError("comparisonId", key, err)
		}
		keypointID, person, field = c.SourceID, c.Person, "comparisonId"
	}
	e, err := s.reference(ctx, owner, field, keypointID)
	if err == nil {
		err = e.checkPerson("person", req.Person)
	}
	if err == nil && !e.pictured() {
		err = fmt.Errorf("%w: the keypoint record %d has no movie or image to draw on: give its keypoints with movieId or imageId", ErrConflict, e.ID)
	}
	if err == nil {
		err = inField("values", checkValues(req.Values, e.MovieID != 0))
	}
	if err == nil && e.MovieID == 0 {
		err = partOfImage(req.From, req.To)
	}
	if err == nil && req.AnalysisID != 0 {
		d.Outcome, err = s.labels(ctx, owner, req, keypointID, person)
	}
	d.Slow, d.From = e.MovieID != 0, slices.Concat(madeFrom(storage.Keypoints, req.KeypointID), madeFrom(storage.Comparisons, req.ComparisonID))
	return err
}

// labels returns the analysis whose values the labels of a drawing of a person's keypoints write.
func (s *Service) labels(ctx context.Context, owner string, req DrawRequest, keypointID int64, person int) (labels, error) {
	key := storage.Key{Owner: owner, Kind: storage.Analyses, ID: req.AnalysisID}
	a, err := typedOf(analysisOf)(s.cfg.Store.Head(ctx, key))
	switch {
	case err != nil:
		return labels{}, referenceError("analysisId", key, err)
	case a.KeypointID != keypointID:
		return labels{}, badRequest("analysisId", "the analysis %d is of the keypoint record %d, the drawing of %d", a.ID, a.KeypointID, keypointID)
	case a.Person != person:
		return labels{}, badRequest("analysisId", "the analysis %d and the drawing are of different people", a.ID)
	}
	err = film.CheckLabels(req.Rules, len(a.Rules))
	return labels{a.RuleJSON, a.From, a.To}, inField("rule", err)
}

// GetDrawing returns a drawing record.
func (s *Service) GetDrawing(ctx context.Context, owner string, id int64) (Drawing, error) {
	return typedOf(drawingOf)(s.cfg.Store.Head(ctx, storage.Key{Owner: owner, Kind: storage.Drawings, ID: id}))
}

// ListDrawings returns a page of the owner's drawings, newest first, and the number of all that match.
func (s *Service) ListDrawings(ctx context.Context, owner string, page Page) ([]Drawing, int, error) {
	return list(ctx, s, owner, storage.Drawings, page, listedDrawing)
}

// OpenDrawing opens the drawn file, JPEG or MP4 as Drawing.File says, or returns ErrNotReady. A file that is missing
// or has another size than the drawn one is an error that names it and is of no kind. The caller closes the file.
func (s *Service) OpenDrawing(ctx context.Context, owner string, id int64) (storage.Blob, error) {
	r, err := s.cfg.Store.Head(ctx, storage.Key{Owner: owner, Kind: storage.Drawings, ID: id})
	if err != nil {
		return nil, err
	}
	return s.keeper.OpenFile(ctx, r, ErrNotReady)
}

func (s *Service) workDraw(ctx context.Context, r storage.Record, progress func(done, total int)) (worker.Output, error) {
	d, form, err := wholeDrawing(r)
	if err != nil {
		return worker.Output{}, err
	}
	a, key, seq, err := s.annotator(ctx, r.Owner, d, &form)
	if err != nil {
		return worker.Output{}, err
	}
	dir, remove, err := s.workFolder()
	if err != nil {
		return worker.Output{}, err
	}
	defer remove()
	m := media{
		image: key.Kind == storage.Images,
		open:  func() (io.ReadSeekCloser, error) { return s.OpenMedia(ctx, key.Owner, key.Kind, key.ID) },
	}
	form.File = &catalog.File{Extension: ".mp4"}
	if m.image {
		form.File.Extension = ".jpg"
	}
	a.Progress = progress
	path := filepath.Join(dir, "drawing"+form.File.Extension)
	if err := a.annotate(ctx, m, path, seq); err != nil {
		return worker.Output{}, s.mediaFailure(ctx, key, err)
	}
	f, err := os.Open(path)
	if err != nil {
		return worker.Output{}, err
	}
	defer f.Close()
	info, err := s.cfg.Blobs.Put(ctx, catalog.FileName(r.Kind, r.ID, form.File.Extension), f, storage.PutOptions{})
	if err != nil {
		return worker.Output{}, err
	}
	form.File.Size, form.File.MD5 = info.Size, info.MD5[:]
	return output(form, nil)
}

// annotator returns an Annotator for a drawing, the media that it draws onto, and their
// keypoints. It notes their corrections in the stored form.
func (s *Service) annotator(ctx context.Context, owner string, d Drawing, form *drawingForm) (a Annotator, m storage.Key, seq keypoint.Sequence, err error) {
	a = Annotator{Decoder: s.cfg.Decoder, Encoder: s.cfg.Encoder, Limits: s.cfg.Limits, Fonts: s.cfg.Fonts, turn: s.turn}
	a.Rules, a.Values, a.BlurFaces, a.Shrink = d.rules(d.Rules, d.ComparisonID != 0), d.Values, d.BlurFaces, d.Shrink
	if d.Background != nil {
		a.Background = *d.Background
	}
	id, person := d.KeypointID, d.Person
	if d.ComparisonID != 0 {
		c, err := s.GetComparison(ctx, owner, d.ComparisonID)
		if err == nil {
			form.Corrected, err = s.compared(ctx, owner, d, c, &a)
		}
		if err != nil {
			return a, m, seq, err
		}
		id, person = c.SourceID, c.Person
	}
	e, seq, err := s.keypoints(ctx, owner, id, person)
	if err == nil {
		a.Name, a.Quality, err = s.known(ctx, owner, e)
	}
	if err == nil {
		a.Sketches, form.Corrected = e.Sketches, append(form.Corrected, correctionsOf(e)...)
		if d.From != 0 || d.To != 0 {
			a.Span, err = seq.Between(d.From, d.To)
			err = lasting(err)
		}
	}
	if err == nil {
		err = a.label(form.Outcome, seq)
	}
	if err == nil && d.BlurFaces {
		a.Others, err = e.sequences()
	}
	if err == nil && e.CaptureRate != 0 {
		var found keypoint.Sequence
		found, err = e.found()
		a.times = found.Times
	}
	a.Decoder = e.decoder(s.cfg.Decoder)
	return a, e.media(owner), seq, err
}

// compared sets what an Annotator draws of a comparison, and returns the corrections of all keypoints that it is made from.
func (s *Service) compared(ctx context.Context, owner string, d Drawing, c Comparison, a *Annotator) ([]catalog.Corrected, error) {
	res, err := c.Result()
	if err != nil {
		return nil, err
	}
	a.compared, a.Compare = &res, c.Options
	beside := d.Layout == draw.LayoutSideBySide
	if style, err := draw.Compile(a.Rules, a.Background, true, a.Fonts...); !beside && (err != nil || !style.Needs().Target) {
		return c.work.Corrected, nil
	}
	to, target, err := s.keypoints(ctx, owner, c.TargetID, c.TargetPerson)
	if err == nil {
		a.TargetName, a.Compare.TargetQuality, err = s.known(ctx, owner, to)
	}
	if err != nil {
		return nil, err
	}
	a.Target = &target
	if beside {
		if !to.pictured() {
			return nil, &worker.Failure{Detail: fmt.Sprintf("The keypoint record %d has no movie or image to draw beside this one.", to.ID)}
		}
		key := to.media(owner)
		a.beside = to.decoder(s.cfg.Decoder)
		a.Beside = func() (io.ReadSeekCloser, error) { return s.OpenMedia(ctx, key.Owner, key.Kind, key.ID) }
	}
	if beside && d.BlurFaces {
		a.TargetOthers, err = to.sequences()
	}
	return append(c.work.Corrected, correctionsOf(to)...), err
}

// known returns the name of the movie or image that keypoints are of, "" without, and what they are good for.
func (s *Service) known(ctx context.Context, owner string, e Extraction) (name string, judged quality.Report, err error) {
	if judged, err = e.Quality(); err != nil || !e.pictured() {
		return "", judged, err
	}
	key := e.media(owner)
	m, err := s.GetMedia(ctx, owner, key.Kind, key.ID)
	if m.Name != nil {
		name = *m.Name
	}
	return name, judged, err
}

// label sets the analysis whose values the labels of a drawing of seq write.
func (a *Annotator) label(l labels, seq keypoint.Sequence) (err error) {
	if l.Rule != nil {
		if a.Analyses, err = analyze.ParseRules(l.Rule); err != nil {
			return fmt.Errorf("stored rule of the analysis: %w", err)
		}
	}
	if l.From != 0 || l.To != 0 {
		a.analysed, err = seq.Between(l.From, l.To)
	}
	return lasting(err)
}
