package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bodymotion/motion/storage"
)

// TestIntegers: 13, 13.0 and 1.3e1 are the same integer as an id, in bodies, paths and queries; 13.5 is a mistake with its place.
func TestIntegers(t *testing.T) {
	d := newDirect(t, nil)
	made := func(address, body string) int64 {
		t.Helper()
		var m struct{ ID int64 }
		if r := d.do("POST", address, "alice", body); r.Code != 201 || json.Unmarshal(r.Body.Bytes(), &m) != nil {
			t.Fatalf("%d %s", r.Code, r.Body)
		}
		return m.ID
	}
	person, img := made("/subjects/", `{"name":"P"}`), uploaded(t, d.service, "alice", storage.Images, picture())
	place := fmt.Sprintf("/images/%d/", img)
	for _, spelled := range respelled(person) {
		for _, c := range []struct{ method, address, body, want string }{
			{"POST", "/movies/", `{"name":"m","contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg==","subjectId":%s}`, fmt.Sprintf(`"subjectId":%d`, person)},
			{"PATCH", place, `{"subjectId":0.0}`, `"contentMd5"`},
			{"PATCH", place, `{"subjectId":%s}`, fmt.Sprintf(`"subjectId":%d`, person)},
			{"PATCH", place, fmt.Sprintf(`{"subjectId":%d,"subject_id":%%s}`, person), fmt.Sprintf(`"subjectId":%d`, person)},
			{"GET", "/images/?subjectId=%s", "", fmt.Sprintf(`"data":[{"id":%d`, img)},
			{"GET", "/subjects/%s/", "", `"name":"P"`},
		} {
			address, body := strings.ReplaceAll(c.address, "%s", spelled), strings.ReplaceAll(c.body, "%s", spelled)
			if r := d.do(c.method, address, "alice", body); r.Code >= 300 || !strings.Contains(r.Body.String(), c.want) {
				t.Errorf("%s %s %s: %d %s", c.method, address, body, r.Code, r.Body)
			}
		}
		if r := d.do("POST", "/keypoints/", "alice", fmt.Sprintf(`{"movieId":%s,"imageId":%d}`, spelled, img)); r.Code != 400 || !strings.Contains(r.Body.String(), "exactly one") {
			t.Errorf("two sources, one %s: %d %s", spelled, r.Code, r.Body)
		}
	}
	if r := d.do("PATCH", place, "alice", `{"subjectId":0.0}`); strings.Contains(r.Body.String(), "subjectId") {
		t.Errorf("0.0 is somebody: %s", r.Body)
	}
	for _, c := range []struct {
		method, address, body string
		status                int
		want                  string
	}{
		{"POST", "/keypoints/", `{"imageId":13.5}`, 400, `"/imageId"`}, {"POST", "/keypoints/", `{"keypointIds":[1,13.5]}`, 400, `"/keypointIds/1"`},
		{"PATCH", place, `{"subjectId":13.5}`, 400, `"/subjectId"`}, {"POST", "/drawings/", `{"keypointId":1e-400}`, 400, `"/keypointId"`},
		{"POST", "/keypoints/", `{"imageId":1e400}`, 404, "imageId: 1e400"}, {"POST", "/keypoints/", `{"imageId":9223372036854775808.0}`, 404, "imageId: 9223372036854775808.0"},
		{"GET", "/images/?page=1.5", "", 400, `"page"`}, {"GET", "/images/?size=1e4", "", 400, `"size"`}, {"GET", "/images/1.5/", "", 404, "1.5"}, {"GET", "/images/01/", "", 404, "01"},
	} {
		if r := d.do(c.method, c.address, "alice", c.body); r.Code != c.status || !strings.Contains(r.Body.String(), c.want) {
			t.Errorf("%s %s %s: %d %s, want %d with %s", c.method, c.address, c.body, r.Code, r.Body, c.status, c.want)
		}
	}
	for _, query := range []string{"page=2.0&size=1e1", "page=2&size=10"} {
		if r := d.do("GET", "/images/?"+query, "alice", ""); r.Code != 200 || !strings.Contains(r.Body.String(), `page=1\u0026size=`) {
			t.Errorf("%s: %d %s", query, r.Code, r.Body)
		}
	}
}

// respelled returns an integer in other spellings.
func respelled(n int64) []string {
	return []string{fmt.Sprintf("%d.0", n), fmt.Sprintf("%d.00e0", n), fmt.Sprintf("%d0E-1", n), fmt.Sprintf("0.%de%d", n, len(fmt.Sprint(n)))}
}

// respell writes each number of a JSON document in another spelling.
func respell(doc string, how uint8) string {
	var b strings.Builder
	for i := 0; i < len(doc); {
		end := i + 1
		switch c := doc[i]; {
		case c == '"':
			for ; doc[end] != '"'; end++ {
				if doc[end] == '\\' {
					end++
				}
			}
			end++
		case c == '-' || c >= '0' && c <= '9':
			for end < len(doc) && strings.IndexByte("0123456789.eE+-", doc[end]) >= 0 {
				end++
			}
			b.WriteString(spelledAgain(doc[i:end], how))
			i = end
			continue
		}
		b.WriteString(doc[i:end])
		i = end
	}
	return b.String()
}

func spelledAgain(number string, how uint8) string {
	mantissa, exponent, scaled := strings.Cut(strings.ToLower(number), "e")
	if !scaled {
		exponent = "0"
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	switch how % 4 {
	case 0:
		return whole + "." + fraction + "0e" + exponent
	case 1:
		return number
	case 2:
		if !scaled {
			return whole + "." + fraction + "00"
		}
		return whole + "." + fraction + "00E" + exponent
	}
	if scaled {
		return number
	}
	sign := strings.TrimSuffix(whole, strings.TrimLeft(whole, "-"))
	digits := strings.TrimLeft(strings.TrimPrefix(whole, "-")+fraction, "0") + "0"
	return fmt.Sprintf("%s%se-%d", sign, digits, len(fraction)+1)
}

// FuzzNumbers: equal numbers in other spellings get equal answers, in every body.
func FuzzNumbers(f *testing.F) {
	for _, seed := range [][2]string{
		{"POST /movies/", `{"contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg==","subjectId":1}`}, {"PATCH /images/1/", `{"subjectId":1}`}, {"PATCH /images/1/", `{"subjectId":0}`},
		{"POST /subjects/", `{"name":"Q","bodyHeight":1.8,"birthYear":1980}`}, {"PATCH /subjects/1/", `{"birthYear":1980,"birth_year":1980.5}`},
		{"POST /keypoints/", `{"imageId":1,"candidates":3,"choose":{"policy":"nearest","point":[1,2.5],"seconds":2},"scale":{"bodyHeight":2},"floor":3,"origin":[1,-2]}`},
		{"POST /keypoints/", `{"imageId":1,"movieId":13}`}, {"POST /keypoints/", `{"keypointIds":[1,2]}`}, {"POST /keypoints/", `{"keypointId":1,"clean":{"gaps":1,"smooth":{"method":"butterworth","order":2,"cutoff":8}}}`},
		{"POST /keypoints/", `{"keypoints":[{"nose":[1,2]},{"nose":[2,3]}],"scores":[{"nose":1},{"nose":0.5}],"timestamps":[0,1],"size":[64,48],"clean":false}`},
		{"POST /keypoints/", `{"format":"json","data":{"width":64,"height":48,"keypoint":[{"nose":[1,2]}],"looks":[0],"personChanges":[]}}`},
		{"POST /keypoints/", `{"format":"coco","size":[64,48],"frameRate":30,"data":[{"image_id":7,"keypoints":[1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,1,2,1,11,22,1]}]}`},
		{"POST /keypoints/", `{"format":"coco","data":{"images":[{"id":7,"width":64,"height":48}],"annotations":[],"categories":[{"id":1,"keypoints":["nose"]}]}}`},
		{"PATCH /keypoints/1/", `{"notes":[{"time":0,"text":"n"}],"subjectId":1}`}, {"PATCH /keypoints/1/", `{"sketches":[{"frame":0,"last":0,"points":[[1,2],[3,4]]}]}`}, {"PATCH /keypoints/1/", `{"edits":[{"person":1,"frame":0,"part":"nose","point":[1,2],"carry":0,"last":0}]}`},
		{"POST /comparisons/", `{"sourceId":1,"targetId":1,"person":1,"targetPerson":2}`}, {"POST /analyses/", `{"keypointId":1,"person":1,"rule":[{"analysisType":"kneeFlexion","repetitions":{"minExcursion":10}}],"from":1,"to":2.5}`},
		{"POST /analyses/", `{"keypointId":1,"neutral":{"from":0,"to":1},"exercise":{"name":"x","targets":[{"measure":"kneeFlexion","at":"turn","min":90,"tolerance":5}],"norms":[{"ageFrom":20,"ageTo":30}]}}`},
		{"POST /drawings/", `{"keypointId":1,"analysisId":5,"rule":[{"drawingType":"stickPicture","size":2,"analysis":0,"comparisons":[{"threshold":0.3}]}],"repetition":{"of":{"analysisType":"kneeFlexion"},"number":1},"backgroundRule":{"skeleton":1}}`},
		{"POST /drawings/", `{"comparisonId":13.5}`}, {"POST /drawings/", `{"keypointId":1,"keypoint_id":1}`}, {"POST /analyses/", `{"keypointId":99999999999999999999}`},
	} {
		for how := range uint8(4) {
			f.Add(seed[0], seed[1], how)
		}
	}
	d := newDirect(f, nil)
	d.do("POST", "/subjects/", "alice", `{"name":"P"}`)
	uploaded(f, d.service, "alice", storage.Images, picture())
	for range 2 {
		d.do("POST", "/keypoints/", "alice", `{"keypoints":[{"nose":[1,2]}],"size":[64,48],"clean":false}`)
	}
	f.Fuzz(func(t *testing.T, request, body string, how uint8) {
		method, address, _ := strings.Cut(request, " ")
		kinds := []string{"/subjects/", "/movies/", "/images/", "/keypoints/", "/comparisons/", "/analyses/", "/drawings/", "/subjects/1/", "/images/1/", "/keypoints/1/"}
		if !json.Valid([]byte(body)) || !slices.Contains(kinds, address) || method != "POST" && method != "PATCH" {
			return
		}
		answer := func(body string) (int, any) {
			req := httptest.NewRequest(method, address, strings.NewReader(body))
			req.Header.Set("Authorization", "Bearer alice")
			req.Header.Set("Content-Type", "application/json")
			rec := httptest.NewRecorder()
			checkedAnswers(t, d.api).ServeHTTP(rec, req)
			return rec.Code, essence(rec.Code, rec.Body.Bytes())
		}
		again := respell(body, how)
		status, want := answer(body)
		if status2, got := answer(again); status2 != status || !cmp.Equal(got, want) {
			t.Errorf("%s %s: %d, and with %s %d: %s", request, body, status, again, status2, cmp.Diff(want, got))
		}
	})
}

// essence returns what an answer tells but for what each answer has of its own. A refusal quotes numbers as they were sent.
func essence(status int, body []byte) any {
	var refused struct {
		Errors []struct{ Pointer, Parameter string }
	}
	if status >= 400 {
		_ = json.Unmarshal(body, &refused)
		return refused
	}
	var m map[string]any
	_ = json.Unmarshal(body, &m)
	for _, own := range []string{"id", "createdAt", "updatedAt", "uploadUrl", "edits"} {
		delete(m, own)
	}
	return m
}
