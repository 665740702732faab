package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// TestTwice: a query parameter that is given twice is refused, also with the same value and in links.
func TestTwice(t *testing.T) {
	w := newWorld(t, nil)
	img := w.image(w.token)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, img))
	_, drawing := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d}`, key))
	link := fmt.Sprint(drawing["drawingUrl"])
	expires, _, _ := strings.Cut(link[strings.Index(link, "expires="):], "&")
	for address, name := range map[string]string{
		"/movies/?page=1&page=2": "page", "/images/?size=1&page=1&size=1": "size", fmt.Sprintf("/keypoints/%d/?include=scores&include=timestamps", key): "include",
		fmt.Sprintf("/keypoints/%d/?raw=&raw=true", key): "raw", "/openapi.json?full=true&full=true": "full", link + "&" + expires: "expires",
	} {
		r := w.do("GET", address, w.token, "")
		if r.status != 400 || !strings.Contains(string(r.body), fmt.Sprintf(`"parameter":"%[1]s","detail":"The query parameter \"%[1]s\" is given 2 times`, name)) {
			t.Errorf("%s: %d %s", address, r.status, r.body)
		}
	}
}

// TestUnknownQuery: every operation of the document refuses parameters that it does not have, and
// names them.
func TestUnknownQuery(t *testing.T) {
	w := filming(t, true)
	img := w.image(w.token)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, img))
	w.record(storage.Comparisons, w.token, fmt.Sprintf(`{"sourceId":%d,"targetId":%d}`, key, key))
	w.record(storage.Analyses, w.token, fmt.Sprintf(`{"keypointId":%d,"rule":{"analysisType":"coordinate","points":["nose"]}}`, key))
	_, drawing := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d}`, key))
	links := map[string]string{"get /files/drawings/{file}": drawing["drawingUrl"].(string)}
	for _, kind := range []string{"movies", "images"} {
		links["put /files/"+kind+"/{id}"] = w.do("POST", "/"+kind+"/", w.token, newMovie).get(t)["uploadUrl"].(string)
		links["get /files/"+kind+"/{id}"] = w.do("GET", w.put(storage.Kind(kind), []byte("some file"))+"?include=media", w.token, "").get(t)["mediaUrl"].(string)
	}
	named := func(r reply) (names []string) {
		var p struct{ Errors []struct{ Parameter string } }
		if err := json.Unmarshal(r.body, &p); err != nil {
			t.Fatalf("%s: %v", r.body, err)
		}
		for _, e := range p.Errors {
			names = append(names, e.Parameter)
		}
		return names
	}
	operations := 0
	for path, item := range readDocument(t).Paths {
		if path == "/files/reports/{file}" {
			continue // people open it: messengers add parameters
		}
		for method := range item {
			address, token := strings.ReplaceAll(path, "{id}", "1"), w.token
			switch link, ok := links[method+" "+path]; {
			case ok:
				address, token = link+"&", ""
			case strings.HasPrefix(path, "/oauth/"):
				address, token = w.server.URL+path+"?", ""
			default:
				address += "?"
			}
			operations++
			r := w.do(strings.ToUpper(method), address+"colour=red&Page=2&execstatus", token, "")
			if r.status != 400 || !slices.Equal(named(r), []string{"Page", "colour", "execstatus"}) {
				t.Errorf("%s %s: %d %s", method, path, r.status, r.body)
			}
			if r := w.do(strings.ToUpper(method), address+"%ff%zz", token, ""); r.status != 400 {
				t.Errorf("%s %s with a malformed query: %d %s", method, path, r.status, r.body)
			}
		}
	}
	if operations < 30 {
		t.Errorf("%d operations", operations)
	}
	if r := w.do("HEAD", "/movies/?colour=red", w.token, ""); r.status != 400 {
		t.Errorf("HEAD: %d", r.status)
	}
	// Parameters of other addresses.
	for _, address := range []string{"/movies/?execStatus=SUCCESS", "/keypoints/?wait=1", "/drawings/1/?include=scores", "/drawings/1/?format=csv", "/images/1/?size=1", "/images/1/?wait=1"} {
		r := w.do("GET", address, w.token, "")
		_, query, _ := strings.Cut(address, "?")
		name, _, _ := strings.Cut(query, "=")
		if r.status != 400 || !slices.Equal(named(r), []string{name}) {
			t.Errorf("%s: %d %s", address, r.status, r.body)
		}
	}
	if r := w.do("GET", "/movies/?colour=red", "", ""); r.status != 401 {
		t.Errorf("without a token: %d", r.status)
	}
	if r := w.do("GET", "/images/1/", w.token, ""); r.status != 200 {
		t.Errorf("DELETE with an unknown parameter has deleted: %d", r.status)
	}
	many := url.Values{}
	for i := range 1000 {
		many.Set(fmt.Sprint("p", i), "")
	}
	if n := len(named(w.do("GET", "/movies/?"+many.Encode(), w.token, ""))); n == 0 || n > 20 {
		t.Errorf("%d of 1000 parameters are named", n)
	}
}

// TestIDsAsSent: a number that no record has is told as it was sent.
func TestIDsAsSent(t *testing.T) {
	d := newDirect(t, nil)
	for _, id := range []string{"-0", "0", "-1", "-7", "9223372036854775807", "9223372036854775808", "99999999999999999999", "-9223372036854775809"} {
		for body, field := range map[string]string{`{"imageId":%s}`: "imageId", `{"movie_id":%s}`: "movieId"} {
			r := d.do("POST", "/keypoints/", "alice", fmt.Sprintf(body, id))
			if !tells(r, field, id) {
				t.Errorf("%s of %s: %d %s", id, body, r.Code, r.Body)
			}
		}
		if r := d.do("POST", "/drawings/", "alice", fmt.Sprintf(`{"comparisonId":%s}`, id)); !tells(r, "comparisonId", id) {
			t.Errorf("%s: %d %s", id, r.Code, r.Body)
		}
	}
}

// tells reports whether an answer is a 404 that names a field and its value.
func tells(r *httptest.ResponseRecorder, field, id string) bool {
	var p struct{ Detail string }
	words := strings.Fields(strings.TrimSuffix(p.Detail, "."))
	if json.Unmarshal(r.Body.Bytes(), &p) == nil {
		words = strings.Fields(strings.TrimSuffix(p.Detail, "."))
	}
	return r.Code == 404 && slices.Contains(words, field+":") && slices.Contains(words, id)
}
