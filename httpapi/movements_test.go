package httpapi_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// keypointRecord stores the keypoints of a movie that nobody extracted.
func (w *world) keypointRecord(put func(storage.Record) int64, seq keypoint.Sequence) int64 {
	w.t.Helper()
	result, err := json.Marshal(seq)
	if err != nil {
		w.t.Fatal(err)
	}
	return put(storage.Record{Key: storage.Key{Kind: storage.Keypoints}, Status: storage.Success, Data: []byte(`{"from":[{"kind":"movies","id":1}],"request":{"movieId":1}}`), Result: fmt.Appendf(nil, `{"cleaned":%s}`, result)})
}

// squat is somebody who faces right and bends both knees twice in four seconds, the left one to 80 degrees and the right
// one to 60.
func squat() keypoint.Sequence { return squatTo(80, 60) }

func squatTo(left, right float64) keypoint.Sequence {
	var seq keypoint.Sequence
	for i := range 121 {
		var f keypoint.Frame
		t := float64(i) / 30
		share := (1 - math.Cos(math.Pi*t)) / 2
		for hip, depth := range map[keypoint.Part]float64{keypoint.LeftHip: left, keypoint.RightHip: right} {
			sin, cos := math.Sincos(depth * share * math.Pi / 180)
			knee := keypoint.Point{100 + 100*sin, 300}
			f.Set(hip, keypoint.Point{100, 300 - 100*cos}, 1)
			f.Set(hip-6, keypoint.Point{100, 150 - 100*cos}, 1) // the shoulder
			f.Set(hip+2, knee, 1)
			f.Set(hip+4, keypoint.Point{knee[0], 400}, 1) // the ankle
		}
		f.Set(keypoint.Nose, keypoint.Point{120, 60}, 1)
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, t)
	}
	return seq
}

// TestRepetitions: a rule that asks for them has repetitions and the other side, and its rule is echoed.
func TestRepetitions(t *testing.T) {
	w, put := filed(t)
	key := w.keypointRecord(put, squat())
	rule := `{"analysisType":"jointFlexion","points":["leftHip","leftKnee","leftAnkle"],"repetitions":{"prominence":20,"minDuration":0.5,"direction":null},"statistics":true,"symmetry":true}`
	id, m := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":%s}`, key, rule))
	type members = map[string]any
	if echo := m["rule"].(members); !cmp.Equal(echo["repetitions"], any(members{"prominence": 20.0, "minDuration": 0.5})) || echo["symmetry"] != true {
		t.Errorf("echoed %v", echo)
	}
	for _, name := range []string{"gait", "jumps", "warnings"} {
		if v, ok := m[name]; ok {
			t.Errorf("%s is %v without being asked for", name, v)
		}
	}
	result := m["result"].([]any)[0].(members)
	if all := result["statistics"].(members); len(all) != 8 || all["max"].(float64) < 79.9 || all["range"] != all["max"].(float64)-all["min"].(float64) {
		t.Errorf("statistics: %v", all)
	}
	found := result["repetitions"].(members)
	if found["count"] != 2.0 || found["complete"] != 2.0 || found["direction"] != "rises" || found["high"].(float64) < 79.9 {
		t.Errorf("repetitions: %v", found)
	}
	second := found["list"].([]any)[1].(members)
	if turn := second["turn"].(members); math.Abs(turn["time"].(float64)-3) > 0.05 || turn["frame"] != 90.0 || second["complete"] != true || math.Abs(second["depth"].(float64)-80) > 1 {
		t.Errorf("the second one: %v", second)
	}
	if mean := found["curve"].(members)["mean"].([]any); len(mean) != 101 || math.Abs(mean[50].(float64)-80) > 1 {
		t.Errorf("the mean at half: %v", mean[50])
	}
	s := result["symmetry"].(members)
	depth, other := s["depth"].(members), s["otherSide"].(members)
	want, _ := analyze.SymmetryAngle(80, 60)
	if s["index"] != "symmetryAngle" || s["statisticsType"] != "range" || math.Abs(s["value"].(float64)-want) > 0.1 || math.Abs(depth["symmetry"].(float64)-want) > 0.5 ||
		other["side"] != "right" || other["repetitions"].(members)["count"] != 2.0 || result["movieOption"] != nil {
		t.Errorf("symmetry, want %v: %v %v %v", want, s["value"], depth, other["side"])
	}
	csv, _, _ := strings.Cut(string(w.do("GET", fmt.Sprintf("/analyses/%d/?format=csv", id), w.token, "").body), "\n")
	if csv != "frame,time [s],left knee flexion [deg],left knee flexion ± [deg],right knee flexion [deg],right knee flexion ± [deg]" {
		t.Errorf("CSV: %s", csv)
	}
	lines := strings.Split(string(w.do("GET", fmt.Sprintf("/analyses/%d/?format=jsonl", id), w.token, "").body), "\n")
	var line struct{ Values []float64 }
	err := json.Unmarshal([]byte(lines[31]), &line)
	if err != nil || len(line.Values) != 2 || line.Values[0] < 79.9 || strings.Contains(lines[0], "otherSide") || !strings.Contains(lines[0], "right knee flexion") {
		t.Errorf("JSON Lines: %v %v %.3000s", err, line, lines[0])
	}

	omits := func(path, format string) string {
		return w.do("GET", path+"?format="+format, w.token, "").header.Get("Format-Omits")
	}
	for format, want := range map[string]string{"csv": "constant, repetitions, statistics, symmetry", "mot": "constant, repetitions, statistics, symmetry, uncertainty", "jsonl": "", "report": ""} {
		if got := omits(fmt.Sprintf("/analyses/%d/", id), format); got != want {
			t.Errorf("%s omits %q, want %q", format, got, want)
		}
	}

	// The rule of a comparison has options, too.
	for prominence, want := range map[int]int{20: 2, 100: 0} {
		rule := fmt.Sprintf(`{"analysisType":"kneeFlexion","side":"left","repetitions":{"prominence":%d}}`, prominence)
		_, m := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d,"shift":true,"angles":true,"repetitions":%s}`, key, key, rule))
		if twins, ok := m["repetitions"].([]any); !ok || len(twins) != want {
			t.Errorf("prominence %d: %v", prominence, m)
		}
		if shift, ok := m["shift"].([]any); !ok || len(shift) != 121 || shift[120] != 0.0 {
			t.Errorf("shift: %v", m["shift"])
		}
		if most, ok := m["largest"].([]any); !ok || len(most) == 0 || most[0].(members)["difference"] != 0.0 {
			t.Errorf("the largest difference of a recording from itself: %v", m["largest"])
		}
		csv := map[int]string{20: "largest, repetitions", 100: "largest"}[prominence]
		for format, want := range map[string]string{"csv": csv, "jsonl": "", "report": ""} {
			if got := omits(fmt.Sprintf("/comparisons/%v/", m["id"]), format); got != want {
				t.Errorf("%s of a comparison omits %q, want %q", format, got, want)
			}
		}
	}
}

// TestGaitAndJumps: what is in the recording is measured, and what is not has a warning.
func TestGaitAndJumps(t *testing.T) {
	type members = map[string]any
	w, put := filed(t)
	ask := func(seq keypoint.Sequence, more string) members {
		key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d%s}`, w.keypointRecord(put, seq), more))
		_, m := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypoint_id":%d,"gait":{},"jump":true}`, key))
		if m["execStatus"] != "SUCCESS" || m["rule"] != nil || len(m["result"].([]any)) != 0 {
			t.Errorf("%v", m)
		}
		return m
	}
	codes := func(m members) (list []string) {
		for _, v := range m["warnings"].([]any) {
			list = append(list, v.(members)["code"].(string))
		}
		return list
	}

	truth := testkit.Rendered(t, "walk_across_90")
	m := ask(truth.Seq, fmt.Sprintf(`,"scale":{"metresPerPixel":%v}`, truth.AtHips))
	g := m["gait"].(members)
	if g["mode"] != "walking" || g["surface"] != "overground" || g["unit"] != "m" || math.Abs(g["cadence"].(float64)-truth.Motion.Cadence) > 2 ||
		math.Abs(g["speed"].(float64)-truth.Motion.Speed) > 0.05 || g["flightTime"].(members)["mean"] != nil {
		t.Errorf("gait: %v %v %v %v %v, want %+v", g["mode"], g["surface"], g["unit"], g["cadence"], g["speed"], truth.Motion)
	}
	names := map[any]bool{}
	for _, c := range g["curves"].([]any) {
		names[c.(members)["name"]] = true
	}
	if !names["left knee flexion"] || !names["right hip flexion"] || len(g["events"].([]any)) < 6 {
		t.Errorf("curves %v, events %v", names, g["events"])
	}
	if d := cmp.Diff([]string{"noJumps"}, codes(m)); d != "" || len(m["jumps"].([]any)) != 0 {
		t.Errorf("warnings of a walk: %s", d)
	}

	if r := w.do("GET", fmt.Sprintf("/analyses/%v/?format=csv", m["id"]), w.token, ""); r.status != 200 || r.header.Get("Format-Omits") != "gait, jumps, warnings" {
		t.Errorf("CSV of a gait: %d, omits %q", r.status, r.header.Get("Format-Omits"))
	}

	truth = testkit.Rendered(t, "jump_90_120fps")
	m = ask(truth.Seq, "")
	jumps := m["jumps"].([]any)
	if j := jumps[0].(members); len(jumps) == 0 || math.Abs(j["height"].(float64)-truth.Motion.Height) > 0.02 || j["rise"] != nil || j["takeOff"].(members)["time"].(float64) <= 0 {
		t.Errorf("jumps: %v, want %+v", jumps, truth.Motion)
	}
	if d := cmp.Diff([]string{"noSteps", "noScale"}, codes(m)); d != "" || m["gait"] != nil {
		t.Errorf("warnings of a jump: %s", d)
	}

	still := truth.Seq
	still.Times = nil
	if m := ask(still, ""); m["gait"] != nil || m["jumps"] != nil || !cmp.Equal(codes(m), []string{"noTimes"}) {
		t.Errorf("without times: %v", m)
	}
}

// TestOverview asks what a recording shows, alone, beside a rule, and of a part.
func TestOverview(t *testing.T) {
	type members = map[string]any
	w, put := filed(t)
	key := w.keypointRecord(put, testkit.Rendered(t, "squat_90_slow").Seq)
	ask := func(more string) members {
		_, m := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"overview":true%s}`, key, more))
		if m["execStatus"] != "SUCCESS" {
			t.Fatal(m["failureDetail"])
		}
		return m
	}
	alone := ask("")
	o := alone["overview"].(members)
	if reps := o["repetitions"].(members); o["movement"] != "squat" || o["verdict"] != "good" || reps["complete"] != 2.0 || o["gait"] != nil || alone["rule"] != nil {
		t.Errorf("%v %v %v", o["movement"], o["verdict"], reps)
	}
	trusts := map[any]bool{}
	for _, m := range o["measures"].([]any) {
		trust, peak := m.(members)["trust"], m.(members)["peak"]
		if trusts[trust] = true; (trust == "withheld") != (peak == nil) {
			t.Errorf("%v %v: peak %v", m.(members)["name"], trust, peak)
		}
	}
	if !trusts["good"] || !trusts["withheld"] {
		t.Errorf("trust: %v", trusts)
	}
	beside := ask(`,"rule":{"analysisType":"elbowFlexion","side":"left","repetitions":true}`)
	if len(beside["result"].([]any)) != 1 || !cmp.Equal(beside["overview"], alone["overview"]) {
		t.Error("what else is asked for changes the overview")
	}
	part := ask(`,"to":2`)["overview"].(members)["measures"].([]any)[0].(members)["values"].([]any)
	if part[0] == nil || part[len(part)-1] != nil {
		t.Error("values outside the part, or none inside")
	}
	if r := w.do("GET", fmt.Sprintf("/analyses/%v/?format=csv", alone["id"]), w.token, ""); r.status != 200 || r.header.Get("Format-Omits") != "overview" {
		t.Errorf("CSV: %d, omits %q", r.status, r.header.Get("Format-Omits"))
	}
}

// TestMovementsRefused: a wrong value is a 400 that names its member.
func TestMovementsRefused(t *testing.T) {
	w, put := filed(t)
	movie := w.movieRecord(put)
	still, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
	refused := func(path, body, want string) {
		t.Helper()
		if r := w.do("POST", path, w.token, body); r.status != 400 || !strings.Contains(string(r.body), fmt.Sprintf(`"pointer":%q`, want)) {
			t.Errorf("%s: %d %s, want 400 at %s", body, r.status, r.body, want)
		}
	}
	knee := `"analysisType":"kneeFlexion","side":"left"`
	for rule, want := range map[string]string{
		`{` + knee + `,"repetitions":1}`:                                                           "/rule/repetitions",
		`{` + knee + `,"repetitions":"true"}`:                                                      "/rule/repetitions",
		`{` + knee + `,"repetitions":[]}`:                                                          "/rule/repetitions",
		`{` + knee + `,"repetitions":{"depth":3}}`:                                                 "/rule/repetitions/depth",
		`{` + knee + `,"repetitions":{"direction":"up"}}`:                                          "/rule/repetitions/direction",
		`{` + knee + `,"repetitions":{"direction":1}}`:                                             "/rule/repetitions/direction",
		`{` + knee + `,"repetitions":{"prominence":0}}`:                                            "/rule/repetitions/prominence",
		`{` + knee + `,"repetitions":{"prominence":"30"}}`:                                         "/rule/repetitions/prominence",
		`{` + knee + `,"repetitions":{"prominence":1e999}}`:                                        "/rule/repetitions/prominence",
		`{` + knee + `,"repetitions":{"minDuration":-1}}`:                                          "/rule/repetitions/minDuration",
		`{` + knee + `,"repetitions":{"minDuration":true}}`:                                        "/rule/repetitions/minDuration",
		`[{` + knee + `},{"analysisType":"coordinate","points":["nose"],"repetitions":true}]`:      "/rule/1/repetitions",
		`{` + knee + `,"statistics":1}`:                                                            "/rule/statistics",
		`{"analysisType":"coordinate","points":["nose"],"statistics":true}`:                        "/rule/statistics",
		`{` + knee + `,"symmetry":"yes"}`:                                                          "/rule/symmetry",
		`{` + knee + `,"symmetry":1}`:                                                              "/rule/symmetry",
		`{"analysisType":"kneeFlexion","symmetry":false}`:                                          "/rule/side",
		`{"analysisType":"kneeFlexion","symmetry":true,"side":"both"}`:                             "/rule/side",
		`{"analysisType":"trunkLean","symmetry":true}`:                                             "/rule/symmetry",
		`{"analysisType":"euclideanDistance","points":["leftAnkle","rightAnkle"],"symmetry":true}`: "/rule/symmetry",
		`{"analysisType":"coordinate","points":["leftAnkle"],"symmetry":true}`:                     "/rule/symmetry",
	} {
		refused("/analyses/", fmt.Sprintf(`{"keypointId":%d,"rule":%s}`, movie, rule), want)
	}
	for more, want := range map[string]string{
		`"gait":1`:                  "/gait",
		`"gait":"walking"`:          "/gait",
		`"gait":[]`:                 "/gait",
		`"gait":{"speed":1}`:        "/gait/speed",
		`"gait":{"mode":"hopping"}`: "/gait/mode",
		`"gait":{"mode":1}`:         "/gait/mode",
		`"gait":{"surface":"sand"}`: "/gait/surface",
		`"jump":1`:                  "/jump",
		`"jump":"true"`:             "/jump",
		`"jump":{}`:                 "/jump",
		`"gait":false`:              "/rule",
		`"jump":false`:              "/rule",
		`"overview":1`:              "/overview",
		`"overview":false`:          "/rule",
		`"rule":[],"gait":true`:     "/rule",
		`"rule":null,"gait":null`:   "/rule",
	} {
		refused("/analyses/", fmt.Sprintf(`{"keypointId":%d,%s}`, movie, more), want)
	}
	for more, want := range map[string]string{
		`"gait":true`: "/gait", `"jump":true`: "/jump", `"rule":{` + knee + `,"repetitions":true}`: "/rule/repetitions",
		`"rule":{` + knee + `,"statistics":true}`: "/rule/statistics",
	} {
		refused("/analyses/", fmt.Sprintf(`{"keypointId":%d,%s}`, still, more), want)
	}
	for rule, want := range map[string]string{
		`{"analysisType":"kneeFlexion","symmetry":true}`: "/repetitions", `{` + knee + `,"repetitions":{"prominence":-1}}`: "/repetitions/repetitions/prominence",
	} {
		refused("/comparisons/", fmt.Sprintf(`{"sourceId":%d,"targetId":%d,"repetitions":%s}`, movie, movie, rule), want)
	}
}
