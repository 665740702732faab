package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"image"
	"log/slog"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/draw/mp4"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/internal/testkit/fakes"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/storage"
)

// shares is a world with a recording of a person, and its links to reports.
type shares struct {
	*world
	path     string // of the links
	key      int64
	analysis int64
	log      bytes.Buffer
}

func newShares(t *testing.T) *shares {
	s := &shares{}
	var store storage.Store
	s.world = newWorld(t, func(o *httpapi.Options, c *motion.Config) {
		store, c.Decoder, c.Encoder, o.AccessLog = c.Store, fakes.Decoder{}, mp4.Encoder{}, slog.New(slog.NewTextHandler(&s.log, nil))
	})
	path := s.put(storage.Movies, greys(41, 10))
	s.do("PATCH", path, s.token, `{"name":"Squats of week 6"}`).get(t)
	seq := keypoint.Sequence{}
	seq.Size = image.Pt(400, 300)
	for i, all := 0, squat(); i < all.Len(); i += 3 {
		seq.Frames, seq.Times = append(seq.Frames, all.Frames[i]), append(seq.Times, all.Times[i])
	}
	s.key = s.keypointRecord(func(r storage.Record) int64 {
		r.Owner = "alice"
		r, err := store.Create(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		return r.ID
	}, seq)
	s.analysis, _ = s.record(storage.Analyses, s.token, fmt.Sprintf(`{"keypointId":%d,"overview":true}`, s.key))
	s.path = fmt.Sprintf("/keypoints/%d/links/", s.key)
	return s
}

// open makes a link and returns it.
func (s *shares) open(t *testing.T, query, more string) map[string]any {
	t.Helper()
	r := s.do("POST", s.path+query, s.token, fmt.Sprintf(`{"analysisId":%d,"days":7%s}`, s.analysis, more))
	if r.status != 201 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	return r.get(t)
}

// closed holds that a link shows a calm page and nothing of the recording.
func (s *shares) closed(t *testing.T, why, link string, status int) {
	t.Helper()
	r := s.do("GET", link, "", "")
	body := string(r.body)
	if r.status != status || !strings.HasPrefix(body, "<!doctype html>") || !strings.Contains(body, "not open") || !strings.Contains(body, "公開されていません") ||
		strings.Contains(body, "Squats") || r.header.Get("Cache-Control") != "no-store" || r.header.Get("ETag") != "" {
		t.Errorf("%s: %d %v %s", why, r.status, r.header, body)
	}
}

// TestSharedReports: a link shows the report without a token, without the name of the person unless it is asked for, until it is
// withdrawn.
func TestSharedReports(t *testing.T) {
	s := newShares(t)
	subject, err := s.service.CreateSubject(t.Context(), "alice", motion.NewSubject{Name: "Mika Tanaka"})
	if err != nil {
		t.Fatal(err)
	}
	give := func(id int64) {
		s.do("PATCH", fmt.Sprintf("/keypoints/%d/", s.key), s.token, fmt.Sprintf(`{"subjectId":%d}`, id)).get(t)
	}
	give(subject.ID)
	plain, named := s.open(t, "", ""), s.open(t, "?language=ja&utcOffset=540&examiner=R.%20Lind", `,"name":true`)
	for _, c := range []struct {
		link      map[string]any
		has, lack []string
	}{
		{plain, []string{`<html lang="en"`, "Squats of week 6", "data:image/jpeg"}, []string{"Mika"}},
		{named, []string{`<html lang="ja"`, "Squats of week 6", "Mika Tanaka", "R. Lind"}, nil},
	} {
		address := c.link["url"].(string)
		r := s.do("GET", address+"&fbclid=1", "", "")
		for name, want := range map[string]string{
			"Referrer-Policy": "no-referrer", "Cache-Control": "no-store", "X-Robots-Tag": "noindex", "Content-Type": "text/html; charset=utf-8", "Content-Disposition": "",
		} {
			if got := r.header.Get(name); got != want {
				t.Errorf("%s is %q, want %q", name, got, want)
			}
		}
		if !strings.HasPrefix(r.header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("the policy is %q", r.header.Get("Content-Security-Policy"))
		}
		for _, text := range c.has {
			if r.status != 200 || !bytes.Contains(r.body, []byte(text)) {
				t.Errorf("%d without %q: %.3000s", r.status, text, r.body)
			}
		}
		for _, text := range c.lack {
			if bytes.Contains(r.body, []byte(text)) {
				t.Errorf("it has %q", text)
			}
		}
		if r := s.do("HEAD", address, "", ""); r.status != 200 {
			t.Errorf("HEAD: %d", r.status)
		}
	}
	list := func() (ids []any) {
		for _, l := range s.do("GET", s.path, s.token, "").get(t)["data"].([]any) {
			ids = append(ids, l.(map[string]any)["id"])
		}
		return ids
	}
	if got := list(); len(got) != 2 || got[0] != plain["id"] || got[1] != named["id"] {
		t.Errorf("listed are %v", got)
	}

	// Nothing in an address can be changed.
	address, err := url.Parse(named["url"].(string))
	if err != nil {
		t.Fatal(err)
	}
	q := address.Query()
	q.Set("expires", "99999999999")
	longer, another := *address, *address
	longer.RawQuery = q.Encode()
	another.Path = strings.Replace(address.Path, named["id"].(string), plain["id"].(string), 1)
	for why, link := range map[string]string{
		"longer": longer.String(), "another": another.String(), "unsigned": strings.Split(address.String(), "?")[0], "nothing": "/files/reports/0.A",
	} {
		s.closed(t, why, link, 404)
	}

	// Others neither see nor make nor withdraw a link.
	withdraw := s.path + plain["id"].(string) + "/"
	for token, want := range map[string]int{s.other: 404, "": 401, s.reader: 403} {
		if r := s.do("DELETE", withdraw, token, ""); r.status != want {
			t.Errorf("DELETE with %q: %d", token, r.status)
		}
		if r := s.do("POST", s.path, token, fmt.Sprintf(`{"analysisId":%d,"days":7}`, s.analysis)); r.status != want {
			t.Errorf("POST with %q: %d", token, r.status)
		}
	}
	if r := s.do("GET", s.path, s.other, ""); r.status != 404 {
		t.Errorf("GET of another client: %d", r.status)
	}

	if r := s.do("DELETE", withdraw, s.token, ""); r.status != 204 {
		t.Errorf("withdrawn: %d %s", r.status, r.body)
	}
	if r := s.do("DELETE", withdraw, s.token, ""); r.status != 404 {
		t.Errorf("withdrawn again: %d", r.status)
	}
	s.closed(t, "withdrawn", plain["url"].(string), 410)
	if r := s.do("GET", address.String(), "", ""); r.status != 200 {
		t.Errorf("the other link: %d", r.status)
	}

	// A change of something else keeps links, and another person ends them.
	give(subject.ID)
	s.do("PATCH", fmt.Sprintf("/keypoints/%d/", s.key), s.token, `{"tags":["week 6"]}`).get(t)
	if got := list(); len(got) != 1 {
		t.Errorf("after a change: %v", got)
	}
	if r := s.do("DELETE", fmt.Sprintf("/subjects/%d/", subject.ID), s.token, ""); r.status != 200 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	s.closed(t, "of an erased person", address.String(), 410)
	if got := list(); len(got) != 0 {
		t.Errorf("after the person is erased: %v", got)
	}

	last := s.open(t, "", "")["url"].(string)
	if r := s.do("DELETE", fmt.Sprintf("/keypoints/%d/", s.key), s.token, ""); r.status != 204 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	s.closed(t, "of an erased recording", last, 410)
	if log := s.log.String(); !strings.Contains(log, "/files/reports/") || strings.Contains(log, q.Get("signature")) {
		t.Errorf("the log: %s", log)
	}
}

// TestSharedMovie: a link shows a movie only if one is named, a drawn one of the same keypoints, and no longer than the report.
func TestSharedMovie(t *testing.T) {
	s := newShares(t)
	drawn := func(body string) int64 {
		id, _ := s.record(storage.Drawings, s.token, body)
		return id
	}
	movie := drawn(fmt.Sprintf(`{"keypointId":%d,"rule":{"drawingType":"body"}}`, s.key))
	still := drawn(fmt.Sprintf(`{"keypointId":%d}`, func() int64 {
		id, _ := s.record(storage.Keypoints, s.token, fmt.Sprintf(`{"imageId":%d}`, s.image(s.token)))
		return id
	}()))
	for id, want := range map[int64]int{still: 400, 9999: 404} {
		if r := s.do("POST", s.path, s.token, fmt.Sprintf(`{"analysisId":%d,"days":7,"drawingId":%d}`, s.analysis, id)); r.status != want {
			t.Errorf("drawing %d: %d %s", id, r.status, r.body)
		}
	}
	report := func(l map[string]any) string { return string(s.do("GET", l["url"].(string), "", "").body) }
	plain, shown := s.open(t, "", ""), s.open(t, "", fmt.Sprintf(`,"drawing_id":%d`, movie))
	if plain["drawingId"] != nil || strings.Contains(report(plain), "<video") {
		t.Error("a movie is shown that nobody asked for")
	}
	_, rest, _ := strings.Cut(report(shown), "<video controls playsinline preload=\"metadata\" src=\"")
	address, _, _ := strings.Cut(rest, "\"")
	address = html.UnescapeString(address)
	r := s.do("GET", address, "", "")
	if r.status != 200 || r.header.Get("Content-Type") != "video/mp4" || len(r.body) == 0 || shown["drawingId"] != float64(movie) {
		t.Errorf("the movie %q: %d %v", address, r.status, r.header)
	}
	s.closed(t, "the movie of a link without", strings.Replace(plain["url"].(string), "?", ".mp4?", 1), 404)
	if r := s.do("DELETE", s.path+shown["id"].(string)+"/", s.token, ""); r.status != 204 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	s.closed(t, "the movie of a withdrawn link", address, 410)
}

// TestSharedLimits: what no link can be made for is refused, with what to do.
func TestSharedLimits(t *testing.T) {
	s := newShares(t)
	_, other := s.record(storage.Keypoints, s.token, fmt.Sprintf(`{"imageId":%d}`, s.image(s.token)))
	foreign := fmt.Sprintf("/keypoints/%v/links/", other["id"])
	for body, want := range map[string]string{
		`{"days":7}`:                     "analysisId",
		`{"analysisId":%d}`:              "days",
		`{"analysisId":%d,"days":0}`:     "1 to 90",
		`{"analysisId":%d,"days":91}`:    "1 to 90",
		`{"analysisId":%d,"movie":true}`: "movie",
		`{"analysisId":99,"days":7}`:     "no such record",
	} {
		body = strings.Replace(body, "%d", fmt.Sprint(s.analysis), 1)
		if r := s.do("POST", s.path, s.token, body); r.status != 400 && r.status != 404 || !bytes.Contains(r.body, []byte(want)) {
			t.Errorf("%s: %d %s, want %q", body, r.status, r.body, want)
		}
	}
	good := fmt.Sprintf(`{"analysisId":%d,"days":90}`, s.analysis)
	if r := s.do("POST", foreign, s.token, good); r.status != 400 || !bytes.Contains(r.body, []byte("other keypoints")) {
		t.Errorf("an analysis of other keypoints: %d %s", r.status, r.body)
	}
	if r := s.do("POST", s.path+"?language=fr", s.token, good); r.status != 400 {
		t.Errorf("another language: %d", r.status)
	}
	if r := s.do("POST", s.path, s.token, `{"analysisId":`+strings.Repeat(" ", 2<<20)+`1}`); r.status != 413 {
		t.Errorf("a large body: %d", r.status)
	}
	for range 20 {
		s.open(t, "", "")
	}
	if r := s.do("POST", s.path, s.token, good); r.status != 409 || !bytes.Contains(r.body, []byte("withdraw one")) {
		t.Errorf("one too many: %d %s", r.status, r.body)
	}
}

// TestSharedExpire: a link ends with its time, and leaves room for another one.
func TestSharedExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDirect(t, nil)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- d.service.Run(ctx) }()
		defer func() { stop(); <-done }()
		var data bytes.Buffer
		if err := formats.Write(&data, "jsonl", squat()); err != nil {
			t.Fatal(err)
		}
		make := func(path, body string) (m map[string]any) {
			r := d.do("POST", path, "alice", body)
			if err := json.Unmarshal(r.Body.Bytes(), &m); err != nil || r.Code != 201 {
				t.Fatalf("%s: %d %s", path, r.Code, r.Body)
			}
			return m
		}
		make("/keypoints/", fmt.Sprintf(`{"format":"jsonl","data":%q,"size":[400,500]}`, data.String()))
		make("/analyses/", `{"keypointId":1,"overview":true}`)
		if _, err := d.service.Wait(ctx, "alice", storage.Analyses, 1); err != nil {
			t.Fatal(err)
		}
		read := func(link map[string]any) int {
			address, err := url.Parse(link["url"].(string))
			if err != nil {
				t.Fatal(err)
			}
			return d.do("GET", address.RequestURI(), "", "").Code
		}
		week, month := make("/keypoints/1/links/", `{"analysisId":1,"days":7}`), make("/keypoints/1/links/", `{"analysisId":1,"days":30}`)
		for range 18 {
			make("/keypoints/1/links/", `{"analysis_id":1,"days":7}`)
		}
		time.Sleep(7*24*time.Hour - 2*time.Second)
		if a, b := read(week), read(month); a != 200 || b != 200 {
			t.Errorf("before the end: %d and %d", a, b)
		}
		time.Sleep(2 * time.Second)
		if a, b := read(week), read(month); a != 410 || b != 200 {
			t.Errorf("after the end: %d and %d", a, b)
		}
		make("/keypoints/1/links/", `{"analysisId":1,"days":90}`)
		if e, err := d.service.GetExtraction(ctx, "alice", 1); err != nil || len(e.Links) != 2 {
			t.Errorf("%d links are kept: %v", len(e.Links), err)
		}
	})
}
