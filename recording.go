package motion

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/rulejson"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// changeEach makes a change of some recordings. Those that are gone meanwhile are left out.
func (s *Service) changeEach(ctx context.Context, keys []storage.Key, change ExtractionUpdate) error {
	if change == (ExtractionUpdate{}) {
		var err error
		if keys, err = s.relabel(ctx, keys); err != nil {
			return err
		}
	}
	for _, key := range keys {
		if _, err := s.changeRecording(ctx, key, change); err != nil && !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return nil
}

// relabel writes the labels of records again, many at once, and returns those of which it could not: the Store does not do
// that, or they have changed meanwhile.
func (s *Service) relabel(ctx context.Context, keys []storage.Key) (left []storage.Key, err error) {
	store, ok := storage.As[storage.Relabeler](s.cfg.Store)
	if !ok {
		return keys, nil
	}
	for batch := range slices.Chunk(keys, 200) {
		var changed []storage.Record
		for _, key := range batch {
			r, err := s.cfg.Store.Head(ctx, key)
			was := r.Labels
			if err == nil {
				r, err = s.labelled(ctx, r)
			}
			switch {
			case errors.Is(err, ErrNotFound):
			case err != nil:
				return nil, err
			case !slices.Equal(was, r.Labels):
				changed = append(changed, r)
			}
		}
		stale, err := timed(ctx, func(ctx context.Context) ([]storage.Key, error) { return store.Relabel(ctx, changed...) })
		if err != nil {
			return nil, err
		}
		left = append(left, stale...)
	}
	return left, nil
}

// tell adds to what is stored of a request what is known of the recording: what it says, else what was told of what it is made from.
// It adds the scale of the subject.
func (s *Service) tell(ctx context.Context, owner string, asked About, d *extractionForm) error {
	told, file := aboutOf(d.About)
	rest := &catalog.About{Filmed: file}
	about := About{Recording{cmp.Or(asked.SubjectID, told.SubjectID), cmp.Or(storable(asked.RecordedAt), told.RecordedAt), asked.Tags}, asked.Notes, nil, told.Sketches}
	if about.Tags == nil {
		about.Tags = told.Tags
	}
	if about.Notes == nil {
		about.Notes = told.Notes
	}
	if id := about.SubjectID; id != 0 {
		subject, err := s.GetSubject(ctx, owner, id)
		switch {
		case asked.SubjectID == 0 && errors.Is(err, ErrNotFound): // is being deleted
			about.SubjectID = 0
		case err != nil:
			return referenceError("subjectId", subjectKey(owner, id), err)
		case subject.BodyHeight != 0 && d.Request.Calibration.Scale == nil:
			rest.Scaled, d.Request.Calibration.Scale = true, &keypoint.Scale{BodyHeight: subject.BodyHeight}
		}
	}
	d.About = about.stored(rest)
	return nil
}

// UpdateExtraction changes what is known of a keypoint record beside its content, in any state. The result stays. Wrong Sketches are a
// *RequestError that wraps keypoint.FieldErrors; those of a record without SUCCESS are ErrNotReady.
func (s *Service) UpdateExtraction(ctx context.Context, owner string, id int64, change ExtractionUpdate) (Extraction, error) {
	var wanted About
	change.apply(&wanted)
	if err := cmp.Or(wanted.check(), s.checkSubject(ctx, owner, wanted.SubjectID)); err != nil {
		return Extraction{}, err
	}
	return typedOf(extractionOf)(s.changeRecording(ctx, storage.Key{Owner: owner, Kind: storage.Keypoints, ID: id}, change))
}

// changeRecording makes a change that was checked. A change of nothing writes the labels again, if they have changed.
func (s *Service) changeRecording(ctx context.Context, key storage.Key, change ExtractionUpdate) (storage.Record, error) {
	r, err := s.cfg.Store.Get(ctx, key)
	if err != nil {
		return r, err
	}
	return s.change(ctx, r, s.cfg.Store.Get, func(r storage.Record) (storage.Record, error) {
		if err := checkSketches(change.Sketches, r); err != nil {
			return r, err
		}
		return catalog.WithAbout(r, func(a *catalog.About) *catalog.About {
			told, _ := aboutOf(a)
			change.apply(&told)
			return told.stored(a)
		})
	})
}

// checkSketches checks what is drawn by hand onto the frames of a keypoint record, nil for nothing.
func checkSketches(list *[]draw.Sketch, r storage.Record) error {
	if list == nil || len(*list) == 0 {
		return nil
	}
	if len(*list) > maxSketches {
		return badRequest("sketches", "are %d, want at most %d", len(*list), maxSketches)
	}
	e, err := extractionOf(r)
	if err != nil {
		return err
	}
	seq, err := e.Sequence()
	if err != nil {
		return err
	}
	wrong := rulejson.Check(*list, func(s *draw.Sketch, note rulejson.Note) {
		n, runes := len(s.Points), utf8.RuneCountInString(s.Text)
		note(s.Frame < 0 || s.Frame >= seq.Len(), "/frame", "is %d, want 0 to %d", s.Frame, seq.Len()-1)
		note(s.Last != 0 && (s.Last < s.Frame || s.Last >= seq.Len()), "/last", "is %d, want the last frame of a sketch, %d to %d", s.Last, s.Frame, seq.Len()-1)
		note(n < 1 || n > 3, "/points", "has %d points, want 1 for a word, 2 for a line, 3 for an angle", n)
		for i, at := range s.Points {
			inside := at[0] >= 0 && at[0] <= float64(seq.Size.X) && at[1] >= 0 && at[1] <= float64(seq.Size.Y)
			note(!inside, fmt.Sprintf("/points/%d", i), "is %v, want a point in the picture of %d × %d pixels", at, seq.Size.X, seq.Size.Y)
		}
		note(runes > maxSketchText || !utf8.ValidString(s.Text), "/text", "has %d characters, want at most %d, in UTF-8", runes, maxSketchText)
		note(n == 1 && strings.TrimSpace(s.Text) == "", "/text", "is empty, and is all there is of a single point")
		_, known := s.Color.RGBA()
		note(!known && s.Color != "", "/color", "is %q, want one of %v", s.Color, draw.Colors())
	})
	if wrong != nil {
		return inField("sketches", wrong)
	}
	return nil
}

// changeMade makes a change of a movie or image that of its keypoint records. Their labels have its texts.
func (s *Service) changeMade(ctx context.Context, media storage.Key, change RecordingUpdate) error {
	keys, err := s.keeper.Labelled(ctx, media.Owner, storage.Keypoints, catalog.FromLabel(media))
	if err != nil {
		return err
	}
	return s.changeEach(ctx, keys, ExtractionUpdate{RecordingUpdate: change})
}
