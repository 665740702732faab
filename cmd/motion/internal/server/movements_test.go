package server

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
)

// TestViewerMovements uses the page in a browser with short versions of movies whose truth is known: two
// people side by side, a walk, and a jump that plays at half its speed.
func TestViewerMovements(t *testing.T) {
	b := newBrowsing(t)
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	walk, jump := testkit.Rendered(t, "walk_across_90"), testkit.Rendered(t, "jump_90_120fps")
	truth, err := json.Marshal(map[string]float64{
		"cadence": walk.Motion.Cadence, "speed": walk.Motion.Speed, "step": walk.Motion.Step,
		"scale": 2 * walk.AtHips, // the movie below has half the width
		"jump":  jump.Motion.Height, "height": 1.8,
	})
	if err != nil {
		t.Fatal(err)
	}
	server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--db", "memory")
	defer server.drain(t)
	dir := t.TempDir()
	args := []string{server.page(t)}
	for _, m := range []struct {
		name, from, seconds, filters, rate string
		sources                            []string
	}{
		{"two", "0", "2.4", "[0]crop=600:900:60:200,scale=240:360[a];[1]crop=600:900:60:200,scale=240:360[b];[a][b]hstack", "15", []string{"squat_0_shift", "curl_60"}},
		{"walk", "0", "4", "scale=640:360", "30", []string{"walk_across_90"}},
		{"jump", "0.5", "1.7", "crop=480:640:420:20,scale=360:480,fps=60,setpts=2*PTS", "30", []string{"jump_90_120fps"}},
	} {
		file := filepath.Join(dir, m.name+".mp4")
		how := []string{"-v", "error"}
		for _, source := range m.sources {
			how = append(how, "-ss", m.from, "-t", m.seconds, "-i", testkit.Data(t, "rendered/"+source+".mp4"))
		}
		how = append(how, "-filter_complex", m.filters, "-r", m.rate, "-c:v", "libx264", "-preset", "ultrafast", "-crf", "18", "-pix_fmt", "yuv420p", file)
		if out, err := exec.CommandContext(t.Context(), "ffmpeg", how...).CombinedOutput(); err != nil {
			t.Fatalf("ffmpeg %s: %v\n%s", m.name, err, out)
		}
		args = append(args, file)
	}
	b.run(t, "movements.mjs", append(args, string(truth))...)
}
