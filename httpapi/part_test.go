package httpapi_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// TestAnalysisOfPart: an analysis from one second to another has values there alone, everything else is
// found in them, and its files and report say the same.
func TestAnalysisOfPart(t *testing.T) {
	type members = map[string]any
	w, put := filed(t)
	key := w.keypointRecord(put, squat()) // of 4 s, whose repetitions turn at 1 s and 3 s
	const rule = `"rule":{"analysisType":"jointFlexion","points":["leftHip","leftKnee","leftAnkle"],"repetitions":true,"statistics":true,"symmetry":true}`
	id, m := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,%s,"from":2,"to":3.9}`, key, rule))
	if m["execStatus"] != "SUCCESS" || m["from"] != 2.0 || m["to"] != 3.9 {
		t.Fatalf("%v %v %v", m["failureDetail"], m["from"], m["to"])
	}
	result := m["result"].([]any)[0].(members)
	for _, one := range []members{result, result["symmetry"].(members)["otherSide"].(members)} {
		values := one["values"].([]any)
		for i, v := range values {
			if inside := i >= 60 && i <= 117; (v != nil) != inside || len(values) != 121 {
				t.Fatalf("frame %d of %d is %v", i, len(values), v)
			}
		}
		found := one["repetitions"].(members)
		list := found["list"].([]any)
		if one["coverage"] != 1.0 || len(list) != 1 || found["count"] != 1.0 || math.Abs(list[0].(members)["turn"].(members)["frame"].(float64)-90) > 1 {
			t.Errorf("coverage %v, repetitions %v", one["coverage"], list)
		}
	}
	if u, ok := result["uncertainty"].([]any); ok && (len(u) != 121 || u[59] != nil || u[118] != nil) {
		t.Errorf("uncertainty: %v", u)
	}
	path := fmt.Sprintf("/analyses/%d/", id)
	if echo := w.do("GET", path, w.token, "").get(t); echo["from"] != 2.0 || echo["to"] != 3.9 {
		t.Errorf("read again: %v %v", echo["from"], echo["to"])
	}
	lines := strings.Split(string(w.do("GET", path+"?format=csv", w.token, "").body), "\n")
	if lines[60] != "59,1.966667,,,," || strings.HasSuffix(lines[61], ",,") {
		t.Errorf("CSV: %q, then %q", lines[60], lines[61])
	}

	for more, want := range map[string][2]any{`"from":1.5`: {1.5, nil}, `"from":0,"to":2`: {nil, 2.0}, `"from":null,"to":null`: {nil, nil}} {
		made := w.do("POST", "/analyses/", w.token, fmt.Sprintf(`{"keypointId":%d,%s,%s}`, key, rule, more)).get(t)
		if made["from"] != want[0] || made["to"] != want[1] {
			t.Errorf("%s: from %v to %v", more, made["from"], made["to"])
		}
	}
	// On the way back and on the way out, a repetition is not complete.
	for to, want := range map[float64][2]any{1.45: {1.0, 0.0}, 1: {1.0, 0.0}, 2: {1.0, 1.0}} {
		_, m := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,%s,"to":%v}`, key, rule, to))
		found := m["result"].([]any)[0].(members)["repetitions"].(members)
		if got := [2]any{found["count"], found["complete"]}; got != want {
			t.Errorf("to %v s: %v repetitions and %v complete ones, want %v", to, got[0], got[1], want)
		}
	}
	// With a capture rate, seconds are those of the keypoints.
	slow, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"keypointId":%d,"capture":{"frameRate":300}}`, key))
	_, m = w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,%s,"from":0.2}`, slow, rule))
	if values := m["result"].([]any)[0].(members)["values"].([]any); values[59] != nil || values[60] == nil || values[120] == nil {
		t.Errorf("of slow motion: %v", values[55:65])
	}

	// The part is beyond the movie: the work fails, as that of a drawing and of its labels.
	beyond := w.do("POST", "/analyses/", w.token, fmt.Sprintf(`{"keypointId":%d,%s,"from":4.5}`, key, rule)).get(t)
	label := w.do("POST", "/drawings/", w.token, fmt.Sprintf(`{"keypointId":%d,"analysisId":%v,"rule":{"drawingType":"label","points":["nose"],"analysis":0}}`, key, beyond["id"])).get(t)
	for path, id := range map[string]any{"analyses": beyond["id"], "drawings": label["id"]} {
		m := w.do("GET", fmt.Sprintf("/%s/%v/?wait=60", path, id), w.token, "").get(t)
		if m["execStatus"] != "FAILURE" || !strings.Contains(fmt.Sprint(m["failureDetail"]), "no frame is at 4.5 s or later, and the last one is at 4 s") {
			t.Errorf("%s: %v %v", path, m["execStatus"], m["failureDetail"])
		}
	}

	still, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
	const nose = `"rule":{"analysisType":"coordinate","points":["nose"]}`
	for _, c := range []struct {
		key           int64
		more, pointer string
	}{
		{key, `"from":-1`, "/from"}, {key, `"from":"1"`, "/from"}, {key, `"from":1e999`, "/from"}, {key, `"from":[]`, "/from"}, {key, `"from":true`, "/from"},
		{key, `"to":0`, "/to"}, {key, `"to":-2`, "/to"}, {key, `"to":[2]`, "/to"}, {key, `"to":1e999`, "/to"}, {key, `"from":2,"to":2`, "/to"}, {key, `"from":2,"to":1`, "/to"},
		{still, `"from":1`, "/from"}, {still, `"to":1`, "/to"},
		{key, `"neutral":{"from":2,"to":1}`, "/neutral/to"}, {key, `"neutral":"some"`, "/neutral"}, {still, `"neutral":"auto"`, "/neutral"},
	} {
		r := w.do("POST", "/analyses/", w.token, fmt.Sprintf(`{"keypointId":%d,%s,%s}`, c.key, nose, c.more))
		if r.status != 400 || !strings.Contains(string(r.body), fmt.Sprintf(`"pointer":%q`, c.pointer)) {
			t.Errorf("%s: %d %s, want 400 at %s", c.more, r.status, r.body, c.pointer)
		}
	}
}

// TestMovementsOfPart: steps and jumps are those inside the part, with the frames of the whole movie.
func TestMovementsOfPart(t *testing.T) {
	type members = map[string]any
	w, put := filed(t)
	ask := func(seq keypoint.Sequence, more string) members {
		_, m := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"gait":true,"jump":true%s}`, w.keypointRecord(put, seq), more))
		if m["execStatus"] != "SUCCESS" {
			t.Fatal(m["failureDetail"])
		}
		return m
	}
	seq := testkit.Rendered(t, "walk_across_90").Seq
	from, to := seq.Times[seq.Len()/3], seq.Times[seq.Len()-1]
	all := ask(seq, "")["gait"].(members)["events"].([]any)
	part := ask(seq, fmt.Sprintf(`,"from":%v`, from))["gait"].(members)
	events := part["events"].([]any)
	for _, e := range events {
		frame, at := int(e.(members)["frame"].(float64)), e.(members)["time"].(float64)
		if at < from || at > to || math.Abs(seq.Times[frame]-at) > 0.03 {
			t.Errorf("an event at %v s in frame %d, at %v s", at, frame, seq.Times[frame])
		}
	}
	if pass := part["passes"].([]any)[0].(members); len(events) < 3 || len(events) >= len(all) || pass["from"].(float64) < float64(seq.Len()/3) {
		t.Errorf("%d events of %d, the pass is %v", len(events), len(all), pass)
	}

	seq = testkit.Rendered(t, "jump_90_120fps").Seq
	one := ask(seq, "")["jumps"].([]any)[0].(members)
	off, down := one["takeOff"].(members)["time"].(float64), one["landing"].(members)["time"].(float64)
	same := ask(seq, fmt.Sprintf(`,"from":%v,"to":%v`, max(0, off-0.8), down+0.8))["jumps"].([]any)
	if len(same) != 1 || !cmp.Equal(same[0].(members)["takeOff"].(members)["frame"], one["takeOff"].(members)["frame"]) {
		t.Errorf("the jump in a part: %v, want %v", same, one)
	}
	if none := ask(seq, fmt.Sprintf(`,"to":%v`, (off+down)/2)); len(none["jumps"].([]any)) != 0 {
		t.Errorf("half a jump: %v", none["jumps"])
	}
}

// TestNeutralPose: named angles are given against a time of quiet standing, which the record names; without one they stay,
// with a warning.
func TestNeutralPose(t *testing.T) {
	type members = map[string]any
	w, put := filed(t)
	ask := func(name, more string) (members, float64) {
		id := w.keypointRecord(put, testkit.Rendered(t, name).Seq)
		_, m := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":{"analysisType":"trunkLean"}%s}`, id, more))
		if m["execStatus"] != "SUCCESS" {
			t.Fatal(m["failureDetail"])
		}
		return m, m["result"].([]any)[0].(members)["values"].([]any)[0].(float64)
	}
	m, rest := ask("squat_90_slow", `,"neutral":"auto"`)
	if used := m["neutral"].(members); used["to"].(float64)-used["from"].(float64) < 0.5 || math.Abs(rest) > 1 || len(m["warnings"].([]any)) != 0 {
		t.Errorf("%v, the trunk leans by %v at rest, %v", used, rest, m["warnings"])
	}
	if m, plain := ask("squat_90_slow", `,"neutral":false`); m["neutral"] != nil || plain == rest {
		t.Errorf("not asked for: %v, the trunk leans by %v", m["neutral"], plain)
	}
	m, _ = ask("walk_treadmill_90", `,"neutral":"auto"`)
	if list := m["warnings"].([]any); m["neutral"] != nil || len(list) != 1 || list[0].(members)["code"] != "noNeutral" {
		t.Errorf("walking: %v, %v", m["neutral"], list)
	}
}
