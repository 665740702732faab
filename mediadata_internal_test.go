package motion

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestPlainMedia holds that what is read without encoding/json is the same, and that
// ordinary records are read so.
func TestPlainMedia(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := mediaData{
			Name: rapid.String().Draw(t, "name"), Text: rapid.String().Draw(t, "text"), ContentMD5: rapid.String().Draw(t, "MD5"),
			Uploaded: rapid.Bool().Draw(t, "uploaded"), Width: rapid.Int().Draw(t, "width"), Height: rapid.Int().Draw(t, "height"),
			Frames: rapid.Int().Draw(t, "frames"), FrameRate: rapid.Float64().Draw(t, "rate"), Duration: rapid.Float64().Draw(t, "duration"),
		}
		text, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		var want, got mediaData
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if err := got.read(text); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
	for _, text := range []string{
		`{"contentMd5":"x"}`,
		`{"name":"ゴルフ","text":"a swing","contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg==","uploaded":true,"width":1920,"height":1080,"frames":300,"frameRate":29.97,"duration":10.01}`,
	} {
		if _, ok := plainMedia([]byte(text)); !ok {
			t.Errorf("%s is not read", text)
		}
	}
	for _, text := range []string{`{}`, `{"contentMd5":"x"`, `{"contentMd5": "x"}`, `{"contentMd5":"x"}}`, `{"contentMd5":"\u0041"}`, `{"width":1.5}`, `{"other":1}`, ``, `[`} {
		if m, ok := plainMedia([]byte(text)); ok {
			t.Errorf("%s is read: %+v", text, m)
		}
	}
}
