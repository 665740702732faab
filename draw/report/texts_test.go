package report

import (
	"reflect"
	"regexp"
	"slices"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/words"
)

// TestWords: both languages say everything, with the same arguments.
func TestWords(t *testing.T) {
	verb := regexp.MustCompile(`%(\[\d\])?[.\d]*[sdf]`)
	kinds := func(text string) []string {
		var list []string
		for _, v := range verb.FindAllString(text, -1) {
			list = append(list, v[len(v)-1:])
		}
		slices.Sort(list)
		return list
	}
	same := func(name, en, ja string) {
		if en == "" || ja == "" && name != "space" && name != "listEnd" || !slices.Equal(kinds(en), kinds(ja)) {
			t.Errorf("%s: %q and %q", name, en, ja)
		}
	}
	a, b := reflect.ValueOf(english), reflect.ValueOf(japanese)
	for i := range a.NumField() {
		name := a.Type().Field(i).Name
		if a.Field(i).Kind() != reflect.Map {
			same(name, a.Field(i).String(), b.Field(i).String())
			continue
		}
		if a.Field(i).Len() != b.Field(i).Len() {
			t.Errorf("%s: %d and %d texts", name, a.Field(i).Len(), b.Field(i).Len())
		}
		for _, key := range a.Field(i).MapKeys() {
			if v := b.Field(i).MapIndex(key); v.IsValid() {
				same(name+" "+key.String(), a.Field(i).MapIndex(key).String(), v.String())
			} else {
				t.Errorf("%s has no %q in Japanese", name, key)
			}
		}
	}
	for _, typ := range analyze.Types() {
		if definitions[typ] == "" {
			t.Errorf("%s has no Japanese definition", typ)
		}
	}
	for part := range keypoint.Part(keypoint.NumParts) {
		bare, sided := words.Japanese.Part(part), words.Japanese.Of(part.String())
		if bare == "" || (part != keypoint.Nose) != (sided != bare) {
			t.Errorf("%s: %q and %q", part, bare, sided)
		}
	}
}
