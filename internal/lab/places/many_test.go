package places_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/trend"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/host"
	"github.com/bodymotion/motion/storage"
)

// TestMany: of one person there are 1,000 sessions in the trend, 100,000 tags of one client each find their recording, and
// nothing of all this is left when the person is erased.
func TestMany(t *testing.T) {
	testkit.Thorough(t, "stores 5,000 recordings, and erases them")
	const recordings, each, sessions = 5000, 20, 1000
	seq := testkit.Rendered(t, "squat_60").Seq
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			k := p.two(t)[0]
			s := k.service(t, nil)
			must := func(err error) {
				t.Helper()
				if err != nil {
					t.Fatal(err)
				}
			}
			host.Run(t, s)
			who, err := s.CreateSubject(t.Context(), host.Owner, motion.NewSubject{Name: "Kenji"})
			must(err)
			first, err := s.ExtractKeypoints(t.Context(), host.Owner, motion.ExtractRequest{Source: motion.Given(seq)})
			must(err)
			like, err := k.store.Get(t.Context(), storage.Key{Owner: host.Owner, Kind: storage.Keypoints, ID: first.ID})
			must(err)
			tag := func(i int) string { return fmt.Sprintf("Week %d, 膝 %d", i/each, i) }
			ids := make([]int64, recordings)
			for n := range ids {
				about := catalog.About{SubjectID: who.ID, RecordedAt: time.Date(2026, 1, 1, n/60, n%60, 0, 0, time.UTC)}
				for i := range each {
					about.Tags = append(about.Tags, tag(n*each+i))
				}
				ids[n] = again(t, k, like, about)
			}
			began := time.Now()
			course, err := s.GetTrend(t.Context(), host.Owner, who.ID, motion.TrendRequest{Measure: analyze.KneeFlexion, Limit: sessions})
			must(err)
			t.Logf("the trend of %d sessions after %v", len(course.Sessions), time.Since(began))
			last := course.Sessions[len(course.Sessions)-1]
			if len(course.Sessions) != sessions || last.KeypointID != ids[recordings-1] || !last.Value.Present || !slices.IsSortedFunc(course.Sessions, byDate) {
				t.Errorf("%d sessions, the last %+v", len(course.Sessions), last)
			}
			began = time.Now()
			for _, i := range []int{0, 777, recordings*each/2 + 7, recordings*each - 1} {
				list, total, err := s.ListExtractions(t.Context(), host.Owner, motion.Page{Tag: tag(i), SubjectID: who.ID})
				must(err)
				if total != 1 || list[0].ID != ids[i/each] {
					t.Errorf("%d recordings have the tag %q", total, tag(i))
				}
			}
			t.Logf("four tags after %v", time.Since(began))
			began = time.Now()
			for text, want := range map[string]int{"kenji": recordings, "wee": recordings, "nobody": 0} {
				_, total, err := s.ListExtractions(t.Context(), host.Owner, motion.Page{Text: text, Limit: 100})
				must(err)
				if total != want {
					t.Errorf("%d recordings are found by %q, want %d", total, text, want)
				}
			}
			t.Logf("three searches after %v", time.Since(began))
			done, read := make(chan struct{}), make(chan []time.Duration, 1)
			go func() { read <- lists(t, s, done) }()
			began = time.Now()
			gone, err := s.DeleteSubject(t.Context(), host.Owner, who.ID, true)
			close(done)
			must(err)
			beside := <-read
			t.Logf("the person is erased after %v; %d lists of another client beside, 99 %% of them within %v", time.Since(began), len(beside), beside[len(beside)*99/100])
			_, total, err := k.store.List(t.Context(), host.Owner, storage.Keypoints, storage.Filter{Begins: []string{"tag:week"}, Limit: 1})
			must(err)
			if gone.Records[storage.Keypoints] != recordings || total != 0 {
				t.Errorf("%v are erased, %d recordings with tags are left", gone.Records, total)
			}
		})
	}
}

// again stores a keypoint record like another one, of another recording, and returns its ID.
func again(t *testing.T, k kept, like storage.Record, about catalog.About) int64 {
	t.Helper()
	var data map[string]any
	err := json.Unmarshal(like.Data, &data)
	data["about"] = about
	if err == nil {
		like.Data, err = json.Marshal(data)
	}
	if err == nil {
		like.ID, like.Status = 0, storage.Success
		like, err = catalog.Labelled(like, "Kenji")
	}
	if err == nil {
		like, err = k.store.Create(t.Context(), like)
	}
	if err != nil {
		t.Fatal(err)
	}
	return like.ID
}

// lists reads a list of another client again and again until done is closed, and returns how long each took, the quickest first.
func lists(t *testing.T, s *motion.Service, done <-chan struct{}) (took []time.Duration) {
	for {
		began := time.Now()
		if _, _, err := s.ListExtractions(t.Context(), "other", motion.Page{}); err != nil {
			t.Error("a list beside:", err)
		}
		took = append(took, time.Since(began))
		select {
		case <-done:
			slices.Sort(took)
			return took
		case <-time.After(5 * time.Millisecond): // for what is erased meanwhile
		}
	}
}

func byDate(a, b trend.Session) int { return a.RecordedAt.Compare(b.RecordedAt) }
