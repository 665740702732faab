package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// TestFailures is every endpoint × every failure.
func TestFailures(t *testing.T) {
	w := newWorld(t, nil)
	img := w.image(w.token)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, img))
	cmp, _ := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, key, key))
	bare := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(nil))).get(t)["id"]
	rule := `{"analysisType":"coordinate","points":["nose"]}`
	bodies := map[string]string{ // a good body of each kind
		"movies": `{"contentMd5":"` + base64MD5(nil) + `"}`, "images": `{"contentMd5":"` + base64MD5(nil) + `"}`,
		"keypoints": fmt.Sprintf(`{"imageId":%d}`, img), "comparisons": fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, key, key),
		"analyses": fmt.Sprintf(`{"keypointId":%d,"rule":%s}`, key, rule), "drawings": fmt.Sprintf(`{"keypointId":%d}`, key),
	}
	type failure struct {
		name, method, path, token, body string
		status                          int
		pointer                         string // "" is not looked for
		header                          []string
	}
	var cases []failure
	for kind, good := range bodies {
		list, item := "/"+kind+"/", "/"+kind+"/1/"
		cases = append(cases,
			failure{"no token", "GET", list, "", "", 401, "", nil},
			failure{"no token", "POST", list, "", good, 401, "", nil},
			failure{"no token", "GET", item, "", "", 401, "", nil},
			failure{"bad token", "GET", item, "nonsense", "", 401, "", nil},
			failure{"other scheme", "GET", item, "", "", 401, "", []string{"Authorization", "Basic YTpi"}},
			failure{"read only", "POST", list, w.reader, good, 403, "", nil},
			failure{"unknown id", "GET", "/" + kind + "/999/", w.token, "", 404, "", nil},
			failure{"no number", "GET", "/" + kind + "/abc/", w.token, "", 404, "", nil},
			failure{"negative id", "GET", "/" + kind + "/-1/", w.token, "", 404, "", nil},
			failure{"deeper", "GET", item + "more/", w.token, "", 404, "", nil},
			failure{"somebody else's", "GET", item, w.other, "", 404, "", nil},
			failure{"no slash", "POST", "/" + kind, w.token, good, 404, "", nil},
			failure{"method", "DELETE", list, w.token, "", 405, "", nil},
			failure{"method", "POST", item, w.token, good, 405, "", nil},
			failure{"content type", "POST", list, w.token, good, 415, "", []string{"Content-Type", "text/plain"}},
			failure{"empty", "POST", list, w.token, " ", 400, "", nil},
			failure{"not JSON", "POST", list, w.token, "{", 400, "", nil},
			failure{"array", "POST", list, w.token, "[]", 400, "", nil},
			failure{"null", "POST", list, w.token, "null", 400, "", nil},
			failure{"two documents", "POST", list, w.token, good + good, 400, "", nil},
			failure{"deep", "POST", list, w.token, strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), 400, "", nil},
			failure{"huge", "POST", list, w.token, `{"name":"` + strings.Repeat("x", 1<<20) + `"}`, 413, "", nil},
			failure{"unknown property", "POST", list, w.token, strings.TrimSuffix(good, "}") + `,"colour":1}`, 400, "/colour", nil},
			failure{"twice", "POST", list, w.token, strings.TrimSuffix(good, "}") + `,"a":1,"a":1}`, 400, "/a", nil},
		)
	}
	post := func(name, path, body string, status int, pointer string) {
		cases = append(cases, failure{name, "POST", path, w.token, body, status, pointer, nil})
	}
	for _, kind := range []string{"/movies/", "/images/"} {
		post("missing MD5", kind, `{}`, 400, "/contentMd5")
		post("null MD5", kind, `{"contentMd5":null}`, 400, "/contentMd5")
		post("bad MD5", kind, `{"content_md5":"abc"}`, 400, "/content_md5")
		post("MD5 is a number", kind, `{"contentMd5":7}`, 400, "/contentMd5")
		post("name is a number", kind, `{"name":7,"contentMd5":"`+base64MD5(nil)+`"}`, 400, "/name")
		post("both spellings differ", kind, `{"contentMd5":"`+base64MD5(nil)+`","content_md5":"x"}`, 400, "/content_md5")
	}
	post("none", "/keypoints/", `{}`, 400, "/movieId")
	post("both", "/keypoints/", `{"movieId":1,"imageId":1}`, 400, "/movieId")
	post("type", "/keypoints/", `{"imageId":"1"}`, 400, "/imageId")
	post("fraction", "/keypoints/", `{"image_id":1.5}`, 400, "/image_id")
	post("unknown", "/keypoints/", `{"imageId":999}`, 404, "")
	post("huge", "/keypoints/", `{"imageId":99999999999999999999}`, 404, "")
	post("zero", "/keypoints/", `{"imageId":0}`, 404, "")
	post("not uploaded", "/keypoints/", fmt.Sprintf(`{"imageId":%v}`, bare), 409, "")
	post("missing source", "/comparisons/", fmt.Sprintf(`{"targetId":%d}`, key), 400, "/sourceId")
	post("missing target", "/comparisons/", fmt.Sprintf(`{"sourceId":%d}`, key), 400, "/targetId")
	post("unknown target", "/comparisons/", fmt.Sprintf(`{"sourceId":%d,"targetId":999}`, key), 404, "")
	post("alignment", "/comparisons/", fmt.Sprintf(`{"sourceId":%d,"targetId":%d,"alignment":"best"}`, key, key), 400, "/alignment")
	post("mirror", "/comparisons/", fmt.Sprintf(`{"sourceId":%d,"targetId":%d,"mirror":1}`, key, key), 400, "/mirror")
	post("missing rule", "/analyses/", fmt.Sprintf(`{"keypointId":%d}`, key), 400, "/rule")
	post("missing id", "/analyses/", fmt.Sprintf(`{"rule":%s}`, rule), 400, "/keypointId")
	post("unknown id", "/analyses/", fmt.Sprintf(`{"keypointId":999,"rule":%s}`, rule), 404, "")
	post("rule", "/analyses/", fmt.Sprintf(`{"keypointId":%d,"rule":[%s,{"analysisType":"speeed","points":[]}]}`, key, rule), 400, "/rule/1/analysisType")
	post("rule option", "/analyses/", fmt.Sprintf(`{"keypointId":%d,"rule":{"analysisType":"coordinate","points":["nose"],"movieOption":{"statisticsType":"max"}}}`, key), 400, "/rule/movieOption")
	post("many rules", "/analyses/", fmt.Sprintf(`{"keypointId":%d,"rule":[%s%s]}`, key, strings.Repeat(rule+",", 100), rule), 400, "/rule")
	post("long rule", "/analyses/", fmt.Sprintf(`{"keypointId":%d,"rule":[%s%s]}`, key, strings.Repeat(" ", 65<<10), rule), 400, "/rule")
	post("none", "/drawings/", `{}`, 400, "/keypointId")
	post("both", "/drawings/", fmt.Sprintf(`{"keypointId":%d,"comparisonId":%d}`, key, cmp), 400, "/keypointId")
	post("unknown comparison", "/drawings/", `{"comparisonId":999}`, 404, "")
	post("rule", "/drawings/", fmt.Sprintf(`{"keypointId":%d,"rule":{"drawingType":"keypoint","color":"beige"}}`, key), 400, "/rule/color")
	post("bands", "/drawings/", fmt.Sprintf(`{"keypointId":%d,"rule":{"drawingType":"keypoint","comparisons":[]}}`, key), 400, "/rule/comparisons")
	post("background", "/drawings/", fmt.Sprintf(`{"keypointId":%d,"background_rule":{"skeletonOnly":1}}`, key), 400, "/background_rule/skeletonOnly")
	for kind, body := range map[string]string{
		"keypoints": bodies["keypoints"], "comparisons": bodies["comparisons"], "analyses": bodies["analyses"], "drawings": bodies["drawings"],
	} {
		cases = append(cases, failure{"somebody else's id", "POST", "/" + kind + "/", w.other, body, 404, "", nil})
	}
	cases = append(cases,
		failure{"nothing there", "GET", "/people/", w.token, "", 404, "", nil},
		failure{"nothing there", "GET", "/", w.token, "", 404, "", nil},
		failure{"include", "GET", fmt.Sprintf("/keypoints/%d/?include=all", key), w.token, "", 400, "", nil},
		failure{"unsigned link", "PUT", fmt.Sprintf("/files/images/%d", img), w.token, "x", 403, "", nil},
		failure{"unsigned link", "GET", "/files/drawings/1.jpg", w.token, "", 403, "", nil},
		failure{"link method", "POST", "/files/drawings/1.jpg", w.token, "x", 405, "", nil},
		failure{"link kind", "GET", "/files/secrets/1", w.token, "", 404, "", nil},
	)
	for _, c := range cases {
		t.Run(strings.ReplaceAll(c.method+c.path+" "+c.name, "/", "|"), func(t *testing.T) {
			r := w.do(c.method, c.path, c.token, c.body, c.header...)
			if r.status != c.status {
				t.Fatalf("status %d, want %d: %s", r.status, c.status, r.body)
			}
			checkProblem(t, r, c.pointer)
			switch {
			case c.status == 401 && r.header.Get("WWW-Authenticate") == "":
				t.Error("WWW-Authenticate is missing")
			case c.status == 405 && r.header.Get("Allow") == "":
				t.Error("Allow is missing")
			}
		})
	}
}

// checkProblem holds an answer against RFC 9457 and the members of the reference.
func checkProblem(t *testing.T, r reply, pointer string) {
	t.Helper()
	if ct := r.header.Get("Content-Type"); ct != "application/problem+json" {
		t.Errorf("Content-Type %q", ct)
	}
	p := r.get(t)
	for _, member := range []string{"type", "title", "status", "detail", "instance", "errorCode", "errorMessage", "developerMessage", "moreInfo", "details"} {
		if _, ok := p[member]; !ok {
			t.Errorf("member %s is missing", member)
		}
	}
	if p["status"] != float64(r.status) || p["errorCode"] != float64(r.status) || p["detail"] == "" {
		t.Errorf("problem: %s", r.body)
	}
	if strings.Contains(string(r.body), "goroutine") || strings.Contains(string(r.body), ".go:") {
		t.Errorf("internals: %s", r.body)
	}
	if pointer == "" {
		return
	}
	errs, _ := p["errors"].([]any)
	for _, e := range errs {
		if e.(map[string]any)["pointer"] == pointer {
			return
		}
	}
	t.Errorf("no error at %s: %s", pointer, r.body)
}
