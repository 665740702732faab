package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/examine"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/draw/report"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/say"
)

// recording is what a handle of JavaScript stands for. As in the service, what is computed of it is of the keypoints and the
// quality that their JSON holds.
type recording struct {
	raw       keypoint.Sequence
	scale     keypoint.Calibration
	how       clean.Options
	processed bool // the rest is known

	seq     keypoint.Sequence
	judged  quality.Report
	changes [][keypoint.NumParts]clean.Change
}

// session is the recordings that JavaScript has handles of.
type session struct {
	recordings map[int]*recording
	last       int
}

// call runs a method: read with data, all others of a recording, compare with another one too. It returns a handle (int), a
// text, or a value for JSON.
func (s *session) call(method string, data []byte, of int, options []byte, other int) (any, error) {
	r, target := s.recordings[of], s.recordings[other]
	if r == nil && method != "read" && method != "free" || target == nil && method == "compare" {
		return nil, fmt.Errorf("%w recording: it was freed", keypoint.ErrInvalid)
	}
	switch method {
	case "read", "clean":
		var made *recording
		var err error
		if method == "read" {
			made, err = read(data, options)
		} else {
			made, err = r.clean(options)
		}
		if err != nil {
			return nil, err
		}
		s.last++
		s.recordings[s.last] = made
		return s.last, nil
	case "free":
		delete(s.recordings, of)
		return nil, nil
	}
	err := r.process()
	if err == nil && target != nil {
		err = target.process()
	}
	if err != nil {
		return nil, err
	}
	switch method {
	case "judge":
		return r.judged, nil
	case "keypoints":
		return r.keypoints(), nil
	case "analyse":
		return r.analyse(options)
	case "compare":
		return r.compare(target, options)
	}
	return r.report(options)
}

// read reads keypoints of a format. Options are format ("" finds it out), rate, size, bodyHeight in metres, and mirrored.
func read(data, options []byte) (*recording, error) {
	var opt struct {
		Format     string  `json:"format"`
		Rate       float64 `json:"rate"`
		Size       []int   `json:"size"`
		BodyHeight float64 `json:"bodyHeight"`
		Mirrored   bool    `json:"mirrored"`
	}
	if err := strict(options, &opt); err != nil {
		return nil, err
	}
	var size image.Point
	switch len(opt.Size) {
	case 0:
	case 2:
		size = image.Pt(opt.Size[0], opt.Size[1])
	default:
		return nil, keypoint.FieldErrors{{Pointer: "/size", Detail: fmt.Sprintf("has %d numbers, want [width, height] in pixels", len(opt.Size))}}
	}
	seq, err := formats.Read(bytes.NewReader(data), opt.Format, formats.Options{Rate: opt.Rate, Size: size})
	var bad *formats.Error
	if errors.As(err, &bad) {
		if at := map[string]string{"Rate": "/rate", "Size": "/size", "format": "/format"}[bad.Member]; at != "" {
			return nil, keypoint.FieldErrors{{Pointer: at, Detail: bad.Detail}}
		}
	}
	if err != nil {
		return nil, err
	}
	if opt.Mirrored {
		if seq.Size == (image.Point{}) {
			return nil, keypoint.FieldErrors{{Pointer: "/size", Detail: "is missing: mirrored keypoints are put right in it"}}
		}
		seq = seq.Unmirrored()
	}
	r := &recording{raw: seq}
	if opt.BodyHeight != 0 {
		r.scale.Scale = &keypoint.Scale{BodyHeight: opt.BodyHeight}
	}
	return r, nil
}

// clean cleans the keypoints as they were read. Options are those of clean.ParseOptions.
func (r *recording) clean(options []byte) (*recording, error) {
	opt, err := clean.ParseOptions(options)
	if err != nil {
		return nil, err
	}
	return &recording{raw: r.raw, scale: r.scale, how: opt}, nil
}

// process cleans and judges the keypoints, once.
func (r *recording) process() error {
	if r.processed {
		return nil
	}
	p, err := extraction.Run(r.raw, extraction.Options{Clean: r.how, Calibration: r.scale})
	if err == nil {
		err = stored(p.Sequence, &r.seq)
	}
	if err == nil {
		err = stored(p.Quality, &r.judged)
	}
	r.changes, r.processed = p.Cleaning.Changes, err == nil
	return err
}

// stored reads a value back from its JSON.
func stored(from, to any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// keypoints returns the recording in the form of the API.
func (r *recording) keypoints() any {
	changes := make([]map[string][]string, len(r.changes))
	for i, parts := range r.changes {
		changes[i] = map[string][]string{}
		for p, c := range parts {
			if c != 0 {
				changes[i][keypoint.Part(p).String()] = c.Names()
			}
		}
	}
	return struct {
		Sequence keypoint.Sequence     `json:"sequence"`
		Quality  quality.Report        `json:"quality"`
		Changes  []map[string][]string `json:"changes"`
	}{r.seq, r.judged, changes}
}

// analyse answers a request of the API's analyses.
func (r *recording) analyse(request []byte) (any, error) {
	var body struct {
		Rule     json.RawMessage `json:"rule"`
		Gait     json.RawMessage `json:"gait"`
		Neutral  json.RawMessage `json:"neutral"`
		Exercise json.RawMessage `json:"exercise"`
		Jump     bool            `json:"jump"`
		Overview bool            `json:"overview"`
		From     float64         `json:"from"`
		To       float64         `json:"to"`
	}
	if err := strict(request, &body); err != nil {
		return nil, err
	}
	req := examine.Request{Jump: body.Jump, Overview: body.Overview, From: body.From, To: body.To}
	err := within("rule", body.Rule, func(text []byte) (err error) { req.Rules, err = analyze.ParseRules(text); return err })
	if err == nil {
		err = within("rule", body.Rule, func([]byte) error { return analyze.Check(req.Rules, r.seq.Times != nil) })
	}
	if err == nil {
		err = within("gait", body.Gait, func(text []byte) (err error) { req.Gait, err = gait.ParseOptions(text); return err })
	}
	if err == nil {
		err = within("neutral", body.Neutral, func(text []byte) (err error) { req.Neutral, err = analyze.ParseNeutral(text); return err })
	}
	if err == nil {
		err = within("exercise", body.Exercise, func(text []byte) error {
			d, err := exercise.Parse(text)
			req.Exercise = &d
			return err
		})
	}
	if err != nil {
		return nil, err
	}
	if req.Rules == nil && req.Gait == nil && !req.Jump && !req.Overview && req.Exercise == nil {
		return nil, fmt.Errorf("%w request: it asks for nothing: want rule, gait, jump, overview or exercise", keypoint.ErrInvalid)
	}
	return req.Run(r.seq, r.judged)
}

// compare returns how far another recording is from this one.
func (r *recording) compare(target *recording, options []byte) (any, error) {
	var opt struct {
		Alignment   compare.Alignment `json:"alignment"`
		Mirror      bool              `json:"mirror"`
		Angles      bool              `json:"angles"`
		Score       bool              `json:"score"`
		Repetitions json.RawMessage   `json:"repetitions"`
	}
	if err := strict(options, &opt); err != nil {
		return nil, err
	}
	of := compare.Options{
		Alignment: opt.Alignment, Mirror: opt.Mirror, Angles: opt.Angles, Warnings: opt.Score, SourceQuality: r.judged, TargetQuality: target.judged,
	}
	err := within("repetitions", opt.Repetitions, func(text []byte) error {
		rules, err := analyze.ParseRules(text)
		if err == nil && len(rules) != 1 {
			err = fmt.Errorf("%w rules: there are %d, want one", keypoint.ErrInvalid, len(rules))
		}
		if err == nil {
			of.Repetitions = &rules[0]
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	res, err := compare.Diff(r.seq, target.seq, of)
	if !opt.Score {
		res.Score = nil
	}
	return res, err
}

// report returns a report as HTML. Options are title, text, language and made, a time.
func (r *recording) report(options []byte) (any, error) {
	var opt struct {
		Title    string       `json:"title"`
		Text     string       `json:"text"`
		Language say.Language `json:"language"`
		Made     time.Time    `json:"made"`
	}
	if err := strict(options, &opt); err != nil {
		return nil, err
	}
	of := report.Report{
		Title: opt.Title, Text: opt.Text, Language: opt.Language, Made: opt.Made,
		Sequence: r.seq, Quality: r.judged, Settings: report.Settings{Cleaning: &r.how},
	}
	var page bytes.Buffer
	if err := of.Analyze(); err != nil {
		return nil, err
	}
	err := of.Write(&page)
	return page.String(), err
}

// strict reads options, nothing of which may be unknown.
func strict(text []byte, to any) error {
	if len(text) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(to)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return keypoint.FieldErrors{{Pointer: "/" + kind.Field, Detail: "has the wrong type: " + kind.Value}}
	}
	if err != nil {
		return fmt.Errorf("%w options: %w", keypoint.ErrInvalid, err)
	}
	return nil
}

// within reads a member, if it is there, and puts its name before the places of its mistakes.
func within(member string, text []byte, read func([]byte) error) error {
	if len(text) == 0 || string(text) == "null" || string(text) == "false" {
		return nil
	}
	err := read(text)
	var wrong keypoint.FieldErrors
	if errors.As(err, &wrong) {
		for _, w := range wrong {
			w.Pointer = "/" + member + w.Pointer
		}
		return wrong
	}
	if err != nil {
		return fmt.Errorf("/%s: %w", member, err)
	}
	return nil
}
