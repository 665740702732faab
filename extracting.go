package motion

import (
	"context"
	"errors"
	"math"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/storage"
)

func (s *Service) workExtract(ctx context.Context, r storage.Record, progress func(done, total int)) (worker.Output, error) {
	var d extractionForm
	if err := catalog.Decode(r, &d); err != nil {
		return worker.Output{}, err
	}
	if d.Request.KeypointIDs != nil {
		return s.workJoin(ctx, r.Owner, d)
	}
	people, corrections, err := s.found(ctx, r.Key, &d, progress)
	if err != nil {
		return worker.Output{}, err
	}
	documents, made, err := extraction.Make(people, processing(d), corrections)
	if err != nil {
		return worker.Output{}, lasting(err)
	}
	conclude(&d, made)
	if d.Request.Everybody {
		d.Outcome.People = people.Presence()
	}
	d.Corrections = extraction.Digests(corrections, people.Presence(), made.Moved)
	return output(d, documents)
}

// processing is how the keypoints of a record are processed.
func processing(d extractionForm) extraction.Options {
	opt := d.Request.processing()
	opt.ScaleIfShown = d.About != nil && d.About.Scaled
	return opt
}

// conclude adds to what is stored of a record what became of its keypoints.
func conclude(d *extractionForm, made extraction.Result) {
	d.Request.Calibration = made.Calibration
	out := &d.Outcome
	out.World, out.Space, out.Cleaned, out.Verdict, out.Summary = made.Sequence.World, made.Sequence.Space, made.Cleaning.Counts(), made.Quality.Verdict, &made.Summary
}

// found returns the people whose keypoints are processed, and their corrections: those of another record, or those in its media.
func (s *Service) found(ctx context.Context, key storage.Key, d *extractionForm, progress func(done, total int)) (people inference.People, list correct.List, err error) {
	if d.Request.KeypointID == 0 {
		people, err = s.extract(ctx, key, d, progress)
		return people, nil, err
	}
	from, err := s.GetExtraction(ctx, key.Owner, d.Request.KeypointID)
	if err != nil {
		return people, nil, err
	}
	documents, err := from.everybody()
	if err != nil {
		return people, nil, err
	}
	people, err = documents.Everybody(from.People)
	return people, documents.AllCorrections(), err
}

// extract finds the keypoints in the media of a record, and its candidates. Those of one person in a
// movie can be read with GetFound meanwhile.
func (s *Service) extract(ctx context.Context, key storage.Key, d *extractionForm, progress func(done, total int)) (people inference.People, err error) {
	req, file := d.Request, d.Request.media(key.Owner)
	media, err := s.mediaRecord(ctx, file.Owner, file.Kind, file.ID)
	if err != nil {
		return people, err
	}
	blob, err := s.keeper.OpenFile(ctx, media, notUploaded(file))
	if err != nil {
		return people, err
	}
	defer blob.Close()
	var known mediaForm
	if err := catalog.Decode(media, &known); err != nil {
		return people, err
	}
	add, end := s.running.Begin(key, known.Outcome.Size)
	defer end()
	x := Extractor{Estimator: s.cfg.Estimator, Decoder: s.cfg.Decoder, Limits: s.cfg.Limits, FindOptions: req.FindOptions, Progress: progress, OnFrame: add, turn: s.turn}
	if req.CandidateFrames > 0 {
		d.Outcome.Candidates = []Candidate{}
	}
	x.OnCandidates = func(frame int, people []inference.Candidate) {
		round := func(v, unit float64) float64 { return math.Round(v*unit) / unit }
		for _, p := range people {
			low, high := p.Box.Min, p.Box.Max
			box := [4]float64{round(low[0], 100), round(low[1], 100), round(high[0], 100), round(high[1], 100)}
			d.Outcome.Candidates = append(d.Outcome.Candidates, Candidate{Frame: frame, Box: box, Score: round(p.Score, 1e4), Track: p.Track})
		}
	}
	var thumbnail []byte
	if !req.Mirrored {
		x.thumbnail = func(jpeg []byte) { thumbnail = jpeg }
	}
	if people, err = x.people(ctx, blob, req.ImageID != 0); err != nil {
		return people, s.mediaFailure(ctx, file, err)
	}
	if req.MovieID != 0 {
		if thumbnail != nil {
			s.keepThumbnail(ctx, file, thumbnail)
		}
		// What its headers promised is replaced by what was decoded.
		_, err = s.changeMedia(ctx, media, func(m *mediaForm) { m.Outcome = decoded(m.Outcome, people.Chosen.Sequence) })
		if errors.Is(err, ErrNotFound) { // deleted in the meantime
			err = s.keeper.DeleteFiles(ctx, file)
		}
	}
	return people, err
}

// decoded returns what is known of a movie once its frames have been decoded.
func decoded(info inference.Info, seq keypoint.Sequence) inference.Info {
	info.Size = seq.Size
	if fps, ok := seq.FrameRate(); ok {
		info.FrameRate = fps
	}
	if seq.Len() == info.Frames {
		return info
	}
	info.Frames = seq.Len()
	if info.Duration = seq.Duration(); info.FrameRate > 0 {
		info.Duration += 1 / info.FrameRate
	}
	return info
}

func (s *Service) workJoin(ctx context.Context, owner string, d extractionForm) (worker.Output, error) {
	var records []Extraction
	var views []keypoint.Sequence
	for _, id := range d.Request.KeypointIDs {
		e, seq, err := s.keypoints(ctx, owner, id, 0)
		if err != nil {
			return worker.Output{}, err
		}
		seq.World = keypoint.World{}
		records, views = append(records, e), append(views, seq)
	}
	first, err := records[0].documents()
	if err != nil {
		return worker.Output{}, lasting(err)
	}
	documents, made, err := first.Join(views, processing(d))
	if err != nil {
		return worker.Output{}, lasting(err)
	}
	conclude(&d, made)
	d.Outcome.Cleaned, d.Corrected = records[0].Cleaned, correctionsOf(records...)
	d.Outcome.Cleaned.Swapped = made.Cleaning.Count(clean.Swapped)
	return output(d, documents)
}
