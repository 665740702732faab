package motion_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"log"
	"os"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/exercise"
	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/correct"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// ready returns a service in memory that works until stop is called.
func ready() (service *motion.Service, stop func()) {
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}),
		Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: host.Estimator{}, Decoder: fakes.Decoder{},
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- service.Run(ctx) }()
	return service, func() { cancel(); <-done }
}

// twoSquats returns the keypoints of a movie of two squats.
func twoSquats() keypoint.Sequence {
	f, err := os.Open("internal/testkit/testdata/rendered/squat_90_slow.json.gz")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		log.Fatal(err)
	}
	data, err := io.ReadAll(unpacked)
	if err != nil {
		log.Fatal(err)
	}
	movie, err := rendered.Read(data)
	if err != nil {
		log.Fatal(err)
	}
	return movie.Parts
}

// What a recording shows. The keypoints are those of another program; those of a movie come from motion.Movie(id).
func ExampleService_AnalyzeKeypoints() {
	service, stop := ready()
	defer stop()
	ctx := context.Background()
	found, err := service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Given(twoSquats())})
	if err != nil {
		log.Fatal(err)
	}
	asked, err := service.AnalyzeKeypoints(ctx, "a client", motion.AnalyzeRequest{KeypointID: found.ID, Overview: true})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := service.Wait(ctx, "a client", storage.Analyses, asked.ID); err != nil {
		log.Fatal(err)
	}
	analysis, err := service.GetAnalysis(ctx, "a client", asked.ID)
	if err != nil {
		log.Fatal(err)
	}
	result, err := analysis.Result()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Overview.Summary.Title)
	fmt.Println(len(analysis.JSON()) > 0)
	// Output:
	// With care: 2 squats, left knee flexion 111° ± 9
	// true
}

// How far a pupil is from a trainer.
func ExampleService_CompareKeypoints() {
	service, stop := ready()
	defer stop()
	ctx := context.Background()
	var ids []int64
	for range 2 {
		found, err := service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Given(twoSquats())})
		if err != nil {
			log.Fatal(err)
		}
		ids = append(ids, found.ID)
	}
	asked, err := service.CompareKeypoints(ctx, "a client", motion.CompareRequest{SourceID: ids[0], TargetID: ids[1]})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := service.Wait(ctx, "a client", storage.Comparisons, asked.ID); err != nil {
		log.Fatal(err)
	}
	comparison, err := service.GetComparison(ctx, "a client", asked.ID)
	if err != nil {
		log.Fatal(err)
	}
	result, err := comparison.Result()
	fmt.Println(result.Score.Overall, err)
	fmt.Println(len(comparison.JSON()) > 0)
	// Output:
	// 1 <nil>
	// true
}

// A skeleton on a picture, as a file.
func ExampleService_DrawKeypoints() {
	service, stop := ready()
	defer stop()
	ctx := context.Background()
	media, found := portrait(ctx, service)
	asked, err := service.DrawKeypoints(ctx, "a client", motion.DrawRequest{KeypointID: found.ID, Rules: draw.Sides()})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := service.Wait(ctx, "a client", storage.Drawings, asked.ID); err != nil {
		log.Fatal(err)
	}
	drawing, err := service.GetDrawing(ctx, "a client", asked.ID)
	if err != nil {
		log.Fatal(err)
	}
	file, err := service.OpenDrawing(ctx, "a client", asked.ID)
	if err != nil {
		log.Fatal(err)
	}
	defer file.Close()
	picture, format, err := image.Decode(file)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(drawing.File, format, picture.Bounds().Size(), len(service.Fonts()))

	// The file that was drawn on, and the picture of its frame for a drawing of one's own.
	original, err := service.OpenMedia(ctx, "a client", storage.Images, media.ID)
	if err != nil {
		log.Fatal(err)
	}
	defer original.Close()
	err = service.UseStills(ctx, "a client", storage.Images, media.ID, func(picture func(int) (image.Image, error)) error {
		img, err := picture(0)
		fmt.Println(img.Bounds().Size())
		return err
	})
	if err != nil {
		log.Fatal(err)
	}
	small, err := service.GetThumbnail(ctx, "a client", storage.Images, media.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(small) > 0)
	// Output:
	// 1.jpg jpeg (200,100) 0
	// (200,100)
	// true
}

// portrait uploads a picture and finds the keypoints in it.
func portrait(ctx context.Context, service *motion.Service) (motion.Media, motion.Extraction) {
	file := host.Picture(200, 100)
	media, err := service.RegisterMedia(ctx, "a client", storage.Images, motion.NewMedia{ContentMD5: host.MD5(file)})
	if err == nil {
		media, err = service.UploadMedia(ctx, "a client", storage.Images, media.ID, bytes.NewReader(file))
	}
	if err != nil {
		log.Fatal(err)
	}
	found, err := service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Image(media.ID)})
	if err == nil {
		_, err = service.Wait(ctx, "a client", storage.Keypoints, found.ID)
	}
	if err == nil {
		found, err = service.GetExtraction(ctx, "a client", found.ID)
	}
	if err != nil {
		log.Fatal(err)
	}
	return media, found
}

// What a record of keypoints has: keypoints, as found and as cleaned, what cleaning has done, and their quality.
func ExampleExtraction() {
	service, stop := ready()
	defer stop()
	found, err := service.ExtractKeypoints(context.Background(), "a client", motion.ExtractRequest{Source: motion.Given(twoSquats()), FindOptions: motion.FindOptions{Clean: clean.Default()}})
	if err != nil {
		log.Fatal(err)
	}
	seq, err := found.Sequence()
	if err != nil {
		log.Fatal(err)
	}
	raw, err := found.Raw()
	if err != nil {
		log.Fatal(err)
	}
	marks, err := found.CleaningMarks()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(seq.Len(), raw.Len(), len(marks))
	judged, err := found.Quality()
	fmt.Println(judged.Verdict, err)
	one, err := found.Person(0)
	fmt.Println(one.ID == found.ID, found.Filmed().IsZero(), err)
	keypoints, scores, visibility, timestamps := found.JSON(false)
	fmt.Println(len(keypoints) > 0, len(scores) > 0, visibility == nil, len(timestamps) > 0)
	// Output:
	// 234 234 234
	// usable <nil>
	// true true <nil>
	// true true true true
}

// The network took the ankle somewhere else in a frame. What was drawn and analysed before says that it is outdated.
func ExampleService_CorrectKeypoints() {
	service, stop := ready()
	defer stop()
	ctx := context.Background()
	found, err := service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Given(twoSquats())})
	if err != nil {
		log.Fatal(err)
	}
	analysis, err := service.AnalyzeKeypoints(ctx, "a client", motion.AnalyzeRequest{KeypointID: found.ID, Overview: true})
	if err == nil {
		_, err = service.Wait(ctx, "a client", storage.Analyses, analysis.ID)
	}
	if err == nil {
		analysis, err = service.GetAnalysis(ctx, "a client", analysis.ID)
	}
	if err != nil {
		log.Fatal(err)
	}
	corrected, err := service.CorrectKeypoints(ctx, "a client", found.ID, []correct.Edit{{Frame: 30, Part: keypoint.LeftAnkle, Point: &keypoint.Point{400, 500}}})
	if err != nil {
		log.Fatal(err)
	}
	list, err := corrected.Corrections()
	if err != nil {
		log.Fatal(err)
	}
	marks, err := corrected.Marks()
	fmt.Println(len(list), marks[30][keypoint.LeftAnkle], err)
	outdated, err := service.IsOutdated(ctx, "a client", analysis.State)
	fmt.Println(outdated, err)

	// The same keypoints once more, cleaned in another way: the newer record is what a page shows instead of the old one.
	again, err := service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Again(found.ID), FindOptions: motion.FindOptions{Uncleaned: true}})
	if err == nil {
		_, err = service.Wait(ctx, "a client", storage.Keypoints, again.ID)
	}
	if err != nil {
		log.Fatal(err)
	}
	newer, err := service.GetNewer(ctx, "a client", found)
	fmt.Println(newer.ID == again.ID, err)
	// Output:
	// 1 corrected <nil>
	// true <nil>
	// true <nil>
}

// Progress of a person over two sessions, what that person does, and what goes when the person asks to be forgotten.
func ExampleService_GetTrend() {
	service, stop := ready()
	defer stop()
	ctx := context.Background()
	ann, err := service.CreateSubject(ctx, "a client", motion.NewSubject{Name: "Ann", Side: analyze.LeftSide})
	if err != nil {
		log.Fatal(err)
	}
	height := 1.71
	if _, err := service.UpdateSubject(ctx, "a client", ann.ID, motion.SubjectUpdate{BodyHeight: &height}); err != nil {
		log.Fatal(err)
	}
	for _, day := range []int{1, 15} {
		about := motion.About{Recording: motion.Recording{SubjectID: ann.ID, RecordedAt: time.Date(2026, 10, day, 12, 0, 0, 0, time.UTC)}}
		found, err := service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Given(twoSquats()), About: about})
		if err != nil {
			log.Fatal(err)
		}
		if _, err := service.Wait(ctx, "a client", storage.Keypoints, found.ID); err != nil {
			log.Fatal(err)
		}
	}
	t, err := service.GetTrend(ctx, "a client", ann.ID, motion.TrendRequest{Measure: analyze.KneeFlexion})
	fmt.Println(t.Sentence, err)

	who, err := service.GetSubject(ctx, "a client", ann.ID)
	fmt.Println(who.Name, who.BodyHeight, err)
	_, people, err := service.ListSubjects(ctx, "a client", motion.Page{Text: "ann"})
	fmt.Println(people, err)
	squat, _ := exercise.Shipped("squat")
	if _, err := service.CreateExercise(ctx, "a client", motion.Exercise{Definition: squat, SubjectID: ann.ID}); err != nil {
		log.Fatal(err)
	}
	theirs, _, err := service.ListExercises(ctx, "a client", motion.Page{SubjectID: ann.ID})
	fmt.Println(theirs[0].Definition.Name, err)
	gone, err := service.DeleteSubject(ctx, "a client", ann.ID, true)
	fmt.Println(gone.Records[storage.Keypoints], gone.Records[storage.Exercises], err)
	// Output:
	// Left knee flexion: as much as in the first session, no real change: a change counts from 20°. <nil>
	// Ann 1.71 <nil>
	// 1 <nil>
	// squat <nil>
	// 2 1 <nil>
}

// The records of a client, and changes of what is known beside their content.
func ExampleService_ListMedia() {
	service, stop := ready()
	defer stop()
	ctx := context.Background()
	media, found := portrait(ctx, service)
	name, tags := "first day", []string{"knee"}
	media, err := service.UpdateMedia(ctx, "a client", storage.Images, media.ID, motion.MediaUpdate{Name: &name})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(media.Filmed().IsZero())
	if _, err := service.UpdateExtraction(ctx, "a client", found.ID, motion.ExtractionUpdate{RecordingUpdate: motion.RecordingUpdate{Tags: &tags}}); err != nil {
		log.Fatal(err)
	}
	list, all, err := service.ListMedia(ctx, "a client", storage.Images, motion.Page{Limit: 10})
	fmt.Println(*list[0].Name, all, err)
	_, tagged, err := service.ListExtractions(ctx, "a client", motion.Page{Tag: "knee"})
	fmt.Println(tagged, err)
	_, analyses, err := service.ListAnalyses(ctx, "a client", motion.Page{KeypointID: found.ID})
	fmt.Println(analyses, err)
	_, comparisons, err := service.ListComparisons(ctx, "a client", motion.Page{Status: storage.Failure})
	fmt.Println(comparisons, err)
	_, drawings, err := service.ListDrawings(ctx, "a client", motion.Page{})
	fmt.Println(drawings, err)
	// Output:
	// true
	// first day 1 <nil>
	// 1 <nil>
	// 0 <nil>
	// 0 <nil>
	// 0 <nil>
}

// A record and all that was made from it.
func ExampleService_DeleteRecord() {
	service, stop := ready()
	defer stop()
	ctx := context.Background()
	media, found := portrait(ctx, service)
	if err := service.DeleteRecord(ctx, "a client", storage.Images, media.ID); err != nil {
		log.Fatal(err)
	}
	_, err := service.GetStatus(ctx, "a client", storage.Keypoints, found.ID)
	fmt.Println(errors.Is(err, motion.ErrNotFound))
	_, err = service.GetMedia(ctx, "a client", storage.Images, media.ID)
	fmt.Println(errors.Is(err, motion.ErrNotFound))
	// Output:
	// true
	// true
}

// While work on a record is going on: how many come before it, and what its keypoints say so far.
func ExampleService_GetPreliminary() {
	service, stop := ready()
	defer stop()
	ctx := context.Background()
	_, found := portrait(ctx, service)
	_, waits, err := service.CountAhead(ctx, "a client", found) // it does not wait: it has succeeded
	fmt.Println(waits, err)
	_, going := service.GetFound("a client", found.ID, 0)
	_, err = service.GetPreliminary("a client", found)
	fmt.Println(going, errors.Is(err, motion.ErrNotReady))
	// Output:
	// false <nil>
	// false true
}

// What a host asks of a service beside its records: whether it can work, what it accepts, and to clean up.
func ExampleService_Upkeep() {
	service, stop := ready()
	defer stop()
	ctx := context.Background()
	portrait(ctx, service)
	fmt.Println(service.Ready(ctx), service.Limits().Frames, service.Answers() != nil)

	removed, err := service.Expire(ctx, motion.Retention{Images: 24 * time.Hour}) // older images, and what was made from them
	fmt.Println(removed, err)
	removed, err = service.DeleteOrphans(ctx, time.Hour) // files that a crash has left
	fmt.Println(removed, err)
	fmt.Println(service.Upkeep(ctx)) // all of it, by Config, as Run does once in a while
	// Output:
	// <nil> 1800 true
	// 0 <nil>
	// 0 <nil>
	// <nil>
}

// Keypoints of other programs on the picture they were found in; and two phones that filmed the same movement.
func ExampleJoined() {
	service, stop := ready()
	defer stop()
	ctx := context.Background()
	media, found := portrait(ctx, service)
	seq, err := found.Sequence()
	if err != nil {
		log.Fatal(err)
	}
	given, err := service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Given(seq).On(motion.Image(media.ID))})
	fmt.Println(given.Status, err)
	_, err = service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Given(seq).On(motion.Movie(99))})
	fmt.Println(err)
	_, err = service.ExtractKeypoints(ctx, "a client", motion.ExtractRequest{Source: motion.Joined(found.ID)})
	fmt.Println(err)
	// Output:
	// SUCCESS <nil>
	// movieId: movie 99: not found
	// keypointIds: has 1, want two to four records
}
