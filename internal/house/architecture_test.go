package house_test

import (
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// box is packages that the picture of the architecture shows as one.
type box struct {
	name, does string
	packages   []string
}

// boxes hold every package. Those in a folder internal are in the box of the folder around it unless they are named; the helpers in the
// root's folder internal are in none.
var boxes = []box{
	{"keypoint", "parts, frames, sequences, formats, corrections", []string{"keypoint", "keypoint/correct", "keypoint/formats"}},
	{"clean, quality", "repair; view, hidden parts, ±", []string{"keypoint/clean", "keypoint/quality"}},
	{"space", "two to four cameras", []string{"keypoint/space"}},
	{"say", "words, English and Japanese", []string{"say"}},
	{"analyze", "rules, repetitions, steps, jumps", []string{"analyze", "analyze/gait", "analyze/jump"}},
	{"study", "what a recording shows", []string{"analyze/study"}},
	{"exercise, trend", "targets; changes of a person", []string{"analyze/exercise", "analyze/trend", "analyze/examine"}},
	{"compare", "two recordings", []string{"compare"}},
	{"draw", "skeletons on pictures", []string{"draw", "draw/fonts"}},
	{"report, chart, sheet", "pages and pictures of results", []string{"draw/report", "draw/chart", "draw/sheet"}},
	{"inference", "Estimator, Decoder, tracking", []string{"inference", "internal/person"}},
	{"pose", "MoveNet, BlazePose, ensembles", []string{
		"inference/pose", "inference/ensemble", "inference/onnxruntime", "inference/onnxruntime/install", "inference/movenet",
		"inference/movenet/lightning", "inference/movenet/multipose", "inference/movenet/thunder", "inference/blazepose", "inference/blazepose/full",
		"inference/blazepose/lite", "inference/internal/pixels", "inference/internal/raster",
	}},
	{"ffmpeg, mp4", "movies in and out", []string{"inference/ffmpeg", "inference/ffmpeg/program", "internal/ffexec", "draw/mp4"}},
	{"inference/live", "a camera's pictures", []string{"inference/live"}},
	{"storage", "Store, Blobs, Queue", []string{"storage", "internal/driver"}},
	{"sqlite, file, memory", "drivers; postgres, s3", []string{"storage/sqlite", "storage/file", "storage/memory", "storage/postgres", "storage/s3"}},
	{"jobs", "catalog, worker, extraction, film, upkeep", []string{
		"internal/catalog", "internal/worker", "internal/extraction", "internal/fair", "internal/film", "internal/upkeep",
	}},
	{"motion", "Extractor, Annotator, Service", []string{""}},
	{"httpapi", "the v1 API", []string{"httpapi", "httpapi/jwtauth", "httpapi/webhook", "httpapi/otelmetrics"}},
	{"live", "WebSocket", []string{"httpapi/live"}},
	{"viewer", "the page", []string{"httpapi/viewer"}},
	{"cmd/motion", "the tool and the server", []string{"cmd/motion", "cmd/motion/ffmpreg"}},
}

// way is how a value goes, and the boxes that it passes.
var way = [][2]string{
	{"file", ""}, {"Decoder", "ffmpeg, mp4"}, {"Estimator", "pose"}, {"clean", "clean, quality"}, {"quality", "clean, quality"}, {"measures", "analyze"},
	{"study", "study"}, {"report", "report, chart, sheet"}, {"API, page", "httpapi"},
}

// TestArchitecturePicture draws the boxes by what their packages import: each stands above all that it needs, and an arrow leads to what
// it needs and no other arrow leads to already. A package without a box is an error, and so is a circle.
func TestArchitecturePicture(t *testing.T) {
	list := func(args ...string) string {
		out, err := exec.Command("go", append([]string{"list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}"}, args...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	text := list("./...") + list("./cmd/motion/...", "./httpapi/live", "./httpapi/viewer", "./httpapi/jwtauth", "./httpapi/webhook", "./httpapi/otelmetrics",
		"./storage/postgres", "./storage/s3")
	at := map[string]int{}
	for i, b := range boxes {
		for _, p := range b.packages {
			at[strings.TrimSuffix(module+"/"+p, "/")] = i
		}
	}
	find := func(p string) (int, bool) {
		if i, ok := at[p]; ok {
			return i, true
		}
		around, _, inner := strings.Cut(p, "/internal/")
		i, ok := at[around]
		return i, ok && inner && around != module
	}
	needs := make([]map[int]bool, len(boxes))
	for i := range needs {
		needs[i] = map[int]bool{}
	}
	seen := map[string]bool{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		from, ok := find(words[0])
		seen[words[0]] = true
		if !ok {
			if !strings.HasPrefix(words[0], module+"/internal/") { // what helps several
				t.Errorf("%s is in no box", words[0])
			}
			continue
		}
		for _, w := range words[1:] {
			if to, ok := find(w); ok && to != from {
				needs[from][to] = true
			}
		}
	}
	for p := range at {
		if !seen[p] {
			t.Errorf("there is no package %s", p)
		}
	}
	level, busy := make([]int, len(boxes)), make([]bool, len(boxes))
	reach := make([]map[int]bool, len(boxes))
	var visit func(i int)
	visit = func(i int) {
		if busy[i] {
			t.Fatalf("%s needs itself", boxes[i].name)
		}
		if reach[i] != nil {
			return
		}
		busy[i] = true
		all := map[int]bool{}
		for _, j := range slices.Sorted(maps.Keys(needs[i])) {
			visit(j)
			all[j] = true
			maps.Copy(all, reach[j])
			level[i] = max(level[i], level[j]+1)
		}
		busy[i], reach[i] = false, all
	}
	rows := [][]int{}
	for i := range boxes {
		visit(i)
		for len(rows) <= level[i] {
			rows = append(rows, nil)
		}
		rows[level[i]] = append(rows[level[i]], i)
	}
	var s svg
	const width, height, step, top = 1180, 44, 84, 150
	s.text(20, 28, 16, `font-weight="bold"`, "The way of a value")
	for i, w := range way {
		if !slices.ContainsFunc(boxes, func(b box) bool { return b.name == w[1] }) && w[1] != "" {
			t.Errorf("the way passes %q, which is no box", w[1])
		}
		x := 20 + 127*float64(i)
		s.rect(x, 44, 105, 36, `fill="#fdece9" stroke="`+accent+`"`)
		s.text(x+52, 67, 14, center, "%s", w[0])
		if i > 0 {
			s.arrow(x-21, 62, x-2, 62)
		}
	}
	s.text(20, 124, 16, `font-weight="bold"`, "What imports what: arrows lead to what a box needs, always down")
	x, y := make([]float64, len(boxes)), make([]float64, len(boxes))
	wide := func(i int) float64 { return 16 + 6*float64(max(len(boxes[i].does), len(boxes[i].name)*3/2)) }
	for l, row := range rows {
		total := 0.0
		for _, i := range row {
			total += wide(i)
		}
		gap := (width - total) / float64(len(row)+1)
		left := gap
		for _, i := range row {
			x[i], y[i] = left+wide(i)/2, top+step*float64(len(rows)-1-l)
			left += wide(i) + gap
		}
	}
	for i := range boxes {
		for j := range boxes {
			direct := needs[i][j] && !slices.ContainsFunc(slices.Collect(maps.Keys(needs[i])), func(k int) bool { return k != j && reach[k][j] })
			if direct {
				s.arrow(x[i], y[i]+height, x[j], y[j]-2)
			}
		}
	}
	for i, b := range boxes {
		s.rect(x[i]-wide(i)/2, y[i], wide(i), height, `fill="#eaf2fb" stroke="#7db4e8"`)
		s.text(x[i], y[i]+18, 14, center+` font-weight="bold"`, "%s", b.name)
		s.text(x[i], y[i]+35, 11, center, "%s", b.does)
	}
	s.same(t, "docs/reference/architecture.svg", width, top+step*(len(rows)-1)+height+20)
}
