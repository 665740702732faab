package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// liveLine is what the lines of --json have.
type liveLine struct {
	Type        string
	Number      int
	Time        float64
	Keypoint    keypoint.Frame
	Scores      map[string]float64
	Values      []*float64
	Size        [2]int
	Repetitions []*struct{ Count, Complete int }
	Pictures    int
	Dropped     int
}

// liveLines reads lines of --json, of which the last is the end.
func liveLines(t *testing.T, text string) (updates []liveLine, end liveLine) {
	t.Helper()
	for line := range strings.Lines(text) {
		var l liveLine
		if err := json.Unmarshal([]byte(line), &l); err != nil || end.Type != "" || l.Type != "update" && l.Type != "end" {
			t.Fatalf("%v: %s", err, line)
		}
		if l.Type == "end" {
			end = l
		} else {
			updates = append(updates, l)
		}
	}
	dropped := 0
	for i, u := range updates {
		dropped += u.Dropped
		if u.Number != i || i > 0 && u.Time <= updates[i-1].Time {
			t.Errorf("picture %d: number %d at %v s", i, u.Number, u.Time)
		}
	}
	if end.Type == "" || end.Pictures != len(updates) || end.Dropped != dropped {
		t.Errorf("%d updates, %d dropped, the end says %+v", len(updates), dropped, end)
	}
	return updates, end
}

// TestLive: a movie plays, and what was kept of it is written.
func TestLive(t *testing.T) {
	dir := work(t)
	args := strings.Fields("live --json --angle kneeFlexion --save kept --height 1.75 --format csv,trc,mot squats.mp4")
	stdout, stderr, status := call(t, dir, args...)
	if status != 0 || stderr != "" {
		t.Fatalf("status %d\n%s%s", status, stdout, stderr)
	}
	updates, end := liveLines(t, stdout)
	if len(updates) == 0 || end.Pictures+end.Dropped != 6 {
		t.Errorf("%d pictures and %d dropped of 6", end.Pictures, end.Dropped)
	}
	for _, u := range updates {
		if u.Keypoint.Len() < 15 || u.Size != [2]int{640, 640} || len(u.Scores) != u.Keypoint.Len() || len(u.Values) != 2 || u.Values[0] == nil || len(u.Repetitions) != 2 || u.Repetitions[1] == nil {
			t.Errorf("%+v", u)
		}
	}
	seq, err := (&store{dir: dir}).keypoints("kept.keypoints.json")
	if err != nil || seq.Len() != len(updates) || !seq.World.Metric() || seq.Times[len(updates)-1] != updates[len(updates)-1].Time {
		t.Errorf("%d frames are kept (%v), %d were seen", seq.Len(), err, len(updates))
	}
	var a analysis
	b, err := os.ReadFile(filepath.Join(dir, "kept.analysis.json"))
	if err == nil {
		err = json.Unmarshal(b, &a)
	}
	if err != nil || len(a.Results) != 1 || len(a.Results[0].Values) != seq.Len() || a.Results[0].Symmetry == nil {
		t.Errorf("%s (%v)", b, err)
	}
	if got := glob(t, dir, "kept.*"); len(got) != 6 {
		t.Errorf("written: %v", got)
	}
	if left := glob(t, dir, ".motion-*"); left != nil {
		t.Errorf("left over: %v", left)
	}
}

// TestLivePipe: pictures come through a pipe, and their number is told in words.
func TestLivePipe(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the tool, not with -short")
	}
	dir := work(t)
	pipe, err := exec.Command("ffmpeg", "-v", "error", "-i", filepath.Join(dir, "squats.mp4"), "-f", "mpegts", "-c:v", "mpeg2video", "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	cmd := command(t, dir, "live", "--raw", "--angle", "trunkLean", "-")
	cmd.Stdin = bytes.NewReader(pipe)
	out, err := cmd.CombinedOutput()
	var looks, dropped int
	var seconds float64
	if n, _ := fmt.Sscanf(string(out), "%d pictures in %f s, %d dropped, somebody seen in 100 %%\n", &looks, &seconds, &dropped); err != nil || n != 3 || looks+dropped != 6 {
		t.Errorf("%v\n%s", err, out)
	}
	if !strings.HasSuffix(string(out), "trunk lean: 0 repetitions, 0 complete\n") {
		t.Errorf("%s", out)
	}
}

// cameraServer sends pictures until leave is closed, and then none.
func cameraServer(t *testing.T, leave <-chan struct{}) string {
	img := sample.JPEG()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		m := multipart.NewWriter(w)
		w.Header().Set("Content-Type", "multipart/x-mixed-replace; boundary="+m.Boundary())
		for {
			select {
			case <-leave:
				return
			case <-time.After(50 * time.Millisecond): // the pace of the camera
			}
			part, err := m.CreatePart(textproto.MIMEHeader{"Content-Type": {"image/jpeg"}})
			if err == nil {
				_, err = part.Write(img)
			}
			if err != nil {
				return
			}
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// pauses are what the tool says when this machine has had no time for a picture.
var pauses = regexp.MustCompile(`(?m)^there was no picture for .*\n`)

// TestLiveCamera: Ctrl-C ends the pictures of a camera, and what was kept is written; so it is when the camera
// is lost, which is an error unless it may end.
func TestLiveCamera(t *testing.T) {
	if testing.Short() {
		t.Skip("starts the tool, not with -short")
	}
	testkit.NeedSignals(t)
	dir := work(t)
	for name, c := range map[string]struct {
		args   string
		signal bool
		status int
		stderr string
	}{
		"ended":   {"--reconnect 1m", true, 0, ""},
		"allowed": {"--reconnect 0", false, 0, ""},
		"lost":    {"--reconnect 100ms", false, 1, "motion: the live source is lost"},
	} {
		t.Run(name, func(t *testing.T) {
			leave := make(chan struct{})
			cmd := command(t, dir, append(strings.Fields("live --json --save "+name+" "+c.args), cameraServer(t, leave))...)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			out, err := cmd.StdoutPipe()
			if err == nil {
				err = cmd.Start()
			}
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			lines := 0
			for in := bufio.NewScanner(out); in.Scan(); lines++ {
				text.WriteString(in.Text() + "\n")
				if lines == 2 && c.signal {
					cmd.Process.Signal(syscall.SIGINT)
				} else if lines == 2 {
					close(leave)
				}
			}
			cmd.Wait()
			said := pauses.ReplaceAllString(stderr.String(), "")
			if got := cmd.ProcessState.ExitCode(); got != c.status || !strings.HasPrefix(said, c.stderr) || c.stderr == "" && said != "" {
				t.Errorf("status %d, %s", got, &stderr)
			}
			updates, _ := liveLines(t, text.String())
			seq, err := (&store{dir: dir}).keypoints(name + ".keypoints.json")
			if err != nil || seq.Len() != len(updates) || len(updates) < 3 {
				t.Errorf("%d frames are kept (%v), %d were seen", seq.Len(), err, len(updates))
			}
		})
	}
}

// TestLiveHelp: the examples of --help have flags that exist.
func TestLiveHelp(t *testing.T) {
	lines := strings.Split(liveCommand().Example, "\n")
	if len(lines) < 3 {
		t.Errorf("%d examples", len(lines))
	}
	for _, line := range lines {
		c := liveCommand()
		words := strings.Fields(strings.ReplaceAll(line, "'-video_size 1280x720'", "-video_size"))
		if err := c.ParseFlags(words[2:]); err != nil || words[0] != "motion" || words[1] != "live" || c.Flags().NArg() != 1 {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// TestLiveLine: on a terminal, one line changes in its place.
func TestLiveLine(t *testing.T) {
	var stdout, stderr bytes.Buffer
	count := &analyze.RepetitionOptions{}
	p := &printer{stdout: &stdout, stderr: &stderr, terminal: true, rules: []analyze.Rule{
		{Type: analyze.KneeFlexion, Side: analyze.LeftSide, Repetitions: count}, {Type: analyze.TrunkLean},
	}}
	var f keypoint.Frame
	f.Set(keypoint.Nose, keypoint.Point{1, 2}, 1)
	counts := []analyze.Count{{Found: 3, Complete: 2}, {}}
	sure, against := []analyze.Value{{X: 6, Present: true}, {}}, []quality.Code{"", quality.CodeOutOfPlane}
	advice := live.Verdict{Notes: []quality.Warning{{Code: quality.CodeOutOfPlane, Detail: "Turn sideways."}}}
	for i, u := range []live.Update{
		{Time: 1, Keypoints: f, Values: []analyze.Value{{X: 91.4, Present: true}, {X: 40, Present: true}}, Uncertainty: sure, Why: against, Counts: counts, Verdict: advice},
		{Time: 1.03, Values: make([]analyze.Value, 2), Uncertainty: make([]analyze.Value, 2), Why: make([]quality.Code, 2), Counts: counts, Dropped: 2}, // too soon to be shown
		{Time: 6.5, Values: make([]analyze.Value, 2), Uncertainty: make([]analyze.Value, 2), Why: make([]quality.Code, 2), Counts: counts},
	} {
		if i == 2 {
			p.shown = time.Time{}
		}
		if err := p.update(u); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.end(counts); err != nil {
		t.Fatal(err)
	}
	if want := "\r1.0 s   left knee flexion 91° ± 6, 3 × …   trunk lean not from here   Turn sideways.\x1b[K\r\x1b[Kthere was no picture for 5.5 s\n" +
		"\r6.5 s   nobody is seen   left knee flexion –, 3 × …   trunk lean –   2 dropped\x1b[K\r\x1b[K"; stderr.String() != want {
		t.Errorf("%q\nwant %q", stderr.String(), want)
	}
	if want := "3 pictures in 5.5 s, 2 dropped, somebody seen in 33 %\nleft knee flexion: 3 repetitions, 2 complete\n"; stdout.String() != want {
		t.Errorf("%q\nwant %q", stdout.String(), want)
	}
}
