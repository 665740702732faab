package httpapi_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/analyze/study"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/say"
	"github.com/bodymotion/motion/storage"
)

// known is a number with its uncertainty, as each answer writes it.
type known struct{ Value, Uncertainty float64 }

// number is that of a cell; NaN of an empty one.
func number(cell string) float64 {
	if v, err := strconv.ParseFloat(cell, 64); err == nil {
		return v
	}
	return math.NaN()
}

// TestOneUncertainty: of one recording all answers have the same number with the same uncertainty for the peak of the lead, and for
// its turns: the overview, its repetitions and its title, the result, tables, the report, the trend and the exercise.
func TestOneUncertainty(t *testing.T) {
	w := newWorld(t, nil)
	w.make("/subjects/", `{"name":"somebody"}`)
	for _, name := range []string{"squat_60", "squat_90_slow"} {
		seq := testkit.Rendered(t, name).Seq
		scores := make([]map[string]float64, seq.Len())
		for i := range scores {
			scores[i] = map[string]float64{}
			for _, p := range seq.Frames[i].Present().List() {
				scores[i][p.String()] = 1
			}
			scores[i]["leftKnee"], scores[i]["rightKnee"] = 0.4, 0.4 // the far one is taken for hidden
		}
		body, err := json.Marshal(map[string]any{"keypoints": seq.Frames, "scores": scores, "size": []int{seq.Size.X, seq.Size.Y}, "timestamps": seq.Times, "clean": true, "subjectId": 1})
		if err != nil {
			t.Fatal(err)
		}
		key, _ := w.record(storage.Keypoints, w.token, string(body))
		shown, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"overview":true,"exercise":"squat"}`, key))
		path := fmt.Sprintf("/analyses/%d/", shown)
		var told struct {
			Overview struct {
				Lead        study.Lead
				Summary     study.Summary
				Repetitions struct {
					List []struct {
						Turn struct{ Frame int }
						At   []struct {
							study.Lead
							known
						}
					}
				}
				Measures []struct {
					study.Lead
					Name string
					Peak *struct {
						Frame int
						known
					}
					Values, Uncertainty []*float64
				}
			}
			Exercise struct {
				Repetitions []struct {
					Targets []struct {
						Target, Frame int
						Side, Unit    string
						Value         *float64
						Uncertainty   *float64
					}
				}
			}
		}
		if err := json.Unmarshal(w.do("GET", path, w.token, "").body, &told); err != nil {
			t.Fatal(err)
		}
		lead := told.Overview.Lead
		same := func(what string, got, want known) {
			if math.Abs(got.Value-want.Value) > 0.006 || math.Abs(got.Uncertainty-want.Uncertainty) > 0.006 {
				t.Errorf("%s, %s: %v, want %v", name, what, got, want)
			}
		}
		at := map[int]known{} // what the overview has, by frame
		var peak known
		var of string
		for _, m := range told.Overview.Measures {
			if m.Lead != lead {
				continue
			}
			peak, of = m.Peak.known, m.Name
			for i, v := range m.Values {
				if v != nil {
					at[i] = known{*v, *m.Uncertainty[i]}
				}
			}
			same("values", at[m.Peak.Frame], peak)
		}
		amount := say.Measured(string(lead.Type), peak.Value, peak.Uncertainty, "°").Text().String()
		if title := told.Overview.Summary.Title.String(); !strings.HasSuffix(title, amount) {
			t.Errorf("%s: %q, and the peak is %s", name, title, amount)
		}

		// What pictures leave out has no value.
		var drawn struct{ Hidden [][]string }
		if err := json.Unmarshal(w.do("GET", fmt.Sprintf("/keypoints/%d/?include=hidden", key), w.token, "").body, &drawn); err != nil {
			t.Fatal(err)
		}
		hidden := 0
		for i, parts := range drawn.Hidden {
			for _, m := range told.Overview.Measures {
				if m.Type != analyze.KneeFlexion || !slices.Contains(parts, string(m.Side)+"Knee") {
					continue
				}
				if hidden++; m.Values[i] != nil {
					t.Errorf("%s: the %s is hidden in frame %d, where it has %v", name, m.Name, i, *m.Values[i])
				}
			}
		}
		if len(drawn.Hidden) != seq.Len() || (hidden > 0) != (name == "squat_90_slow") {
			t.Errorf("%s: %d frames, and a knee is hidden in %d", name, len(drawn.Hidden), hidden)
		}

		alone, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":[{"analysisType":%q,"side":%q}]}`, key, lead.Type, lead.Side))
		var result struct {
			Result []struct{ Values, Uncertainty []*float64 }
		}
		if err := json.Unmarshal(w.do("GET", fmt.Sprintf("/analyses/%d/", alone), w.token, "").body, &result); err != nil {
			t.Fatal(err)
		}
		for i, want := range at {
			r := result.Result[0]
			same(fmt.Sprint("result, frame ", i), known{*r.Values[i], *r.Uncertainty[i]}, want)
		}

		turns, read := 0, 0
		for _, one := range told.Overview.Repetitions.List {
			for _, v := range one.At {
				if v.Lead == lead {
					same("at a turn", v.known, at[one.Turn.Frame])
					read++
				}
			}
			for _, r := range told.Exercise.Repetitions {
				for _, v := range r.Targets {
					if v.Frame == one.Turn.Frame && v.Target == 0 && v.Side == string(lead.Side) && v.Value != nil {
						same("exercise", known{*v.Value, *v.Uncertainty}, at[v.Frame])
						turns++
					}
				}
			}
		}
		if turns == 0 || read != len(told.Overview.Repetitions.List) {
			t.Errorf("%s: of %d turns the exercise judges %d, and %d have the lead", name, len(told.Overview.Repetitions.List), turns, read)
		}

		overview, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"overview":true}`, key))
		page := string(w.do("GET", fmt.Sprintf("/analyses/%d/?format=report", overview), w.token, "").body)
		if !strings.Contains(page, amount) {
			t.Errorf("%s: the report lacks %s", name, amount)
		}
		table := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(w.do("GET", path+"?format=tables", w.token, "").body), "\ufeff")))
		table.FieldsPerRecord = -1
		rows, err := table.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		column, frames := -1, 0
		for _, r := range rows {
			if k := slices.Index(r, of+" [deg]"); k > 0 {
				column = k
			} else if column > 0 {
				frame, value, sigma := number(r[0]), number(r[column]), number(r[column+1])
				same(fmt.Sprint("tables, frame ", frame), known{value, sigma}, at[int(frame)])
				frames++
			} else if len(r) > 4 && strings.EqualFold(r[0], of) && number(r[3]) != math.Round(peak.Value) {
				t.Errorf("%s: the table of ranges has %v", name, r)
			}
		}
		if frames != len(at) {
			t.Errorf("%s: the tables have %d frames, want %d", name, frames, len(at))
		}
		var trend struct {
			Sessions []struct {
				KeypointID int64 `json:"keypointId"`
				known
			}
		}
		if err := json.Unmarshal(w.do("GET", fmt.Sprintf("/subjects/1/trend/?measure=%s&side=%s&statistic=peak", lead.Type, lead.Side), w.token, "").body, &trend); err != nil {
			t.Fatal(err)
		}
		last := trend.Sessions[len(trend.Sessions)-1]
		same("trend", last.known, peak)
	}
}
