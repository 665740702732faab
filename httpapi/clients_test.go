package httpapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/storage"
)

// TestGeneratedToken: generated clients ask for a token at the address that they take all addresses from.
func TestGeneratedToken(t *testing.T) {
	const body = `{"grantType": "client_credentials", "clientId": "alice", "clientSecret": "secret-a"}`
	w := newWorld(t, nil)
	r := w.do("POST", "/oauth/v1/accesstokens", "", body)
	if r.status != 200 {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if r := w.do("GET", "/movies/", r.get(t)["accessToken"].(string), ""); r.status != 200 {
		t.Errorf("with the token: %d %s", r.status, r.body)
	}
	if r := w.do("POST", "/oauth/v1/accesstokens", "", strings.Replace(body, "-a", "-b", 1)); r.status != 401 {
		t.Errorf("with a wrong secret: %d %s", r.status, r.body)
	}
	if r := w.do("GET", "/oauth/v1/accesstokens", "", ""); r.status != 405 {
		t.Errorf("GET: %d %s", r.status, r.body)
	}
	without := newWorld(t, func(o *httpapi.Options, _ *motion.Config) { o.Tokens = nil })
	if r := without.do("POST", "/oauth/v1/accesstokens", "", body); r.status != 404 {
		t.Errorf("without Options.Tokens: %d %s", r.status, r.body)
	}
}

// TestClientShapes makes every request that the tests of the public clients expect their
// clients to make: those of anymotion-sdk 1.2.8 and anymotion-cli 1.3.2. In the paths and
// bodies, IMAGE, MOVIE, KEYPOINT, COMPARISON, ANALYSIS and DRAWING are ids of records.
func TestClientShapes(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Decoder = decoder{info: inference.Info{Frames: 3}} })
	file := []byte("image data")
	for _, kind := range []string{"images", "movies"} { // the upload, with what the client sends
		r := w.do("POST", "/"+kind+"/", w.token, fmt.Sprintf(`{"content_md5": %q, "name": "image", "text": null}`, base64MD5(file)))
		if r.status != 201 {
			t.Fatalf("%s: %d %s", kind, r.status, r.body)
		}
		if r := w.do("PUT", r.get(t)["uploadUrl"].(string), "", string(file), "Content-MD5", base64MD5(file), "Content-Type", ""); r.status != 200 {
			t.Errorf("%s: %d %s", kind, r.status, r.body)
		}
	}
	movie := w.do("GET", "/movies/?size=1000", w.token, "").get(t)["data"].([]any)[0].(map[string]any)["id"]
	image := w.image(w.token)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"image_id": %d}`, image))
	comparison, _ := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"source_id": %d, "target_id": %d}`, key, key))
	analysis, _ := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypoint_id": %d, "rule": [{"analysisType": "angle", "points": ["leftShoulder", "leftHip", "leftKnee"]}]}`, key))
	drawing, drawn := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypoint_id": %d}`, key))
	ids := strings.NewReplacer("IMAGE", fmt.Sprint(image), "MOVIE", fmt.Sprint(movie), "KEYPOINT", fmt.Sprint(key),
		"COMPARISON", fmt.Sprint(comparison), "ANALYSIS", fmt.Sprint(analysis), "DRAWING", fmt.Sprint(drawing))

	type shape struct {
		method, path, body string
		status             int
		members            []string // that the client reads
	}
	shapes := []shape{
		{"POST", "/keypoints/", `{"image_id": IMAGE}`, 201, []string{"id"}},
		{"POST", "/keypoints/", `{"movie_id": MOVIE}`, 201, []string{"id"}},
		{"POST", "/comparisons/", `{"source_id": KEYPOINT, "target_id": KEYPOINT}`, 201, []string{"id"}},
		{"POST", "/analyses/", `{"keypoint_id": KEYPOINT, "rule": [{"analysisType": "angle", "points": ["leftShoulder", "leftHip", "leftKnee"]}]}`, 201, []string{"id"}},
	}
	for _, kind := range []string{"images", "movies", "keypoints", "drawings", "analyses", "comparisons"} {
		shapes = append(shapes, shape{"GET", "/" + kind + "/?size=1000", "", 200, []string{"data", "next", "previous", "maxPage"}})
	}
	for path, members := range map[string][]string{
		"/images/IMAGE/": {"id", "name", "contentMd5"}, "/movies/MOVIE/": {"id", "name", "contentMd5"},
		"/keypoints/KEYPOINT/": {"id", "image", "movie", "keypoint", "execStatus", "failureDetail"}, "/drawings/DRAWING/": {"id", "keypoint", "drawingUrl", "execStatus", "failureDetail"},
		"/analyses/ANALYSIS/": {"id", "keypoint", "result", "execStatus", "failureDetail"}, "/comparisons/COMPARISON/": {"id", "source", "target", "execStatus", "failureDetail"},
	} {
		shapes = append(shapes, shape{"GET", path, "", 200, members})
	}
	for _, of := range []string{`"keypoint_id": KEYPOINT`, `"comparison_id": COMPARISON`} {
		for _, rule := range []string{``, `, "rule": {"drawingType": "stickPicture", "pattern": "all", "color": "red"}`} {
			for _, background := range []string{``, `, "background_rule": {"skeletonOnly": true}`} {
				shapes = append(shapes, shape{"POST", "/drawings/", "{" + of + rule + background + "}", 201, []string{"id"}})
			}
		}
	}
	for _, s := range shapes {
		body := ids.Replace(s.body)
		r := w.do(s.method, ids.Replace(s.path), w.token, body)
		if r.status != s.status {
			t.Errorf("%s %s %s: %d %s", s.method, s.path, body, r.status, r.body)
			continue
		}
		for _, member := range s.members {
			if _, ok := r.get(t)[member]; !ok {
				t.Errorf("%s %s: %s is missing: %s", s.method, s.path, member, r.body)
			}
		}
	}
	// Links are used without a token.
	if r := w.do("GET", fmt.Sprint(drawn["drawingUrl"]), "", ""); r.status != 200 {
		t.Errorf("download: %d", r.status)
	}
	// Only their simulated servers accept these: a name in snake_case inside a rule, an empty
	// rule, a list for the background, and an analysis or a drawing with an empty list of rules.
	for _, s := range []shape{
		{"POST", "/analyses/", `{"keypoint_id": KEYPOINT, "rule": []}`, 400, nil},
		{"POST", "/drawings/", `{"keypoint_id": KEYPOINT, "rule": {"drawing_type": "stickPicture", "pattern": "all", "color": "red"}}`, 400, nil},
		{"POST", "/drawings/", `{"keypoint_id": KEYPOINT, "rule": {}}`, 400, nil},
		{"POST", "/drawings/", `{"keypoint_id": KEYPOINT, "rule": []}`, 400, nil},
		{"POST", "/drawings/", `{"comparison_id": COMPARISON, "rule": []}`, 400, nil},
		{"POST", "/drawings/", `{"keypoint_id": KEYPOINT, "background_rule": []}`, 400, nil},
	} {
		if r := w.do(s.method, s.path, w.token, ids.Replace(s.body)); r.status != s.status {
			t.Errorf("%s: %d %s", s.body, r.status, r.body)
		}
	}
}
