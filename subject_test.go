package motion_test

import (
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

func subject(t *testing.T, s *motion.Service, n motion.NewSubject) int64 {
	t.Helper()
	made, err := s.CreateSubject(t.Context(), host.Owner, n)
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

func TestSubjects(t *testing.T) {
	s := host.New().Service(t, nil)
	kenji := subject(t, s, motion.NewSubject{Name: "Kenji Sato", BodyHeight: 1.8, BirthYear: 1994, Side: analyze.RightSide, Note: "右膝の再建"})
	mika := subject(t, s, motion.NewSubject{Name: "Mika Tanaka"})
	got, err := s.GetSubject(t.Context(), host.Owner, kenji)
	if err != nil || got.Name != "Kenji Sato" || got.BodyHeight != 1.8 || got.BirthYear != 1994 || got.Side != analyze.RightSide || got.Note != "右膝の再建" {
		t.Errorf("%+v (%v)", got, err)
	}
	for text, want := range map[string][]int64{"": {mika, kenji}, "ken": {kenji}, "SATO kenji": {kenji}, "再建": {kenji}, "膝の": {kenji}, "enji": nil, "tanaka 膝": nil} {
		list, total, err := s.ListSubjects(t.Context(), host.Owner, motion.Page{Text: text})
		var ids []int64
		for _, one := range list {
			ids = append(ids, one.ID)
		}
		if !slices.Equal(ids, want) || total != len(want) || err != nil {
			t.Errorf("%q finds %v of %d (%v), want %v", text, ids, total, err, want)
		}
	}
	for field, n := range map[string]motion.NewSubject{
		"name": {Name: " "}, "bodyHeight": {Name: "a", BodyHeight: 180}, "birthYear": {Name: "a", BirthYear: 94}, "side": {Name: "a", Side: "both"},
		"note": {Name: "a", Note: strings.Repeat("x", 10_001)},
	} {
		var wrong *motion.RequestError
		if _, err := s.CreateSubject(t.Context(), host.Owner, n); !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%+v: %v, want a mistake in %s", n, err, field)
		}
	}
	if got, err := s.UpdateSubject(t.Context(), host.Owner, kenji, motion.SubjectUpdate{Name: new("Kenji Sato-Ruiz"), BodyHeight: new(0.0)}); err != nil || got.BodyHeight != 0 || got.BirthYear != 1994 {
		t.Errorf("%+v (%v)", got, err)
	}
	if _, err := s.UpdateSubject(t.Context(), host.Owner, kenji, motion.SubjectUpdate{Name: new("")}); !errors.Is(err, motion.ErrInvalid) {
		t.Errorf("without a name: %v", err)
	}
	_, err = s.GetSubject(t.Context(), "somebody else", kenji)
	_, changed := s.UpdateSubject(t.Context(), "somebody else", kenji, motion.SubjectUpdate{Note: new("")})
	_, deleted := s.DeleteSubject(t.Context(), "somebody else", kenji, true)
	_, followed := s.GetTrend(t.Context(), "somebody else", kenji, motion.TrendRequest{})
	for i, err := range []error{err, changed, deleted, followed} {
		if !errors.Is(err, motion.ErrNotFound) {
			t.Errorf("of another owner: %d: %v", i, err)
		}
	}
}

// TestRecordings: keypoints take what is known of their movie or image, unless the request says something else, a change of
// the one changes the other, and lists find them.
func TestRecordings(t *testing.T) {
	parts := host.New()
	s := parts.Service(t, nil)
	host.Run(t, s)
	kenji, mika := subject(t, s, motion.NewSubject{Name: "Kenji Sato"}), subject(t, s, motion.NewSubject{Name: "Mika"})
	october := time.Date(2026, 10, 3, 13, 40, 0, 0, time.FixedZone("", 9*3600))
	m := host.Upload(t, s, host.Picture(200, 300))
	change := func(c motion.RecordingUpdate) {
		t.Helper()
		if _, err := s.UpdateMedia(t.Context(), host.Owner, m.Kind, m.ID, motion.MediaUpdate{RecordingUpdate: c}); err != nil {
			t.Fatal(err)
		}
	}
	change(motion.RecordingUpdate{SubjectID: &kenji, RecordedAt: &october, Tags: &[]string{"膝", "Week 1"}})
	a := host.Extract(t, s, m.ID).ID
	host.Wait(t, s, storage.Keypoints, a, storage.Success)
	b, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Again(a), About: motion.About{Recording: motion.Recording{SubjectID: mika, Tags: []string{}}, Notes: []motion.Note{{Time: new(1.5), Text: "leans"}}}})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, b.ID, storage.Success)
	c, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Again(b.ID)})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, c.ID, storage.Success)
	check := func(id, who int64, notes int, tags ...string) {
		t.Helper()
		e, err := s.GetExtraction(t.Context(), host.Owner, id)
		if err != nil || e.SubjectID != who || !e.RecordedAt.Equal(october) || !slices.Equal(e.Tags, tags) || len(e.Notes) != notes || e.Status != storage.Success {
			t.Errorf("keypoints %d: %+v %v (%v)", id, e.Recording, e.Notes, err)
		}
		if _, err := e.Sequence(); err != nil {
			t.Errorf("the result of %d is lost: %v", id, err)
		}
	}
	check(a, kenji, 0, "膝", "Week 1")
	check(b.ID, mika, 1)
	check(c.ID, mika, 1)
	find := func(page motion.Page, want ...int64) {
		t.Helper()
		list, total, err := s.ListExtractions(t.Context(), host.Owner, page)
		var ids []int64
		for _, e := range list {
			ids = append(ids, e.ID)
		}
		if slices.Sort(ids); !slices.Equal(ids, want) || total != len(want) || err != nil {
			t.Errorf("%+v finds %v of %d (%v), want %v", page, ids, total, err, want)
		}
	}
	find(motion.Page{SubjectID: kenji}, a)
	find(motion.Page{Tag: "week 1"}, a)
	find(motion.Page{Text: "sat"}, a)
	find(motion.Page{Text: "mika leans"}, b.ID, c.ID)
	find(motion.Page{Text: "picture"}, a, b.ID, c.ID) // the name of the image
	find(motion.Page{RecordedFrom: october, RecordedTo: october.Add(time.Second), KeypointID: a}, b.ID)
	find(motion.Page{RecordedTo: october})
	find(motion.Page{SubjectID: -1})

	if _, err := s.UpdateExtraction(t.Context(), host.Owner, b.ID, motion.ExtractionUpdate{Notes: &[]motion.Note{}}); err != nil {
		t.Fatal(err)
	}
	check(b.ID, mika, 0)
	if _, err := s.UpdateSubject(t.Context(), host.Owner, mika, motion.SubjectUpdate{Name: new("Ana")}); err != nil {
		t.Fatal(err)
	}
	drawn := []draw.Sketch{{Points: []keypoint.Point{{10, 20}, {30, 40.5}, {0, 300}}, Text: "膝", Color: draw.Red}, {Points: []keypoint.Point{{200, 300}}, Text: strings.Repeat("膝", 80)}}
	if e, err := s.UpdateExtraction(t.Context(), host.Owner, b.ID, motion.ExtractionUpdate{Sketches: &drawn}); err != nil || !reflect.DeepEqual(e.Sketches, drawn) {
		t.Errorf("%v (%v)", e.Sketches, err)
	}
	d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: b.ID})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Drawings, d.ID, storage.Success)
	file, err := s.OpenDrawing(t.Context(), host.Owner, d.ID)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := jpeg.Decode(file)
	if r, g, _, _ := picture.At(15, 170).RGBA(); err != nil || r>>8 < 200 || g>>8 > 60 {
		t.Errorf("the line is not in the picture: %d %d (%v)", r>>8, g>>8, err)
	}
	again, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Again(b.ID)})
	if err != nil || !reflect.DeepEqual(again.Sketches, drawn) {
		t.Errorf("made again: %v (%v)", again.Sketches, err)
	}
	host.Wait(t, s, storage.Keypoints, again.ID, storage.Success)
	if err := s.DeleteRecord(t.Context(), host.Owner, storage.Keypoints, again.ID); err != nil {
		t.Error(err)
	}
	for place, one := range map[string]draw.Sketch{
		"/0/frame": {Frame: 1, Points: drawn[0].Points}, "/0/last": {Last: 1, Points: drawn[0].Points}, "/0/points": {}, "/0/points/1": {Points: []keypoint.Point{{0, 0}, {201, 0}}},
		"/0/points/0": {Points: []keypoint.Point{{0, math.NaN()}}, Text: "a"}, "/0/text": {Points: make([]keypoint.Point, 1), Text: " "}, "/0/color": {Points: make([]keypoint.Point, 2), Color: "mauve"},
	} {
		_, err := s.UpdateExtraction(t.Context(), host.Owner, b.ID, motion.ExtractionUpdate{Sketches: &[]draw.Sketch{one}})
		var wrong *motion.RequestError
		var at keypoint.FieldErrors
		if !errors.As(err, &wrong) || wrong.Field != "sketches" || !errors.As(err, &at) || len(at) != 1 || at[0].Pointer != place {
			t.Errorf("%+v: %v, want a mistake at %s", one, err, place)
		}
	}
	many := make([]draw.Sketch, 101)
	if _, err := s.UpdateExtraction(t.Context(), host.Owner, b.ID, motion.ExtractionUpdate{Sketches: &many}); !errors.Is(err, motion.ErrInvalid) {
		t.Errorf("101 sketches: %v", err)
	}
	if e, err := s.UpdateExtraction(t.Context(), host.Owner, b.ID, motion.ExtractionUpdate{Sketches: &[]draw.Sketch{}}); err != nil || e.Sketches != nil {
		t.Errorf("taken away: %v (%v)", e.Sketches, err)
	}
	find(motion.Page{Text: "mika"})
	find(motion.Page{Text: "ana"}, b.ID, c.ID)
	if _, err := s.UpdateMedia(t.Context(), host.Owner, m.Kind, m.ID, motion.MediaUpdate{Name: new("squat")}); err != nil {
		t.Fatal(err)
	}
	find(motion.Page{Text: "squat ana"}, b.ID, c.ID)
	change(motion.RecordingUpdate{SubjectID: new(int64), Tags: &[]string{"new"}})
	find(motion.Page{SubjectID: -1, Tag: "NEW"}, a, b.ID, c.ID)
	check(c.ID, 0, 1, "new")

	for field, c := range map[string]motion.ExtractionUpdate{
		"subjectId":  {RecordingUpdate: motion.RecordingUpdate{SubjectID: new(int64(-1))}},
		"recordedAt": {RecordingUpdate: motion.RecordingUpdate{RecordedAt: new(time.Now().Add(48 * time.Hour))}},
		"tags":       {RecordingUpdate: motion.RecordingUpdate{Tags: &[]string{"a", "A"}}},
		"notes":      {Notes: &[]motion.Note{{Time: new(-1.0), Text: "before"}}},
	} {
		var wrong *motion.RequestError
		if _, err := s.UpdateExtraction(t.Context(), host.Owner, a, c); !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%v, want a mistake in %s", err, field)
		}
	}
	nobody := motion.ExtractionUpdate{RecordingUpdate: motion.RecordingUpdate{SubjectID: new(int64(99))}}
	if _, err := s.UpdateExtraction(t.Context(), host.Owner, a, nobody); !errors.Is(err, motion.ErrNotFound) || !strings.Contains(err.Error(), "subjectId") {
		t.Errorf("a subject that does not exist: %v", err)
	}
}

// TestChangeWhileWorking: what the owner says of a record while a job works on it stays.
func TestChangeWhileWorking(t *testing.T) {
	parts := host.New()
	started, goOn := make(chan struct{}), make(chan struct{})
	s := parts.Service(t, func(c *motion.Config) {
		c.Estimator = host.Estimator{Before: func(ctx context.Context) error { close(started); <-goOn; return nil }}
	})
	host.Run(t, s)
	who := subject(t, s, motion.NewSubject{Name: "Kenji"})
	e := host.Extract(t, s, host.Upload(t, s, host.Picture(200, 300)).ID)
	<-started
	c := motion.ExtractionUpdate{RecordingUpdate: motion.RecordingUpdate{SubjectID: &who}, Notes: &[]motion.Note{{Text: "meanwhile"}}}
	if _, err := s.UpdateExtraction(t.Context(), host.Owner, e.ID, c); err != nil {
		t.Fatal(err)
	}
	close(goOn)
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	list, n, err := s.ListExtractions(t.Context(), host.Owner, motion.Page{SubjectID: who, Text: "meanwhile"})
	if err != nil || n != 1 || len(list[0].Notes) != 1 || list[0].Verdict == "" {
		t.Errorf("%d: %+v (%v)", n, list, err)
	}
}

// TestHeightIsScale: keypoints of a subject with a height are in metres, unless the recording does not show its height.
func TestHeightIsScale(t *testing.T) {
	s := host.New().Service(t, nil)
	host.Run(t, s)
	who := motion.Recording{SubjectID: subject(t, s, motion.NewSubject{Name: "Kenji", BodyHeight: 1.8})}
	seq := sample.Film(sample.Camera(mgl64.Vec3{0, 1, 5}, mgl64.Vec3{0, 0.95, 0}, 900), 60)
	shown, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Given(seq), About: motion.About{Recording: who}})
	if err != nil || shown.Calibration.Scale == nil || shown.Calibration.Scale.BodyHeight != 1.8 || !shown.World.Metric() {
		t.Errorf("%+v %+v (%v)", shown.Calibration, shown.World, err)
	}
	other := keypoint.Calibration{Scale: &keypoint.Scale{MetresPerPixel: 0.01}}
	if e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Given(seq), FindOptions: motion.FindOptions{Calibration: other}, About: motion.About{Recording: who}}); err != nil || e.World.MetresPerPixel != 0.01 {
		t.Errorf("with another scale: %+v (%v)", e.World, err)
	}
	m := host.Upload(t, s, host.Picture(200, 300)) // in which nobody has legs
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(m.ID), About: motion.About{Recording: who}})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil || e.Calibration.Scale != nil || e.World.Metric() {
		t.Errorf("without legs: %+v %+v (%v)", e.Calibration, e.World, err)
	}
}

// TestErase: everything of a person goes, and nothing of another one; if it fails half-way, upkeep does the rest.
func TestErase(t *testing.T) {
	parts := host.New()
	failing := &failingBlobs{Blobs: parts.Blobs}
	s := parts.Service(t, func(c *motion.Config) { c.Blobs = failing })
	host.Run(t, s)
	kenji, mika := subject(t, s, motion.NewSubject{Name: "Kenji"}), subject(t, s, motion.NewSubject{Name: "Mika"})
	course := func(who int64) {
		m := host.Upload(t, s, host.Picture(200, 300))
		if _, err := s.UpdateMedia(t.Context(), host.Owner, m.Kind, m.ID, motion.MediaUpdate{RecordingUpdate: motion.RecordingUpdate{SubjectID: &who}}); err != nil {
			t.Fatal(err)
		}
		e := host.Extract(t, s, m.ID)
		host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
		d, err := s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: e.ID})
		if err != nil {
			t.Fatal(err)
		}
		host.Wait(t, s, storage.Drawings, d.ID, storage.Success)
		request := storage.Request{Owner: host.Owner, Key: fmt.Sprint("of ", who)}
		reserved, err := s.Answers().ReserveAnswer(t.Context(), request, time.Hour, 10)
		if err == nil {
			err = s.Answers().KeepAnswer(t.Context(), reserved.ID, []byte(`{"name":"Kenji"}`), time.Hour)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	course(mika)
	others := left(t, parts)
	course(kenji)
	course(kenji)
	failing.fail.Store(true)
	if _, err := s.DeleteSubject(t.Context(), host.Owner, kenji, true); err == nil {
		t.Fatal("the files were deleted")
	}
	failing.fail.Store(false)
	if err := s.Upkeep(t.Context()); err != nil {
		t.Fatal(err)
	}
	delete(others, fmt.Sprint("subjects/", kenji))
	if diff := cmp.Diff(others, left(t, parts)); diff != "" {
		t.Errorf("what is left: %s", diff)
	}
	for _, who := range []int64{kenji, mika} {
		kept, err := s.Answers().ReserveAnswer(t.Context(), storage.Request{Owner: host.Owner, Key: fmt.Sprint("of ", who)}, time.Hour, 10)
		if err != nil || kept.Answer != nil || !kept.Lapsed {
			t.Errorf("an answer is left: %+v (%v)", kept, err)
		}
	}
	if _, err := s.DeleteSubject(t.Context(), host.Owner, kenji, true); !errors.Is(err, motion.ErrNotFound) {
		t.Errorf("again: %v", err)
	}
	erased, err := s.DeleteSubject(t.Context(), host.Owner, mika, true)
	want := map[storage.Kind]int{storage.Subjects: 1, storage.Images: 1, storage.Keypoints: 1, storage.Drawings: 1}
	if diff := cmp.Diff(want, erased.Records); diff != "" || err != nil || erased.Files < 2 || erased.Bytes < 100 {
		t.Errorf("%+v (%v): %s", erased, err, diff)
	}
	if all := left(t, parts); len(all) != 0 {
		t.Errorf("left: %v", all)
	}
}

// left returns the names of all records and files.
func left(t *testing.T, parts host.Parts) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, kind := range []storage.Kind{
		storage.Subjects, storage.Movies, storage.Images, storage.Keypoints, storage.Comparisons, storage.Analyses, storage.Drawings, storage.Deletions,
	} {
		records, err := parts.Store.Scan(t.Context(), kind, 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range records {
			names[fmt.Sprintf("%s/%d", r.Kind, r.ID)] = true
		}
	}
	err := parts.Blobs.List(t.Context(), "", func(b storage.BlobInfo) error { names["file "+b.Key] = true; return nil })
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// TestDeleteSubject: the recordings of a person whose record is deleted are nobody's.
func TestDeleteSubject(t *testing.T) {
	s := host.New().Service(t, nil)
	host.Run(t, s)
	who := subject(t, s, motion.NewSubject{Name: "Kenji"})
	m := host.Upload(t, s, host.Picture(200, 300))
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Image(m.ID), About: motion.About{Recording: motion.Recording{SubjectID: who}, Notes: []motion.Note{{Text: "stays"}}}})
	if err != nil {
		t.Fatal(err)
	}
	host.Wait(t, s, storage.Keypoints, e.ID, storage.Success)
	erased, err := s.DeleteSubject(t.Context(), host.Owner, who, false)
	if err != nil || erased.Files != 0 || !cmp.Equal(erased.Records, map[storage.Kind]int{storage.Subjects: 1}) {
		t.Errorf("%+v (%v)", erased, err)
	}
	list, n, err := s.ListExtractions(t.Context(), host.Owner, motion.Page{SubjectID: -1})
	if err != nil || n != 1 || list[0].SubjectID != 0 || len(list[0].Notes) != 1 || list[0].Status != storage.Success {
		t.Errorf("%d: %+v (%v)", n, list, err)
	}
	if _, n, err := s.ListExtractions(t.Context(), host.Owner, motion.Page{Text: "kenji"}); n != 0 || err != nil {
		t.Errorf("%d recordings have the name (%v)", n, err)
	}
}

// failingBlobs does not delete while fail is set.
type failingBlobs struct {
	storage.Blobs
	fail atomic.Bool
}

func (b *failingBlobs) Delete(ctx context.Context, key string) error {
	if b.fail.Load() {
		return errors.New("the disk is gone")
	}
	return b.Blobs.Delete(ctx, key)
}

// TestFilmed: when a recording was made is what the client says, else what the file says, if that can be.
func TestFilmed(t *testing.T) {
	at := time.Date(2024, 3, 4, 12, 0, 0, 0, time.UTC)
	d := &dated{Decoder: decoder{new(atomic.Int32)}}
	s := host.New().Service(t, func(c *motion.Config) { c.Decoder = d })
	host.Run(t, s)
	for file, want := range map[time.Time]time.Time{
		at: at, time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC): {}, time.Unix(0, 0): {}, time.Now().AddDate(1, 0, 0): {}, {}: {},
	} {
		d.at = file
		m := host.UploadMovie(t, s, []byte("movie"))
		if !m.Filmed().Equal(want) || !m.RecordedAt.IsZero() {
			t.Errorf("the file says %v: filmed %v, want %v", file, m.Filmed(), want)
		}
	}
	d.at = at
	m := host.UploadMovie(t, s, []byte("movie"))
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Movie(m.ID)})
	if err != nil || !e.Filmed().Equal(at) || !e.RecordedAt.IsZero() {
		t.Errorf("keypoints: %v (%v)", e.Filmed(), err)
	}
	earlier := at.AddDate(-1, 0, 0)
	m, err = s.UpdateMedia(t.Context(), host.Owner, m.Kind, m.ID, motion.MediaUpdate{RecordingUpdate: motion.RecordingUpdate{RecordedAt: &earlier}})
	if err != nil || !m.Filmed().Equal(earlier) {
		t.Errorf("the client says %v: %v (%v)", earlier, m.Filmed(), err)
	}
	if e, err = s.GetExtraction(t.Context(), host.Owner, e.ID); err != nil || !e.Filmed().Equal(earlier) {
		t.Errorf("its keypoints: %v (%v)", e.Filmed(), err)
	}
	m, err = s.UpdateMedia(t.Context(), host.Owner, m.Kind, m.ID, motion.MediaUpdate{RecordingUpdate: motion.RecordingUpdate{RecordedAt: new(time.Time{})}})
	if err != nil || !m.Filmed().Equal(at) {
		t.Errorf("taken away: %v (%v)", m.Filmed(), err)
	}
}

// dated is a Decoder of files that say when they were recorded.
type dated struct {
	inference.Decoder
	at time.Time
}

func (d *dated) Probe(ctx context.Context, r io.ReadSeeker) (inference.Info, error) {
	info, err := d.Decoder.Probe(ctx, r)
	info.Recorded = d.at
	return info, err
}
