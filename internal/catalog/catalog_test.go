package catalog_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

var all = []storage.Kind{storage.Subjects, storage.Exercises, storage.Movies, storage.Images, storage.Keypoints, storage.Comparisons, storage.Analyses, storage.Drawings}

// TestTable: every kind has a row, and stands behind the kinds that it is made from.
func TestTable(t *testing.T) {
	var kinds []storage.Kind
	for _, k := range catalog.Kinds() {
		for _, o := range k.Origins {
			if o != k.Kind && !slices.Contains(kinds, o) {
				t.Errorf("%s stands before %s, which it is made from", k.Kind, o)
			}
			if !k.MadeFrom(o) {
				t.Errorf("%s is not made from %s", k.Kind, o)
			}
		}
		kinds = append(kinds, k.Kind)
		if media := k.Kind == storage.Movies || k.Kind == storage.Images; k.Media() != media || k.Worked() != (len(k.Origins) > 0) || k.Singular == "" {
			t.Errorf("%+v", k)
		}
	}
	slices.Sort(kinds)
	if want := slices.Sorted(slices.Values(all)); !slices.Equal(kinds, want) {
		t.Errorf("kinds %v, want %v", kinds, want)
	}
	if k := catalog.Of("songs"); k.Singular != "songs" || k.Media() || k.MadeFrom(storage.Movies) {
		t.Errorf("an unknown kind: %+v", k)
	}
}

// TestStoredForms holds the JSON that databases contain.
func TestStoredForms(t *testing.T) {
	for _, c := range []struct {
		kind    storage.Kind
		data    string
		origins []storage.Key
		slow    bool
		file    string
	}{
		{storage.Movies, `{"file":{"bytes":5,"md5":"1B2M2Y8AsgTpgAmY7PhCfg=="},"request":{"name":"ゴルフ"},"outcome":{"Frames":300}}`, nil, false, "media/movies/7"},
		{storage.Images, `{"request":{"contentMd5":"d41d8cd98f00b204e9800998ecf8427e"}}`, nil, false, ""},
		{storage.Keypoints, `{"from":[{"kind":"movies","id":3}],"slow":true,"corrections":{"0":"abc"},"request":{"movieId":3},"outcome":{"verdict":"good"}}`, []storage.Key{{Kind: storage.Movies, ID: 3}}, true, ""},
		{storage.Keypoints, `{"from":[{"kind":"images","id":3}],"request":{"imageId":3}}`, []storage.Key{{Kind: storage.Images, ID: 3}}, false, ""},
		{storage.Keypoints, `{"from":[{"kind":"movies","id":3},{"kind":"keypoints","id":4}],"request":{}}`, []storage.Key{{Kind: storage.Movies, ID: 3}, {Kind: storage.Keypoints, ID: 4}}, false, ""},
		{storage.Comparisons, `{"from":[{"kind":"keypoints","id":1},{"kind":"keypoints","id":2}],"corrected":[{"keypoint":1,"person":2,"digest":"abc"},{"keypoint":2}],"request":{"score":true}}`, []storage.Key{{Kind: storage.Keypoints, ID: 1}, {Kind: storage.Keypoints, ID: 2}}, false, ""},
		{storage.Analyses, `{"from":[{"kind":"keypoints","id":1}],"request":{"rule":{"analysisType":"coordinate"}}}`, []storage.Key{{Kind: storage.Keypoints, ID: 1}}, false, ""},
		{storage.Drawings, `{"from":[{"kind":"keypoints","id":1}],"slow":true,"file":{"extension":".mp4","bytes":9,"md5":"1B2M2Y8AsgTpgAmY7PhCfg=="},"request":{"keypointId":1}}`, []storage.Key{{Kind: storage.Keypoints, ID: 1}}, true, "drawings/7.mp4"},
		{storage.Drawings, `{"from":[{"kind":"comparisons","id":2}],"file":{"extension":".jpg","bytes":9,"md5":null},"request":{}}`, []storage.Key{{Kind: storage.Comparisons, ID: 2}}, false, "drawings/7.jpg"},
	} {
		r := storage.Record{Key: storage.Key{Owner: "me", Kind: c.kind, ID: 7}, Status: storage.Success, Data: []byte(c.data)}
		got, err := catalog.Origins(r)
		for i := range c.origins {
			c.origins[i].Owner = "me"
		}
		if diff := cmp.Diff(c.origins, got); diff != "" || err != nil {
			t.Errorf("%s: origins (%v): %s", c.data, err, diff)
		}
		if got := catalog.Slow(r); got != c.slow {
			t.Errorf("%s: slow %v", c.data, got)
		}
		file, ok, err := catalog.FileOf(r)
		if ok != (c.file != "") || ok && file.Name != c.file || err != nil {
			t.Errorf("%s: file %+v %v (%v)", c.data, file, ok, err)
		}

		// Progress is a member, which comes and goes; all others stay.
		half, err := catalog.WithProgress(r, 0.5)
		if has := bytes.Contains(half.Data, []byte(`"progress":0.5`)); err != nil || has == catalog.Of(c.kind).Media() {
			t.Errorf("%s: half of it is %s (%v)", c.data, half.Data, err)
		}
		none, err := catalog.WithProgress(half, 0)
		if string(none.Data) != c.data || err != nil {
			t.Errorf("%s becomes %s (%v)", c.data, none.Data, err)
		}

		r.Data = []byte("{")
		if _, _, err := catalog.FileOf(r); err == nil {
			t.Errorf("%s: broken data are read", c.kind)
		}
		if _, err := catalog.WithProgress(r, 0.5); err == nil {
			t.Errorf("%s: broken data get a progress", c.kind)
		}
	}
	if _, err := catalog.Origins(storage.Record{Key: storage.Key{Kind: storage.Analyses}, Data: []byte(`{"from":[{"kind":"keypoints","id":"1"}]}`)}); err == nil {
		t.Error("a text is an id")
	}
}

func TestFileNames(t *testing.T) {
	for _, kind := range all {
		for _, name := range catalog.FileNames(storage.Key{Kind: kind, ID: 12}) {
			if got, id, ok := catalog.ParseFileName(name); got != kind || id != 12 || !ok {
				t.Errorf("%s is read as %s %d %v", name, got, id, ok)
			}
			if !slices.ContainsFunc(catalog.Folders(), func(f string) bool { return len(name) > len(f) && name[:len(f)] == f }) {
				t.Errorf("%s is in no folder of %v", name, catalog.Folders())
			}
		}
	}
	for _, name := range []string{
		"", "media", "media/", "media/movies", "media/movies/", "media/movies/0", "media/movies/-1", "media/movies/+1", "media/movies/01",
		"media/movies/1.mp4", "media/movies/1/2", "media/keypoints/1", "media/notes.txt", "drawings/1", "drawings/1.png", "drawings/1.jpg.mp4",
		"drawings/0.jpg", "drawings/99999999999999999999.jpg", "/1", "elsewhere/1",
	} {
		if kind, id, ok := catalog.ParseFileName(name); ok {
			t.Errorf("%q is read as %s %d", name, kind, id)
		}
	}
	if got, want := catalog.Folders(), []string{"media/", "drawings/"}; !slices.Equal(got, want) {
		t.Errorf("folders %v, want %v", got, want)
	}
}

func TestParseMD5(t *testing.T) {
	for text, want := range map[string]bool{
		"1B2M2Y8AsgTpgAmY7PhCfg==": true, "d41d8cd98f00b204e9800998ecf8427e": true, "D41D8CD98F00B204E9800998ECF8427E": true,
		"": false, "xyz": false, "1B2M2Y8AsgTpgAmY7PhCfh==": false, "d41d8cd98f00b204e9800998ecf8427": false,
		"1B2M2Y8AsgTpgAmY7PhCfg==\n": false, "\r\n1B2M2Y8AsgTpgAmY7PhCfg==": false, "1B2M2Y8AsgTp\ngAmY7PhCfg==": false,
		" 1B2M2Y8AsgTpgAmY7PhCfg==": false, `"1B2M2Y8AsgTpgAmY7PhCfg=="`: false, "d41d8cd98f00b204e9800998ecf8427e\n": false,
	} {
		if b, ok := catalog.ParseMD5(text); ok != want || ok && len(b) != 16 {
			t.Errorf("%q: %x %v", text, b, ok)
		}
	}
}
