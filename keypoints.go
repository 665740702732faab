package motion

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/extraction"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/keypoint/quality"
	"github.com/bodymotion/motion/storage"
)

// Person returns the record as that of one of its People: Sequence, Raw, CleaningMarks, JSON,
// Quality, Cleaned and Verdict are of that person; 0 is the chosen one. World is that of the record. It is
// ErrNotReady before SUCCESS; a track that the record does not have is a *RequestError.
func (e Extraction) Person(track int) (Extraction, error) {
	if track == 0 {
		return e, nil
	}
	if e.record != nil { // somebody else of the same record
		e = *e.record
	}
	i, err := e.indexOf("person", track)
	if err != nil {
		return Extraction{}, err
	}
	if e.parsed == nil {
		return Extraction{}, ErrNotReady
	}
	if e.Track = track; e.People[i].Chosen {
		return e, nil
	}
	d, err := extraction.Decode(e.result, func(other int) bool { return other == track })
	if err != nil {
		return Extraction{}, err
	}
	record, own := e, d.People[track]
	report, err := own.Report()
	e.Cleaned, e.Verdict = own.Counts, report.Verdict
	e.record, e.parsed = &record, func() (extraction.Documents, error) { return own, nil }
	return e, err
}

// checkPerson checks a field of a request with the track of a person, 0 for the chosen one.
func (e Extraction) checkPerson(field string, track int) error {
	if track == 0 {
		return nil
	}
	_, err := e.indexOf(field, track)
	return err
}

// indexOf returns the index in People of the person that a field of a request names, or −1 if the people are not known yet.
func (e Extraction) indexOf(field string, track int) (int, error) {
	if track < 1 {
		return -1, badRequest(field, "is %d, want the track of a person, from 1", track)
	}
	if !e.Everybody {
		return -1, badRequest(field, "the keypoint record %d is of one person: make one with everybody", e.ID)
	}
	if e.People == nil && e.Status != storage.Success {
		return -1, nil
	}
	i := slices.IndexFunc(e.People, func(p inference.Presence) bool { return p.Track == track })
	if i < 0 {
		var tracks []int
		for _, p := range e.People {
			tracks = append(tracks, p.Track)
		}
		return -1, badRequest(field, "the keypoint record %d has no person %d; it has %v", e.ID, track, tracks)
	}
	return i, nil
}

// ask returns what the stored form of keypoints answers, or ErrNotReady.
func ask[T any](e Extraction, question func(extraction.Documents) (T, error)) (answer T, err error) {
	d, err := e.documents()
	if err != nil {
		return answer, err
	}
	return question(d)
}

// Sequence returns the keypoints, cleaned and corrected, or ErrNotReady.
func (e Extraction) Sequence() (keypoint.Sequence, error) {
	seq, err := ask(e, extraction.Documents.Sequence)
	seq.World = e.World
	return seq, err
}

// Raw returns the keypoints as they were before cleaning and corrections, or ErrNotReady. Frames that were not
// looked at are empty. Times and World are those of Sequence.
func (e Extraction) Raw() (keypoint.Sequence, error) {
	raw, err := e.found()
	if err == nil && e.CaptureRate != 0 {
		raw, err = raw.CapturedAt(e.CaptureRate)
	}
	raw.World = e.World
	return raw, err
}

// found returns the keypoints as they were found, with the times of the movie and without a World.
func (e Extraction) found() (keypoint.Sequence, error) { return ask(e, extraction.Documents.Found) }

// sequences returns what Sequence does, of all People.
func (e Extraction) sequences() (list []keypoint.Sequence, err error) {
	if len(e.People) == 0 {
		return nil, nil
	}
	if e.record != nil {
		e = *e.record
	}
	all, err := e.everybody()
	if err != nil {
		return nil, err
	}
	for _, p := range e.People {
		one := e
		if !p.Chosen {
			one.parsed = func() (extraction.Documents, error) { return all.People[p.Track], nil }
		}
		seq, err := one.Sequence()
		if err != nil {
			return nil, err
		}
		list = append(list, seq)
	}
	return list, nil
}

// CleaningMarks returns what cleaning changed, one element per frame, or ErrNotReady. It is nil for raw keypoints without a Rate.
func (e Extraction) CleaningMarks() ([][keypoint.NumParts]clean.Change, error) {
	return ask(e, extraction.Documents.Changed)
}

// JSON returns the parts of the result as JSON, of the raw keypoints if asked: keypoint, the API's array of
// frames; scores and visibility, arrays of objects from part name to confidence and to visibility, nil if no
// visibility is known; timestamps, an array of seconds, nil for an image. All are nil before SUCCESS.
func (e Extraction) JSON(raw bool) (keypoint, scores, visibility, timestamps json.RawMessage) {
	d, _ := e.documents()
	m := d.Members(raw)
	return m.Keypoint, m.Scores, m.Visibility, m.Timestamps
}

// Corrections returns the corrections by hand of all people, or of the one that Person has selected; or ErrNotReady.
func (e Extraction) Corrections() (correct.List, error) {
	d, err := e.documents()
	if err == nil && e.Track == 0 && e.work.Corrections != nil {
		d, err = e.everybody()
		return d.AllCorrections(), err
	}
	return d.Corrections.List, err
}

// Marks returns what corrections by hand have done to each frame of these keypoints, nil without any; or ErrNotReady.
func (e Extraction) Marks() ([][keypoint.NumParts]correct.Mark, error) {
	return ask(e, extraction.Documents.Marks)
}

// Quality returns the quality of the keypoints, zero if it was not assessed; or ErrNotReady.
func (e Extraction) Quality() (quality.Report, error) { return ask(e, extraction.Documents.Report) }

// keypoints returns a keypoint record as that of a person, and the keypoints.
func (s *Service) keypoints(ctx context.Context, owner string, id int64, person int) (Extraction, keypoint.Sequence, error) {
	e, err := s.GetExtraction(ctx, owner, id)
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

// correctionsOf names the corrections of keypoints that a record is made from.
func correctionsOf(extractions ...Extraction) (list []catalog.Corrected) {
	for _, e := range extractions {
		list = append(list, catalog.Corrected{Keypoint: e.ID, Person: e.Track, Digest: e.work.Corrections[e.Track]})
	}
	return list
}
