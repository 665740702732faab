package server

import (
	"crypto/md5"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
)

// BenchmarkWaiting measures for how long somebody waits for a movie, with the setting that is the default: by HTTP, from the first
// request to the keypoints and to the values of their analysis; in Chromium, from the drop onto the page to the first skeleton and
// to what no longer changes.
func BenchmarkWaiting(b *testing.B) {
	browser := newBrowsing(b)
	movies, err := filepath.Glob("../../../../../shared/data/rendered/*_*.mp4")
	if err != nil {
		b.Fatal(err)
	}
	movies = append([]string{"../../../../httpapi/viewer/squats.mp4"}, movies...)
	for _, movie := range movies {
		b.Run(strings.TrimSuffix(filepath.Base(movie), ".mp4"), func(b *testing.B) {
			spent := map[string]float64{}
			for b.Loop() {
				waitForHTTP(b, movie, spent)
				waitForPage(b, browser, movie, spent)
			}
			b.ReportMetric(0, "ns/op")
			for name, seconds := range spent {
				b.ReportMetric(seconds/float64(b.N), name+"-s")
			}
		})
	}
}

func waitForHTTP(b *testing.B, movie string, spent map[string]float64) {
	server := startAs(b, "--data", filepath.Join(b.TempDir(), "data"), "--db", "memory", "--client", "someone:very-secret")
	defer server.drain(b)
	bytes, err := os.ReadFile(movie)
	if err != nil {
		b.Fatal(err)
	}
	c := login(b, server.url)
	const api = "/anymotion/v1/"
	made := func(kind, body string) any {
		id := c.call("POST", api+kind+"/", body)["id"]
		for {
			switch r := c.call("GET", fmt.Sprintf("%s%s/%v/?wait=60", api, kind, id), ""); r["execStatus"] {
			case "SUCCESS":
				return id
			case "FAILURE":
				b.Fatalf("%s: %v", kind, r["failureDetail"])
			}
		}
	}
	start := time.Now()
	m := c.call("POST", api+"movies/", fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum(bytes)))
	c.call("PUT", m["uploadUrl"].(string), string(bytes))
	keypoint := made("keypoints", fmt.Sprintf(`{"movieId":%v}`, m["id"]))
	spent["http-keypoints"] += time.Since(start).Seconds()
	made("analyses", fmt.Sprintf(`{"keypointId":%v,"overview":true}`, keypoint))
	spent["http-values"] += time.Since(start).Seconds()
}

func waitForPage(b *testing.B, browser browsing, movie string, spent map[string]float64) {
	server := startAs(b, "--data", filepath.Join(b.TempDir(), "data"), "--db", "memory")
	defer server.drain(b)
	said := browser.run(b, "drop.mjs", server.page(b), movie)
	m := regexp.MustCompile(`skeleton ([\d.]+), values ([\d.]+)`).FindStringSubmatch(said)
	if m == nil {
		b.Fatalf("drop.mjs says no times: %s", said)
	}
	for i, name := range []string{"page-skeleton", "page-values"} {
		seconds, err := strconv.ParseFloat(m[i+1], 64)
		if err != nil {
			b.Fatal(err)
		}
		spent[name] += seconds
	}
}

// TestDrop drops the movie that the page brings with it.
func TestDrop(t *testing.T) {
	b := newBrowsing(t)
	testkit.Thorough(t, "runs what a benchmark runs")
	server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--db", "memory")
	defer server.drain(t)
	b.run(t, "drop.mjs", server.page(t), "../../../../httpapi/viewer/squats.mp4")
}
