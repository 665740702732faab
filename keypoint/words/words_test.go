package words_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/words"
)

func Example() {
	for _, l := range words.Languages() {
		fmt.Println(l.Of("leftBigToe"), l.Part(keypoint.LeftBigToe), l.Of("right"), l.Of("kneeFlexion"))
	}
	// Output:
	// left big toe big toe right knee flexion
	// 左足の親指 足の親指 右 膝の屈曲
}

// TestAll: every part, side and type has a word in every language, which no other name has.
func TestAll(t *testing.T) {
	latin := regexp.MustCompile(`[A-Za-z]`)
	for _, l := range words.Languages() {
		names := []string{"left", "right"}
		for p := range keypoint.Part(keypoint.NumParts) {
			names = append(names, p.String())
		}
		for _, a := range analyze.Types() {
			names = append(names, string(a))
		}
		all, known := l.All(), map[string]string{}
		for _, name := range names {
			word := all[name]
			if word == "" || word != l.Of(name) || known[word] != "" || latin.MatchString(word) != (l == words.English) {
				t.Errorf("%s: %q is %q in the table, else %q; also the word of %q", l, name, word, l.Of(name), known[word])
			}
			known[word] = name
		}
	}
}
