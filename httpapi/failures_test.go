package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
)

// TestFailures is every endpoint × every failure.
func TestFailures(t *testing.T) {
	short, expired := expiredToken(t)
	w := newWorld(t, func(o *httpapi.Options, _ *motion.Config) {
		good := o.Authenticator
		o.Authenticator = func(r *http.Request) (httpapi.Identity, error) {
			if r.Header.Get("Authorization") == "Bearer "+expired {
				return short.Authenticate(r)
			}
			return good(r)
		}
	})
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
			failure{"no token", "DELETE", item, "", "", 401, "", nil},
			failure{"expired token", "GET", list, expired, "", 401, "", nil},
			failure{"expired token", "POST", list, expired, good, 401, "", nil},
			failure{"expired token", "GET", item, expired, "", 401, "", nil},
			failure{"expired token", "DELETE", item, expired, "", 401, "", nil},
			failure{"bad token", "GET", item, "nonsense", "", 401, "", nil},
			failure{"other scheme", "GET", item, "", "", 401, "", []string{"Authorization", "Basic YTpi"}},
			failure{"read only", "POST", list, w.reader, good, 403, "", nil},
			failure{"read only", "DELETE", item, w.reader, "", 403, "", nil},
			failure{"unknown id", "DELETE", "/" + kind + "/999/", w.token, "", 404, "", nil},
			failure{"somebody else's", "DELETE", item, w.other, "", 404, "", nil},
			failure{"no slash", "DELETE", "/" + kind + "/1", w.token, "", 404, "", nil},
			failure{"method", "PUT", item, w.token, good, 405, "", nil},
			failure{"page", "GET", list + "?page=0", w.token, "", 400, "", nil},
			failure{"page", "GET", list + "?page=-1", w.token, "", 400, "", nil},
			failure{"page", "GET", list + "?page=one", w.token, "", 400, "", nil},
			failure{"size", "GET", list + "?size=0", w.token, "", 400, "", nil},
			failure{"size", "GET", list + "?size=1001", w.token, "", 400, "", nil},
			failure{"deep object", "POST", list, w.token, strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000), 400, "", nil},
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
		change := func(name, id, token, body string, status int, pointer string) {
			cases = append(cases, failure{"change: " + name, "PATCH", kind + id, token, body, status, pointer, nil})
		}
		change("no token", "1/", "", `{}`, 401, "")
		change("expired token", "1/", expired, `{}`, 401, "")
		change("read only", "1/", w.reader, `{}`, 403, "")
		change("somebody else's", "1/", w.other, `{"name":"x"}`, 404, "")
		change("unknown id", "999/", w.token, `{"name":"x"}`, 404, "")
		change("type", "1/", w.token, `{"name":7}`, 400, "/name")
		change("unknown property", "1/", w.token, `{"contentMd5":"x"}`, 400, "/contentMd5")
		change("array", "1/", w.token, `[]`, 400, "")
		change("no slash", "1", w.token, `{}`, 404, "")
		post("missing MD5", kind, `{}`, 400, "/contentMd5")
		post("null MD5", kind, `{"contentMd5":null}`, 400, "/contentMd5")
		post("bad MD5", kind, `{"content_md5":"abc"}`, 400, "/content_md5")
		post("MD5 is a number", kind, `{"contentMd5":7}`, 400, "/contentMd5")
		for _, md5 := range []string{` X`, `X `, `X\n`, `\r\nX`, `\tX`, `\"X\"`, `'X'`, `X=`} {
			post("around the MD5 "+md5, kind, `{"contentMd5":"`+strings.Replace(md5, "X", base64MD5(nil), 1)+`"}`, 400, "/contentMd5")
		}
		post("not UTF-8", kind, `{"contentMd5":"`+base64MD5(nil)+`","name":"`+"\xff"+`"}`, 400, "/name")
		post("lone surrogate", kind, `{"contentMd5":"`+base64MD5(nil)+`","text":"\ud800"}`, 400, "/text")
		change("not UTF-8", "1/", w.token, `{"name":"`+"a\xc3"+`"}`, 400, "/name")
		change("lone surrogate", "1/", w.token, `{"text":"\udfff"}`, 400, "/text")
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
	post("repetitions", "/comparisons/", fmt.Sprintf(`{"sourceId":%d,"targetId":%d,"repetitions":{"analysisType":"kneeFlexion"}}`, key, key), 400, "/repetitions/side")
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
	post("empty rule", "/analyses/", fmt.Sprintf(`{"keypointId":%d,"rule":[]}`, key), 400, "/rule")
	post("empty rule", "/drawings/", fmt.Sprintf(`{"keypointId":%d,"rule":[]}`, key), 400, "/rule")
	post("surrogate in a rule", "/drawings/", fmt.Sprintf(`{"keypointId":%d,"rule":[{"drawingType":"label","text":"\ud800"}]}`, key), 400, "/rule/0/text")
	post("not UTF-8 in a rule", "/analyses/", fmt.Sprintf(`{"keypointId":%d,"rule":{"analysisType":"`+"\xff"+`","points":["nose"]}}`, key), 400, "/rule/analysisType")
	post("rule", "/drawings/", fmt.Sprintf(`{"keypointId":%d,"rule":{"drawingType":"keypoint","color":"beige"}}`, key), 400, "/rule/color")
	post("bands", "/drawings/", fmt.Sprintf(`{"keypointId":%d,"rule":{"drawingType":"keypoint","comparisons":[]}}`, key), 400, "/rule/comparisons")
	post("background", "/drawings/", fmt.Sprintf(`{"keypointId":%d,"background_rule":{"skeletonOnly":1}}`, key), 400, "/background_rule/skeletonOnly")
	// Every member of a body, with values of other types.
	for _, m := range []struct{ kind, body, member, wrong string }{
		{"keypoints", `{"imageId":%s}`, "imageId", `"1" true [1] {} 1.5`},
		{"keypoints", `{"movie_id":%s}`, "movie_id", `"1" true [1] {} 1.5`},
		{"comparisons", `{"targetId":1,"sourceId":%s}`, "sourceId", `"1" true [1] {} 1.5 null`},
		{"comparisons", `{"source_id":1,"targetId":%s}`, "targetId", `"1" true [1] {} 1.5 null`},
		{"comparisons", `{"sourceId":1,"targetId":1,"alignment":%s}`, "alignment", `1 true [] {} ""`},
		{"comparisons", `{"sourceId":1,"targetId":1,"mirror":%s}`, "mirror", `1 "true" [] {}`},
		{"comparisons", `{"sourceId":1,"targetId":1,"score":%s}`, "score", `1 "true" [] {}`},
		{"comparisons", `{"sourceId":1,"targetId":1,"shift":%s}`, "shift", `1 "true" [] {}`},
		{"comparisons", `{"sourceId":1,"targetId":1,"angles":%s}`, "angles", `1 "true" [] {}`},
		{"comparisons", `{"sourceId":1,"targetId":1,"repetitions":%s}`, "repetitions", `1 "true" [] {"analysisType":"coordinate","points":["nose"]} {"analysisType":"trunkLean","movieOption":{"statisticsType":"max"}}`},
		{"analyses", `{"rule":[],"keypointId":%s}`, "keypointId", `"1" true [1] {} 1.5 null`},
		{"analyses", fmt.Sprintf(`{"keypointId":%d,"rule":%%s}`, key), "rule", `1 "[]" true null`},
		{"drawings", `{"keypointId":%s}`, "keypointId", `"1" true [1] {} 1.5 null`},
		{"drawings", `{"comparison_id":%s}`, "comparison_id", `"1" true [1] {} 1.5`},
		{"drawings", fmt.Sprintf(`{"keypointId":%d,"analysisId":%%s}`, key), "analysisId", `"1" true [1] {} 1.5`},
		{"drawings", fmt.Sprintf(`{"keypointId":%d,"rule":%%s}`, key), "rule", `1 "[]" true`},
		{"drawings", fmt.Sprintf(`{"keypointId":%d,"backgroundRule":%%s}`, key), "backgroundRule", `1 "[]" true []`},
		{"movies", `{"contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg==","text":%s}`, "text", `1 true [] {}`},
		{"images", `{"contentMd5":%s}`, "contentMd5", `1 true [] {} "" null`},
	} {
		for wrong := range strings.FieldsSeq(m.wrong) {
			post(m.member+" is "+wrong, "/"+m.kind+"/", fmt.Sprintf(m.body, wrong), 400, "/"+m.member)
		}
	}
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

// expiredToken returns a token that has expired, and what gave it.
func expiredToken(t *testing.T) (*httpapi.Credentials, string) {
	t.Helper()
	creds, err := httpapi.NewCredentials(map[string]string{"alice": "secret"}, time.Nanosecond)
	if err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequest("POST", "/", strings.NewReader(`{"grantType":"client_credentials","clientId":"alice","clientSecret":"secret"}`))
	req.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	creds.ServeHTTP(rec, req)
	var answer struct{ AccessToken string }
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil || answer.AccessToken == "" {
		t.Fatalf("%s: %v", rec.Body, err)
	}
	return creds, answer.AccessToken
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
