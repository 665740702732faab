package catalog_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// media returns a movie with a text.
func media(t *testing.T, text string, about *catalog.About) storage.Record {
	t.Helper()
	data, err := json.Marshal(map[string]any{"request": map[string]string{"text": text}, "about": about})
	if err != nil {
		t.Fatal(err)
	}
	r, err := catalog.Labelled(storage.Record{Key: storage.Key{Owner: "me", Kind: storage.Movies, ID: 1}, Data: data}, "Kenji Sato")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestSearch: every word of a query begins a word of the texts, whatever its case and width, and Japanese is found from any letter on.
func TestSearch(t *testing.T) {
	r := media(t, "左膝の術後3週 Ｓｑｕａｔ, half-way (2nd) naïve ｽｸﾜｯﾄ", nil)
	for query, want := range map[string]bool{
		"squat": true, "SQU": true, "ｓｑ": true, "kenji half": true, "sato 2n": true, "naïve": true, "way": true, "左膝": true, "膝の術": true, "術後": true,
		"術後3": true, "スクワット": true, "ワット": true, "": true, "quat": false, "squats": false, "kenji ana": false, "右": false, "後の": false, "naive": false,
	} {
		found := !slices.ContainsFunc(catalog.Search(query), func(begins string) bool {
			return !slices.ContainsFunc(r.Labels, func(label string) bool { return strings.HasPrefix(label, begins) })
		})
		if found != want {
			t.Errorf("%q is found: %v", query, found)
		}
	}
}

// TestLabels: they fit into stores, whatever the texts are, and say what is known of a recording.
func TestLabels(t *testing.T) {
	var text strings.Builder
	for i := range 600 {
		fmt.Fprint(&text, i, " 動作分析", strings.Repeat("長い", i%40), " ", strings.Repeat("ß", i), "\x00\U0010ffff ")
	}
	at := time.Date(2026, 10, 3, 0, 0, 0, 0, time.UTC)
	about := &catalog.About{SubjectID: 7, RecordedAt: at, Filmed: at.AddDate(1, 0, 0), Tags: []string{"Week 1", strings.Repeat("\ufdfa", 40)}}
	r := media(t, text.String(), about)
	if !slices.IsSorted(r.Labels) || len(r.Labels) != len(slices.Compact(slices.Clone(r.Labels))) || len(r.Labels) < 300 || len(r.Labels) > storage.MaxLabels {
		t.Errorf("%d labels", len(r.Labels))
	}
	for _, label := range r.Labels {
		if len(label) > 200 || strings.ContainsRune(label, 0) || label != strings.ToValidUTF8(label, "") {
			t.Errorf("label %q", label)
		}
	}
	for _, want := range []string{"subject:7", "tag:week 1", "word:kenji", "word:week"} {
		if !slices.Contains(r.Labels, want) {
			t.Errorf("no label %s", want)
		}
	}
	name := "k\x00" + strings.Repeat("k", 300)
	keyed := r
	data, err := json.Marshal(catalog.Work{Key: name})
	if keyed.Data = data; err == nil {
		keyed, err = catalog.Labelled(keyed)
	}
	if key := catalog.KeyLabel(name); err != nil || !slices.Contains(keyed.Labels, key) || len(key) > 200 || slices.Contains(r.Labels, key) {
		t.Errorf("with a key (%v): %d labels without %s", err, len(keyed.Labels), key)
	}
	if !r.At.Equal(at) {
		t.Errorf("at %v", r.At)
	}
	about.RecordedAt, about.SubjectID = time.Time{}, 0
	if r = media(t, "", about); !r.At.Equal(about.Filmed) || !slices.Contains(r.Labels, "subject:0") {
		t.Errorf("at %v: %v", r.At, r.Labels)
	}
	if n := len(catalog.Search(text.String())); n > 20 {
		t.Errorf("a query has %d words", n)
	}
}
