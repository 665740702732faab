package short_test

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"image/jpeg"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// TestLength holds that each program is one file of at most 45 lines.
func TestLength(t *testing.T) {
	for _, name := range []string{"annotate", "chi", "estimator", "openpose", "space"} {
		files, err := filepath.Glob(name + "/*.go")
		if err != nil || len(files) != 1 {
			t.Fatalf("%s: %v (%v), want one file", name, files, err)
		}
		text, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		lines := bytes.Count(text, []byte("\n"))
		if lines > 45 {
			t.Errorf("%s has %d lines, want at most 45", files[0], lines)
		}
	}
}

// build builds a program and returns a command that runs it in a folder of its own. The race detector
// does not see what happens in it.
func build(t *testing.T, name string, env ...string) func(args ...string) *exec.Cmd {
	t.Helper()
	if testing.Short() {
		t.Skip("runs a program, not run with -short")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, name)
	cmd := exec.Command("go", "build", "-ldflags=-s -w", "-o", program, "./"+name)
	cmd.Env = append(os.Environ(), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return func(args ...string) *exec.Cmd {
		cmd := exec.CommandContext(t.Context(), program, args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
		return cmd
	}
}

// absolute returns the path of a file of the repository, given from this folder.
func absolute(t *testing.T, path string) string {
	t.Helper()
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// TestWithoutCgo runs the programs that need nothing but Go.
func TestWithoutCgo(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"estimator", nil, `{"rightHip":[50.5,10.5],"rightKnee":[80.5,40.5],"rightAnkle":[50.5,70.5]}
the knee bends to 90 degrees
`},
		{"openpose", []string{"-fps", "5", absolute(t, "openpose/testdata")}, `squat 1: 2.0 s, the knee bends to 80 degrees
squat 2: 2.0 s, the knee bends to 80 degrees
squat 3: 2.0 s, the knee bends to 80 degrees
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := build(t, c.name, "CGO_ENABLED=0")(c.args...).CombinedOutput()
			if err != nil || string(out) != c.want {
				t.Errorf("prints (%v)\n%s\nwant\n%s", err, out, c.want)
			}
		})
	}
}

// TestErrors holds that the programs end with what is wrong.
func TestErrors(t *testing.T) {
	for name, args := range map[string][]string{
		"openpose": {"missing"},
		"annotate": {"missing.mp4", "out.mp4"},
	} {
		env := "CGO_ENABLED=0"
		if name == "annotate" {
			env = "ONNXRUNTIME_LIB=" + ortkit.Library(t)
		}
		out, err := build(t, name, env)(args...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "no such file") || strings.Contains(string(out), "goroutine") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// TestAnnotate annotates the sample movie of three squats, and a picture.
func TestAnnotate(t *testing.T) {
	for _, program := range []string{"ffmpeg", "ffprobe"} {
		if _, err := exec.LookPath(program); err != nil {
			testkit.Skip(t, program)
		}
	}
	run := build(t, "annotate", "ONNXRUNTIME_LIB="+ortkit.Library(t))
	movie := filepath.Join(t.TempDir(), "annotated.mp4")
	out, err := run(absolute(t, "../../httpapi/viewer/squats.mp4"), movie).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	squats := regexp.MustCompile(`(?m)^squat \d: the knee bends to (\d+) degrees$`).FindAllSubmatch(out, -1)
	if len(squats) != 3 || !strings.HasSuffix(string(out), "\nwrote "+movie+"\n") {
		t.Errorf("prints\n%s", out)
	}
	for _, s := range squats {
		if angle, err := strconv.Atoi(string(s[1])); err != nil || angle < 93-12 || angle > 93+12 {
			t.Errorf("the knee bends to %s degrees, in truth to 93", s[1])
		}
	}
	probed, err := exec.Command("ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=width,height,nb_read_frames", "-of", "csv=p=0", movie).Output()
	if got := strings.TrimSpace(string(probed)); err != nil || got != "640,640,120" {
		t.Errorf("the annotated movie has %s (%v)", got, err)
	}

	in, still := filepath.Join(t.TempDir(), "in.jpg"), filepath.Join(t.TempDir(), "out.jpg")
	if err := os.WriteFile(in, sample.JPEG(), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := run(in, still).CombinedOutput(); err != nil || string(out) != "wrote "+still+"\n" {
		t.Errorf("a picture: %v\n%s", err, out)
	}
	f, err := os.Open(still)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if m, err := jpeg.Decode(f); err != nil || m.Bounds() != sample.Image().Bounds() {
		t.Errorf("the annotated picture: %v", err)
	}
}

// TestSpace finds the knees of somebody who squats between two cameras, neither of which sees it from the side.
func TestSpace(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	a, b := testkit.Data(t, "rendered/pairs/squat_a.mp4"), testkit.Data(t, "rendered/pairs/squat_b.mp4")
	out, err := build(t, "space", "ONNXRUNTIME_LIB="+ortkit.Library(t))(a, b).CombinedOutput()
	knees := regexp.MustCompile(`(?m)^the (?:left|right) knee bends to (\d+)° ± \d+ at`).FindAllSubmatch(out, -1)
	if err != nil || len(knees) != 2 {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, k := range knees {
		if angle, err := strconv.Atoi(string(k[1])); err != nil || angle < 105-8 || angle > 105+8 {
			t.Errorf("the knee bends to %s degrees, in truth to 105", k[1])
		}
	}
}

// TestChi uses the API with the login of the host.
func TestChi(t *testing.T) {
	cmd := build(t, "chi", "ONNXRUNTIME_LIB="+ortkit.Library(t))()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	const base = "http://127.0.0.1:8082/motion/v1"
	for begun := time.Now(); time.Since(begun) < 30*time.Second; time.Sleep(50 * time.Millisecond) {
		if resp, err := http.Get(base + "/"); err == nil {
			resp.Body.Close()
			break
		}
	}
	call := func(user, method, address, body string, want int) map[string]any {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if user != "" {
			req.SetBasicAuth(user, "my-password")
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		text, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != want {
			t.Fatalf("%s %s: %d (%v), want %d\n%s", method, address, resp.StatusCode, err, want, text)
		}
		var doc map[string]any
		if want < 300 {
			if err := json.Unmarshal(text, &doc); err != nil {
				t.Fatal(err)
			}
		}
		return doc
	}
	call("", "GET", base+"/images/", "", http.StatusUnauthorized)
	call("nobody", "GET", base+"/images/", "", http.StatusUnauthorized)
	sum := md5.Sum(sample.JPEG())
	registered := call("me", "POST", base+"/images/", fmt.Sprintf(`{"contentMd5": %q}`, hex.EncodeToString(sum[:])), http.StatusCreated)
	call("me", "PUT", registered["uploadUrl"].(string), string(sample.JPEG()), http.StatusOK)
	call("me", "POST", base+"/keypoints/", `{"imageId": 1}`, http.StatusCreated)
	if got := call("me", "GET", base+"/keypoints/1/?wait=60", "", http.StatusOK); got["execStatus"] != "SUCCESS" {
		t.Errorf("keypoints: %v", got)
	}
}
