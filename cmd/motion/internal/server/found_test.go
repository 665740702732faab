package server

import (
	"crypto/md5"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// foundSoFar reads the keypoints of a movie while a server finds them: piece by piece they are the raw
// keypoints of the finished record, and what they tell is of as many.
func foundSoFar(t *testing.T, url, file string) {
	movie, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := login(t, url)
	m := c.call("POST", "/anymotion/v1/movies/", fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum(movie)))
	c.call("PUT", m["uploadUrl"].(string), string(movie))
	record := c.call("POST", "/anymotion/v1/keypoints/", fmt.Sprintf(`{"movieId":%v}`, m["id"]))
	path := fmt.Sprintf("/anymotion/v1/keypoints/%v/", record["id"])
	var frames, times []any
	pieces, told := 0, 0
	for until := time.Now().Add(time.Minute); ; {
		record = c.call("GET", fmt.Sprintf("%s?include=found,preliminary&foundFrom=%d", path, len(frames)), "")
		if found, ok := record["found"].(map[string]any); ok && len(found["keypoint"].([]any)) > 0 {
			frames, times = append(frames, found["keypoint"].([]any)...), append(times, found["timestamps"].([]any)...)
			pieces++
		}
		if p, ok := record["preliminary"].(map[string]any); ok {
			n := int(p["frames"].(float64))
			measure := p["overview"].(map[string]any)["measures"].([]any)[0].(map[string]any)
			if view := p["quality"].(map[string]any)["view"].([]any); n < told || len(measure["values"].([]any)) != n || len(view) != n {
				t.Fatalf("after %d frames, what is preliminary is of %d: %d values, %d views", told, n, len(measure["values"].([]any)), len(view))
			}
			told = n
		}
		if record["execStatus"] == "SUCCESS" {
			break
		}
		if time.Now().After(until) {
			t.Fatalf("the record is %v", record)
		}
		time.Sleep(2 * time.Millisecond) // asked as a client asks
	}
	record = c.call("GET", path+"?raw=true&include=timestamps", "")
	all := record["keypoint"].([]any)
	if pieces < 3 || told < 10 || told > len(all) || len(frames) < len(all)/2 || len(frames) > len(all) {
		t.Fatalf("%d of %d frames came early, in %d pieces; %d told something", len(frames), len(all), pieces, told)
	}
	if diff := cmp.Diff(all[:len(frames)], frames); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(record["timestamps"].([]any)[:len(times)], times); diff != "" {
		t.Error(diff)
	}
}
