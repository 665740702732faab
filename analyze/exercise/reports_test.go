package exercise_test

import (
	"bytes"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze/exercise"
	sheet "github.com/bodymotion/motion/draw/report"
	"github.com/bodymotion/motion/say"
)

// sectionOf returns the words of a section of a report, a paragraph or a heading a line.
func sectionOf(page, class string) (lines []string) {
	_, rest, _ := strings.Cut(page, `<section class="`+class)
	rest, _, _ = strings.Cut(rest, "</section>")
	rest, _, _ = strings.Cut(rest, "</div>")
	for _, block := range regexp.MustCompile(`(?s)<(p|h2)>(.*?)</`).FindAllStringSubmatch(rest, -1) {
		lines = append(lines, html.UnescapeString(block[2]))
	}
	return lines
}

// TestReports: of what a network has found in the rendered movies, a report says at most three sentences under its title in both
// languages, with and without an exercise; "How far to trust this" has at most half of the 69 words that it had; a length has its ±; and no word
// stands there that coaches did not understand.
func TestReports(t *testing.T) {
	unclear := regexp.MustCompile(`(?i)miss no target|too near|bear a ~|besides ±|torso lengths|胴長|left or right\?|too oblique|nobody can tell|twin|laid on|symmetry|対称|left against right|\x{fffd}`)
	words, reports, depths := 0, 0, 0
	for _, f := range rendered(t) {
		var judged []*exercise.Result
		for _, name := range exercise.Names() {
			if d := shipped(t, name); d.Movement == f.shown.Movement {
				r, err := exercise.Judge(d, f.seq, f.shown)
				if err != nil {
					t.Fatal(err)
				}
				judged = append(judged, &r)
			}
		}
		for _, of := range append(judged, nil) {
			for _, l := range say.Languages() {
				if of != nil && l != say.English {
					continue // its sentences are those of TestSentences
				}
				r := sheet.Report{Language: l, Title: f.Name, Sequence: f.seq, Quality: f.judged, Study: &f.shown, Exercise: of}
				if err := r.Analyze(); err != nil {
					t.Fatal(err)
				}
				var b bytes.Buffer
				if err := r.Write(&b); err != nil {
					t.Fatal(err)
				}
				page := b.String()
				said := strings.Join(sectionOf(page, "lead")[1:], "\n")
				if n := len(regexp.MustCompile(`\. |\.\n|\.$|。`).FindAllString(said, -1)); n > 3 {
					t.Errorf("%s: %d sentences under the title:\n%s", f.Name, n, said)
				}
				if found := unclear.FindString(page[strings.Index(page, "<main>"):]); found != "" {
					t.Errorf("%s: the report says %q", f.Name, found)
				}
				if l == say.English && of == nil {
					words += len(strings.Fields(strings.Join(sectionOf(page, "trust"), " ")))
					reports++
				}
				if regexp.MustCompile(`</dt><dd>[^<]* × (torso|胴)`).MatchString(page) {
					t.Errorf("%s: a length without ±", f.Name)
				}
				depths += strings.Count(page, `<dt>Hip height, depth</dt><dd><span class="num">0.`)
			}
		}
	}
	if t.Logf("%d reports, %.1f words about trust", reports, float64(words)/float64(reports)); 2*words > 69*reports || depths < 3 {
		t.Errorf("%d words about trust in %d reports, and %d depths in multiples of the torso", words, reports, depths)
	}
}
