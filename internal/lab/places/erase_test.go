package places_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/storagetest"
)

// TestEraseInterrupted erases a person while storage dies at its calls, before or after each is made, until that has
// happened 20 times, or 100. Then another process finds all of the person as it was, or leaves nothing after its upkeep.
func TestEraseInterrupted(t *testing.T) {
	times := 20
	if testkit.Long() {
		times = 100
	}
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			both := p.two(t)
			died, dies, lost := 0, 0, false // the call that fails, and all after it; 0: none
			faults := &storagetest.Faults{Choose: func(c storagetest.Call) storagetest.Fault {
				if dies--; dies >= 0 {
					return storagetest.None
				}
				if lost && dies == -1 {
					return storagetest.Lose
				}
				return storagetest.Fail
			}}
			dying := kept{faults.Store(both[0].store), faults.Blobs(both[0].blobs), both[0].queue, ""}.service(t, nil)
			first, second := both[0].service(t, nil), both[1].service(t, nil)
			course(t, first, "Mika")
			others := inventory(t, both[1])
			for call := 1; died < times; call++ {
				who := course(t, first, "Kenji")
				all := inventory(t, both[1])
				dies, lost = call/2, call%2 == 1
				_, err := dying.DeleteSubject(t.Context(), host.Owner, who, true)
				at := fmt.Sprintf("interrupted after %d calls (lost: %v, %v)", call/2, lost, err)
				if err == nil {
					call = 0 // all calls were made
				} else {
					died++
				}
				dies = 1 << 40
				if err := second.Upkeep(t.Context()); err != nil {
					t.Fatal(err)
				}
				if err != nil && cmp.Equal(all, inventory(t, both[1])) {
					if _, err := second.DeleteSubject(t.Context(), host.Owner, who, true); err != nil {
						t.Fatal(err)
					}
				}
				if diff := cmp.Diff(others, inventory(t, both[1])); diff != "" {
					t.Fatalf("%s: left of the person:\n%s", at, diff)
				}
				request := storage.Request{Owner: host.Owner, Key: fmt.Sprint("of ", who)}
				if kept, err := second.Answers().ReserveAnswer(t.Context(), request, time.Hour, 10); err != nil || kept.Answer != nil {
					t.Fatalf("%s: an answer is left: %q (%v)", at, kept.Answer, err)
				}
			}
		})
	}
}

// course makes a person with an image, keypoints, a drawing of them, and the answer to a request.
func course(t *testing.T, s *motion.Service, name string) int64 {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	who, err := s.CreateSubject(t.Context(), host.Owner, motion.NewSubject{Name: name})
	must(err)
	m := host.Upload(t, s, host.Picture(1280, 720))
	_, err = s.UpdateMedia(t.Context(), host.Owner, m.Kind, m.ID, motion.MediaUpdate{RecordingUpdate: motion.RecordingUpdate{SubjectID: &who.ID}})
	must(err)
	seq := sample.Film(sample.Camera(mgl64.Vec3{0, 1, 5}, mgl64.Vec3{0, 0.95, 0}, 900), 1)
	e, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Given(seq).On(motion.Image(m.ID)), About: motion.About{Recording: motion.Recording{SubjectID: who.ID, Tags: []string{name}}}})
	must(err)
	_, err = s.DrawKeypoints(t.Context(), host.Owner, motion.DrawRequest{KeypointID: e.ID})
	must(err)
	kept, err := s.Answers().ReserveAnswer(t.Context(), storage.Request{Owner: host.Owner, Key: fmt.Sprint("of ", who.ID)}, time.Hour, 10)
	must(err)
	must(s.Answers().KeepAnswer(t.Context(), kept.ID, []byte(name), time.Hour))
	return who.ID
}

// inventory counts what is kept: the records of each kind, those among them that lists find by the labels of Kenji, and files.
func inventory(t *testing.T, k kept) map[string]int {
	t.Helper()
	n := map[string]int{}
	for _, kind := range []storage.Kind{storage.Subjects, storage.Images, storage.Keypoints, storage.Drawings, storage.Deletions} {
		records, err := k.store.Scan(t.Context(), kind, 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		n[string(kind)] = len(records)
		for _, begins := range []string{"subject:", "word:kenji", "tag:kenji", "from:"} {
			_, total, err := k.store.List(t.Context(), host.Owner, kind, storage.Filter{Begins: []string{begins}, Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			n[string(kind)+" "+begins] = total
		}
	}
	if err := k.blobs.List(t.Context(), "", func(b storage.BlobInfo) error { n["file "+b.Key]++; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}
