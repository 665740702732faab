package report_test

import (
	"bytes"
	"encoding/csv"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/draw/report"
	"github.com/bodymotion/motion/internal/testkit"
)

// TestTables: a spreadsheet has the repetitions, with uncertainties in columns of their own, and every frame; names cannot
// run as formulas, and decimals are those of where semicolons are usual.
func TestTables(t *testing.T) {
	r := report.Report{Title: `=HYPERLINK("https://example.com";"x")`, Sequence: testkit.Rendered(t, "squat_60").Seq}
	r.Subject.Name = "＠Sato"
	if err := r.Analyze(); err != nil {
		t.Fatal(err)
	}
	for separator, decimal := range map[rune]string{',': ".", ';': ","} {
		var b bytes.Buffer
		if err := r.WriteTables(&b, separator); err != nil {
			t.Fatal(err)
		}
		text, marked := strings.CutPrefix(b.String(), "\ufeff")
		in := csv.NewReader(strings.NewReader(text))
		in.Comma, in.FieldsPerRecord = separator, -1
		rows, err := in.ReadAll()
		if err != nil || !marked {
			t.Fatalf("marked %v, %v", marked, err)
		}
		at := func(first string) int {
			return slices.IndexFunc(rows, func(row []string) bool { return row[0] == first })
		}
		if rows[0][1] != "'"+r.Title || rows[at("Person")][1] != "'＠Sato" {
			t.Errorf("%q and %q could run", rows[0][1], rows[at("Person")][1])
		}
		head := rows[at("Repetitions")+1]
		first := rows[at("Repetitions")+2]
		if len(head) < 8 || !slices.Contains(head, "±") || first[0] != "1" || !strings.Contains(first[1], decimal) {
			t.Errorf("the first repetition is %q under %q", first, head)
		}
		for k, name := range head { // times share theirs, which stands in the head; their means have their own
			if time := strings.Contains(head[max(k-1, 0)], ", s ± 0"); name == "±" && (strings.ContainsAny(first[k-1]+first[k], "°± ") || time != (first[k] == "")) {
				t.Errorf("%s: %q ± %q", head[k-1], first[k-1], first[k])
			}
		}
		frames := rows[at("frame")+1:]
		if len(frames) != r.Sequence.Len() || !strings.Contains(frames[1][1], decimal) {
			t.Errorf("%d frames, the second at %q", len(frames), frames[1][1])
		}
	}
}
