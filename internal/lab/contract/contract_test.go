package contract_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/exchange"
)

const document = "../../../httpapi/openapi.json"

// TestExchanges holds every request and response in the tests of the API against the document.
func TestExchanges(t *testing.T) {
	testkit.Thorough(t, "runs tests of other packages once more")
	dir := t.TempDir()
	// Schemathesis checks answers itself, many clients ask for the same again and again, and what notes requests reads whole bodies.
	cmd := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-vet=off", "-skip", "^Test(Schemathesis|Load|Reads|ThousandMovies|TrickledBody)$", "./httpapi", "./httpapi/webhook")
	cmd.Dir, cmd.Env = testkit.Root(t), append(os.Environ(), exchange.Folder+"="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	d := Load(document)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	checked, values := 0, map[string]bool{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := json.NewDecoder(bufio.NewReader(f)); lines.More(); checked++ {
			var x exchange.Exchange
			if err := lines.Decode(&x); err != nil {
				t.Fatal(err)
			}
			values[x.Schema] = true
			if err := d.Check(x); err != nil {
				t.Errorf("%s: %s %s\n%s\n%d %s\n%v", x.Test, x.Method, x.Target, x.Body, x.Status, x.Content, err)
			}
		}
	}
	if checked < 1000 || !values["Event"] || !values["ProgressEvent"] || !values["Webhook"] {
		t.Errorf("only %d exchanges were checked, and values of %v", checked, values)
	}
	t.Log(checked, "exchanges")
}

// TestCheck checks that undocumented responses are found.
func TestCheck(t *testing.T) {
	d := Load(document)
	const empty = `{"next":null,"previous":null,"maxPage":1,"data":[]}`
	for _, c := range []struct {
		target, body string
		status       int
		wrong        bool
	}{
		{"/images/", empty, 200, false},
		{"/images/", `{}`, 200, true},
		{"/images/", empty, 299, true},
		{"/images/?page=x", empty, 200, true},
		{"/nowhere/", `{}`, 404, true},
	} {
		var wrong error
		h := exchange.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(c.status)
			w.Write([]byte(c.body))
		}), func(x exchange.Exchange) {
			x.Requests = true
			wrong = d.Check(x)
		})
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", c.target, nil))
		if (wrong != nil) != c.wrong {
			t.Errorf("%s %d %s: %v", c.target, c.status, c.body, wrong)
		}
	}
	if d.Schema("Event", map[string]any{"kind": 1}) == nil {
		t.Error("a wrong event passes")
	}
}
