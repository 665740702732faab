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
// keypoints of the finished record.
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
	pieces := 0
	for until := time.Now().Add(time.Minute); ; {
		record = c.call("GET", fmt.Sprintf("%s?include=found&foundFrom=%d", path, len(frames)), "")
		if found, ok := record["found"].(map[string]any); ok && len(found["keypoint"].([]any)) > 0 {
			frames, times = append(frames, found["keypoint"].([]any)...), append(times, found["timestamps"].([]any)...)
			pieces++
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
	if pieces < 3 || len(frames) < len(all)/2 || len(frames) > len(all) {
		t.Fatalf("%d of %d frames came early, in %d pieces", len(frames), len(all), pieces)
	}
	if diff := cmp.Diff(all[:len(frames)], frames); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(record["timestamps"].([]any)[:len(times)], times); diff != "" {
		t.Error(diff)
	}
}
