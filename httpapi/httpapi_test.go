package httpapi_test

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// estimator finds the same person in every picture: this package is tested for what it
// makes of results, not for the results.
type estimator struct{}

func (estimator) Estimate(_ context.Context, img image.Image, _ inference.Hint) (keypoint.Frame, error) {
	var f keypoint.Frame
	for p, at := range map[keypoint.Part]keypoint.Point{
		keypoint.Nose: {10, 5.5}, keypoint.LeftShoulder: {14, 10}, keypoint.RightShoulder: {6, 10},
		keypoint.LeftHip: {13, 20}, keypoint.RightHip: {7, 20.25},
	} {
		f.Set(p, at, 0.875)
	}
	return f, nil
}

// world is a service with its API, mounted as a host would.
type world struct {
	t       testing.TB
	service *motion.Service
	server  *httptest.Server
	token   string // of the client "alice"
	other   string // of the client "bob"
	reader  string // of "alice", for reading only
}

func newWorld(t testing.TB, change func(*httpapi.Options, *motion.Config)) *world {
	t.Helper()
	creds, err := httpapi.NewCredentials(map[string]string{"alice": "secret-a", "bob": "secret-b"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	auth := httpapi.AuthenticatorFunc(func(r *http.Request) (httpapi.Identity, error) {
		if r.Header.Get("Authorization") == "Bearer reader" {
			return httpapi.Identity{Client: "alice", ReadOnly: true}, nil
		}
		return creds.Authenticate(r)
	})
	cfg := motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: estimator{}, Logger: slog.New(slog.DiscardHandler), WorkDir: t.TempDir(),
	}
	opt := httpapi.Options{Authenticator: auth, Logger: cfg.Logger}
	if change != nil {
		change(&opt, &cfg)
	}
	w := &world{t: t, reader: "reader"}
	if w.service, err = motion.New(cfg); err != nil {
		t.Fatal(err)
	}
	api, err := httpapi.New(w.service, opt)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/anymotion/v1/", http.StripPrefix("/anymotion/v1", api))
	mux.Handle("/oauth/v1/accesstokens", creds)
	w.server = httptest.NewServer(mux)
	t.Cleanup(w.server.Close)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- w.service.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	w.token, w.other = w.login("alice", "secret-a"), w.login("bob", "secret-b")
	return w
}

func (w *world) login(id, secret string) string {
	w.t.Helper()
	body := fmt.Sprintf(`{"grantType":"client_credentials","clientId":%q,"clientSecret":%q}`, id, secret)
	resp, err := http.Post(w.server.URL+"/oauth/v1/accesstokens", "application/json", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer map[string]string // all members are strings
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode != 200 {
		w.t.Fatalf("token: %d %v", resp.StatusCode, err)
	}
	if answer["tokenType"] != "BearerToken" || answer["expiresIn"] != "86399" || answer["issuedAt"] == "" || len(answer["accessToken"]) < 43 {
		w.t.Fatalf("token: %v", answer)
	}
	return answer["accessToken"]
}

// reply is an answer that was read.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (r reply) get(t testing.TB) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(r.body, &m); err != nil {
		t.Fatalf("%d %s: %v", r.status, r.body, err)
	}
	return m
}

// do sends a request to a path of the API, or to an absolute address.
func (w *world) do(method, path, token, body string, header ...string) reply {
	w.t.Helper()
	if strings.HasPrefix(path, "/") {
		path = w.server.URL + "/anymotion/v1" + path
	}
	req, err := http.NewRequest(method, path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, b}
}

func picture() []byte {
	m := image.NewRGBA(image.Rect(0, 0, 20, 30))
	for y := range 30 {
		for x := range 20 {
			m.Set(x, y, color.RGBA{uint8(x * 9), uint8(y * 7), 90, 255})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func base64MD5(b []byte) string {
	sum := md5.Sum(b)
	return base64.StdEncoding.EncodeToString(sum[:])
}

// image uploads a picture and returns its id.
func (w *world) image(token string) int64 {
	w.t.Helper()
	data := picture()
	r := w.do("POST", "/images/", token, fmt.Sprintf(`{"name":"a picture","content_md5":%q,"text":null}`, base64MD5(data)))
	m := r.get(w.t)
	if r.status != 201 {
		w.t.Fatalf("%d %s", r.status, r.body)
	}
	if r := w.do("PUT", m["uploadUrl"].(string), "", string(data), "Content-MD5", base64MD5(data), "Content-Type", "image/png"); r.status != 200 {
		w.t.Fatalf("upload: %d %s", r.status, r.body)
	}
	return int64(m["id"].(float64))
}

// record makes a record and waits until it is finished.
func (w *world) record(kind storage.Kind, token, body string) (int64, map[string]any) {
	w.t.Helper()
	r := w.do("POST", "/"+string(kind)+"/", token, body)
	m := r.get(w.t)
	if r.status != 201 || m["execStatus"] != "UNPROCESSED" {
		w.t.Fatalf("%d %s", r.status, r.body)
	}
	id := int64(m["id"].(float64))
	if want := fmt.Sprintf("%s/anymotion/v1/%s/%d/", w.server.URL, kind, id); r.header.Get("Location") != want {
		w.t.Errorf("Location %q, want %q", r.header.Get("Location"), want)
	}
	owner := "alice"
	if token == w.other {
		owner = "bob"
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := w.service.Wait(ctx, owner, kind, id); err != nil {
		w.t.Fatal(err)
	}
	return id, w.do("GET", fmt.Sprintf("/%s/%d/", kind, id), token, "").get(w.t)
}

func TestEverythingOnce(t *testing.T) {
	w := newWorld(t, nil)
	img := w.image(w.token)
	m := w.do("GET", fmt.Sprintf("/images/%d/", img), w.token, "").get(t)
	if m["width"] != 20.0 || m["height"] != 30.0 || m["name"] != "a picture" || m["text"] != nil || m["contentMd5"] != base64MD5(picture()) {
		t.Errorf("image: %v", m)
	}
	if _, err := time.Parse("2006-01-02T15:04:05.000000Z", m["createdAt"].(string)); err != nil {
		t.Error(err)
	}

	key, k := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, img))
	if k["execStatus"] != "SUCCESS" || k["failureDetail"] != nil || k["movie"] != nil || k["image"] != float64(img) {
		t.Errorf("keypoint: %v", k)
	}
	frames := k["keypoint"].([]any)
	if got := fmt.Sprint(frames[0].(map[string]any)["rightHip"]); len(frames) != 1 || got != "[7 20.25]" {
		t.Errorf("keypoint: %v", frames)
	}
	if _, ok := k["scores"]; ok {
		t.Error("scores come without being asked for")
	}
	k = w.do("GET", fmt.Sprintf("/keypoints/%d/?include=scores,timestamps", key), w.token, "").get(t)
	if k["scores"].([]any)[0].(map[string]any)["nose"] != 0.875 || k["timestamps"] != nil {
		t.Errorf("include: %v", k)
	}

	_, a := w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypoint_id":%d,"rule":{"analysisType":"coordinate","points":["nose"]}}`, key))
	if got := fmt.Sprint(a["result"]); !strings.Contains(got, "values:[[10 5.5]]") || a["keypoint"] != float64(key) {
		t.Errorf("analysis: %v", a)
	}
	if got := fmt.Sprint(a["rule"]); got != "map[analysisType:coordinate points:[map[pointName:nose pointType:single]]]" {
		t.Errorf("rule: %v", got)
	}

	cmp, c := w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d,"mirror":true,"score":true}`, key, key))
	if len(c["difference"].([]any)) != 1 || c["mirror"] != true || c["score"] == nil || c["source"] != float64(key) {
		t.Errorf("comparison: %v", c)
	}

	id, d := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"comparisonId":%d,"rule":[{"drawingType":"keypoint","points":["nose"],"comparisons":[{}]}],"background_rule":{"skeletonOnly":true}}`, cmp))
	address, _ := d["drawingUrl"].(string)
	u, err := url.Parse(address)
	if err != nil || !strings.HasSuffix(u.Path, fmt.Sprintf("/%d.jpg", id)) || d["keypoint"] != nil || d["comparison"] != float64(cmp) {
		t.Fatalf("drawing: %v", d)
	}
	whole := w.do("GET", address, "", "")
	if whole.status != 200 || whole.header.Get("Content-Type") != "image/jpeg" || !bytes.HasPrefix(whole.body, []byte{0xff, 0xd8, 0xff}) || whole.header.Get("ETag") == "" {
		t.Errorf("download: %d %v", whole.status, whole.header)
	}
	piece := w.do("GET", address, "", "", "Range", "bytes=2-5")
	if piece.status != 206 || !bytes.Equal(piece.body, whole.body[2:6]) {
		t.Errorf("range: %d %v", piece.status, piece.body)
	}
	if r := w.do("GET", address, "", "", "If-None-Match", whole.header.Get("ETag")); r.status != 304 {
		t.Errorf("the same ETag: %d", r.status)
	}
	if r := w.do("HEAD", address, "", ""); r.status != 200 || len(r.body) != 0 || r.header.Get("Content-Length") != fmt.Sprint(len(whole.body)) {
		t.Errorf("HEAD: %d %v", r.status, r.header)
	}

	for kind, want := range map[string]int{"images": 1, "movies": 0, "keypoints": 1, "analyses": 1, "comparisons": 1, "drawings": 1} {
		l := w.do("GET", "/"+kind+"/?size=1000", w.token, "").get(t)
		if data := l["data"].([]any); len(data) != want || l["maxPage"] != 1.0 || l["next"] != nil || l["previous"] != nil {
			t.Errorf("%s: %v", kind, l)
		}
		if data := w.do("GET", "/"+kind+"/", w.other, "").get(t)["data"].([]any); len(data) != 0 {
			t.Errorf("somebody else sees %s: %v", kind, data)
		}
	}
}

func TestPages(t *testing.T) {
	w := newWorld(t, nil)
	for i := range 5 {
		w.do("POST", "/movies/", w.token, fmt.Sprintf(`{"name":"m%d","contentMd5":%q}`, i+1, hex.EncodeToString(make([]byte, 16))))
	}
	var names []string
	next := "/movies/?size=2&x=y"
	for next != "" {
		l := w.do("GET", next, w.token, "").get(t)
		if l["maxPage"] != 3.0 {
			t.Errorf("maxPage %v", l["maxPage"])
		}
		for _, m := range l["data"].([]any) {
			names = append(names, m.(map[string]any)["name"].(string))
		}
		next, _ = l["next"].(string)
		if next != "" && !strings.Contains(next, "x=y") {
			t.Errorf("the next page loses a parameter: %s", next)
		}
	}
	if got := strings.Join(names, " "); got != "m5 m4 m3 m2 m1" {
		t.Errorf("order: %s", got)
	}
	l := w.do("GET", "/movies/?page=9&size=2", w.token, "").get(t)
	if previous, _ := l["previous"].(string); len(l["data"].([]any)) != 0 || !strings.Contains(previous, "page=3") {
		t.Errorf("past the end: %v", l)
	}
	for _, q := range []string{"page=0", "page=x", "page=1.5", "page=", "size=0", "size=1001", "size=-1", "page=99999999999999999999"} {
		if r := w.do("GET", "/movies/?"+q, w.token, ""); r.status != 400 {
			t.Errorf("%s: %d", q, r.status)
		}
	}
	if r := w.do("GET", "/drawings/?execStatus=DONE", w.token, ""); r.status != 400 {
		t.Errorf("unknown execStatus: %d", r.status)
	}
	if l := w.do("GET", "/keypoints/?execStatus=SUCCESS", w.token, "").get(t); len(l["data"].([]any)) != 0 {
		t.Errorf("filtered: %v", l)
	}
}

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

func TestSlash(t *testing.T) {
	w := newWorld(t, nil)
	for _, method := range []string{"GET", "HEAD"} {
		r := w.do(method, "/movies?page=2", w.token, "")
		if want := w.server.URL + "/anymotion/v1/movies/?page=2"; r.status != 308 || r.header.Get("Location") != want {
			t.Errorf("%s: %d to %q, want %q", method, r.status, r.header.Get("Location"), want)
		}
	}
	if r := w.do("POST", "/movies", w.token, `{}`); !strings.Contains(string(r.body), w.server.URL+"/anymotion/v1/movies/") {
		t.Errorf("the right address is not named: %s", r.body)
	}
}

func TestUploads(t *testing.T) {
	w := newWorld(t, func(_ *httpapi.Options, c *motion.Config) { c.Limits.UploadBytes = 2000 })
	data := picture()
	m := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
	link := m["uploadUrl"].(string)
	put := func(body []byte, header ...string) int { return w.do("PUT", link, "", string(body), header...).status }
	if got := put([]byte("other bytes")); got != 400 {
		t.Errorf("other bytes: %d", got)
	}
	if got := put(make([]byte, 3000)); got != 413 {
		t.Errorf("too many bytes: %d", got)
	}
	if got := put(data, "Content-MD5", base64MD5([]byte("x"))); got != 400 {
		t.Errorf("another Content-MD5: %d", got)
	}
	detail := w.do("GET", "/images/1/", w.token, "").get(t)
	if detail["width"] != nil {
		t.Errorf("something was stored: %v", detail)
	}
	for range 2 {
		if got := put(data); got != 200 {
			t.Errorf("the right bytes: %d", got)
		}
	}
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(url.Values){
		"signature": func(q url.Values) { q.Set("signature", strings.Repeat("A", 43)) },
		"expires":   func(q url.Values) { q.Set("expires", "99999999999") },
		"client":    func(q url.Values) { q.Set("client", base64.RawURLEncoding.EncodeToString([]byte("bob"))) },
	} {
		q := u.Query()
		change(q)
		v := *u
		v.RawQuery = q.Encode()
		if r := w.do("PUT", v.String(), "", string(data)); r.status != 403 {
			t.Errorf("another %s: %d", name, r.status)
		}
	}
	v := *u
	v.Path = strings.Replace(u.Path, "/images/1", "/images/2", 1)
	if r := w.do("PUT", v.String(), "", string(data)); r.status != 403 {
		t.Errorf("another file: %d", r.status)
	}
}

func TestLinksExpireAndKeysRotate(t *testing.T) {
	old, fresh := bytes.Repeat([]byte{1}, 32), bytes.Repeat([]byte{2}, 32)
	w := newWorld(t, func(o *httpapi.Options, _ *motion.Config) { o.LinkKeys = [][]byte{old}; o.LinkTTL = time.Second })
	data := picture()
	link := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)["uploadUrl"].(string)
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	serve := func(keys ...[]byte) int {
		api, err := httpapi.New(w.service, httpapi.Options{Authenticator: httpapi.AuthenticatorFunc(nil), LinkKeys: keys})
		if err != nil {
			t.Fatal(err)
		}
		rec := httptest.NewRecorder()
		api.ServeHTTP(rec, httptest.NewRequest("PUT", strings.TrimPrefix(u.Path, "/anymotion/v1")+"?"+u.RawQuery, bytes.NewReader(data)))
		return rec.Code
	}
	if got := serve(fresh, old); got != 200 {
		t.Errorf("after rotation: %d", got)
	}
	if got := serve(fresh); got != 403 {
		t.Errorf("after the old key has gone: %d", got)
	}
	deadline := time.Now().Add(10 * time.Second)
	for serve(old) != 403 {
		if time.Now().After(deadline) {
			t.Fatal("the link does not expire")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestAddresses(t *testing.T) {
	for name, c := range map[string]struct {
		opt    httpapi.Options
		path   string
		header map[string]string
		want   string
	}{
		"at the root":   {httpapi.Options{}, "/movies/", nil, "http://example.com/movies/1/"},
		"prefix":        {httpapi.Options{Prefix: "/anymotion/v1/"}, "/anymotion/v1/movies/", nil, "http://example.com/anymotion/v1/movies/1/"},
		"base":          {httpapi.Options{BaseURL: "https://api.test/x/v1/"}, "/movies/", nil, "https://api.test/x/v1/movies/1/"},
		"not trusted":   {httpapi.Options{}, "/movies/", map[string]string{"X-Forwarded-Host": "evil.test"}, "http://example.com/movies/1/"},
		"trusted":       {httpapi.Options{TrustForwarded: true}, "/movies/", map[string]string{"X-Forwarded-Host": "a.test, b", "X-Forwarded-Proto": "https", "X-Forwarded-Prefix": "/p"}, "https://a.test/p/movies/1/"},
		"forwarded":     {httpapi.Options{TrustForwarded: true}, "/movies/", map[string]string{"Forwarded": `for=1.2.3.4;host="a.test";proto=https`}, "https://a.test/movies/1/"},
		"hostile proto": {httpapi.Options{TrustForwarded: true}, "/movies/", map[string]string{"X-Forwarded-Proto": "javascript"}, "http://example.com/movies/1/"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, nil)
			c.opt.Authenticator = httpapi.AuthenticatorFunc(func(*http.Request) (httpapi.Identity, error) { return httpapi.Identity{Client: "x"}, nil })
			api, err := httpapi.New(w.service, c.opt)
			if err != nil {
				t.Fatal(err)
			}
			req := httptest.NewRequest("POST", c.path, strings.NewReader(`{"contentMd5":"`+base64MD5(nil)+`"}`))
			req.Header.Set("Content-Type", "application/json; charset=utf-8")
			for k, v := range c.header {
				req.Header.Set(k, v)
			}
			rec := httptest.NewRecorder()
			api.ServeHTTP(rec, req)
			if got := rec.Header().Get("Location"); rec.Code != 201 || got != c.want {
				t.Errorf("%d, Location %q, want %q\n%s", rec.Code, got, c.want, rec.Body)
			}
		})
	}
}

func TestFaultsShowNoInternals(t *testing.T) {
	w := newWorld(t, nil)
	for name, auth := range map[string]httpapi.AuthenticatorFunc{
		"error": func(*http.Request) (httpapi.Identity, error) {
			return httpapi.Identity{}, fmt.Errorf("database password is hunter2")
		},
		"panic": func(*http.Request) (httpapi.Identity, error) { panic("hunter2") },
		"empty": func(*http.Request) (httpapi.Identity, error) { return httpapi.Identity{}, nil },
	} {
		var log bytes.Buffer
		api, err := httpapi.New(w.service, httpapi.Options{Authenticator: auth, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		rec := httptest.NewRecorder()
		api.ServeHTTP(rec, httptest.NewRequest("GET", "/movies/", nil))
		var p map[string]any
		if err := json.Unmarshal(rec.Body.Bytes(), &p); err != nil || rec.Code != 500 || strings.Contains(rec.Body.String(), "hunter2") {
			t.Errorf("%s: %d %s", name, rec.Code, rec.Body)
		}
		if id, _ := p["requestId"].(string); id == "" || !strings.Contains(log.String(), id) {
			t.Errorf("%s: the request id %q is not in the log %s", name, id, log.String())
		}
	}
}

func TestTokens(t *testing.T) {
	w := newWorld(t, nil)
	for body, status := range map[string]int{
		`{"grantType":"client_credentials","clientId":"alice","clientSecret":"wrong"}`: 401,
		`{"grantType":"client_credentials","clientId":"nobody","clientSecret":"x"}`:    401,
		`{"grantType":"password","clientId":"alice","clientSecret":"secret-a"}`:        400,
		`{"clientId":"alice"}`: 400,
		`{`:                    400,
	} {
		r := w.do("POST", w.server.URL+"/oauth/v1/accesstokens", "", body)
		if r.status != status {
			t.Errorf("%s: %d, want %d", body, r.status, status)
		}
		checkProblem(t, r, "")
	}
	creds, err := httpapi.NewCredentials(map[string]string{"a": "b"}, time.Nanosecond)
	if err != nil {
		t.Fatal(err)
	}
	rec := httptest.NewRecorder()
	req := httptest.NewRequest("POST", "/", strings.NewReader(`{"grantType":"client_credentials","clientId":"a","clientSecret":"b"}`))
	req.Header.Set("Content-Type", "application/json")
	creds.ServeHTTP(rec, req)
	var answer map[string]string
	if err := json.Unmarshal(rec.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	get := httptest.NewRequest("GET", "/", nil)
	get.Header.Set("Authorization", "Bearer "+answer["accessToken"])
	if _, err := creds.Authenticate(get); err == nil {
		t.Error("an expired token is accepted")
	}
}

func FuzzBodies(f *testing.F) {
	f.Add("keypoints", `{"imageId":1}`)
	f.Add("analyses", `{"keypointId":1,"rule":[{"analysisType":"coordinate","points":["nose"]}]}`)
	f.Add("drawings", `{"keypoint_id":1,"rule":null,"backgroundRule":{"color":"red"}}`)
	f.Add("movies", `{"contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg==","name":null}`)
	w := newWorld(f, nil)
	api, err := httpapi.New(w.service, httpapi.Options{Authenticator: httpapi.AuthenticatorFunc(func(*http.Request) (httpapi.Identity, error) {
		return httpapi.Identity{Client: "x"}, nil
	})})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, kind, body string) {
		if strings.ContainsAny(kind, "/?#% \x00") || kind == "" {
			return
		}
		req := httptest.NewRequest("POST", "/", strings.NewReader(body))
		req.URL.Path = "/" + kind + "/"
		req.Header.Set("Content-Type", "application/json")
		rec := httptest.NewRecorder()
		api.ServeHTTP(rec, req)
		if rec.Code >= 500 || !json.Valid(rec.Body.Bytes()) {
			t.Fatalf("%d %s", rec.Code, rec.Body)
		}
	})
}
