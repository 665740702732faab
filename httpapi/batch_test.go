package httpapi_test

import (
	"context"
	"fmt"
	"image"
	"sync"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// gated is an estimator that waits until the gate is open.
type gated struct {
	estimator
	gate chan struct{}
}

func (g gated) Estimate(ctx context.Context, img image.Image, hint inference.Hint) (keypoint.Frame, error) {
	select {
	case <-g.gate:
	case <-ctx.Done():
		return keypoint.Frame{}, ctx.Err()
	}
	return g.estimator.Estimate(ctx, img, hint)
}

// TestThousandMovies: a client with 1,000 movies, each of which is to be analysed as soon as its
// keypoints are there, gets every result with one request, and another client waits for few of them.
func TestThousandMovies(t *testing.T) {
	testkit.Thorough(t, "works on 1,000 movies")
	const movies, others = 1000, 20
	open := gated{gate: make(chan struct{})}
	var mu sync.Mutex
	var order []storage.Key // in which records were finished
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) {
		c.Decoder, c.Estimator = fakes.Decoder{}, open
		c.Finished = func(f motion.Finished) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, f.Record)
		}
	})
	id := func(r reply) int64 {
		if r.status != 201 {
			t.Fatalf("%d %s", r.status, r.body)
		}
		return int64(r.get(t)["id"].(float64))
	}
	movie := fakes.Movie(25, fakes.Picture(image.Pt(20, 30)))
	origin := map[int64]int64{} // of each analysis
	make := func(token string, n int) (analyses []int64) {
		for range n {
			m := w.do("POST", "/movies/", token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(movie)))
			if r := w.do("PUT", m.get(t)["uploadUrl"].(string), "", string(movie), "Content-Type", "video/mp4"); r.status != 200 {
				t.Fatalf("%d %s", r.status, r.body)
			}
			found := id(w.do("POST", "/keypoints/", token, fmt.Sprintf(`{"movieId":%d}`, id(m))))
			a := id(w.do("POST", "/analyses/", token, fmt.Sprintf(`{"keypointId":%d,"rule":{"analysisType":"coordinate","points":["nose"]}}`, found)))
			analyses, origin[a] = append(analyses, a), found
		}
		return analyses
	}
	mine := make(w.token, movies)
	make(w.other, others)
	close(open.gate)
	for i, a := range mine {
		r := w.do("GET", fmt.Sprintf("/analyses/%d/?wait=60", a), w.token, "")
		if r.status != 200 || r.get(t)["execStatus"] != "SUCCESS" {
			t.Fatalf("movie %d: %d %s", i, r.status, r.body)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	extractions := map[string]int{} // finished, by owner
	at := map[int64]int{}           // how many were finished before that one
	late := 0                       // analyses
	for _, key := range order {
		all := extractions["alice"] + extractions["bob"]
		switch {
		case key.Kind == storage.Keypoints:
			if key.Owner == "bob" && extractions["alice"] > extractions["bob"]+2 {
				t.Errorf("extraction %d of the second client was finished after %d of the first", extractions["bob"]+1, extractions["alice"])
			}
			at[key.ID] = all
			extractions[key.Owner]++
		case all > at[origin[key.ID]]+movies/50:
			t.Logf("analysis %d was finished %d extractions after its own", key.ID, all-at[origin[key.ID]]-1)
			late++
		}
	}
	if late > movies/50 { // a busy machine holds few up
		t.Errorf("%d analyses were finished long after their extraction", late)
	}
	if extractions["alice"] != movies || extractions["bob"] != others {
		t.Errorf("%d and %d extractions were finished", extractions["alice"], extractions["bob"])
	}
}
