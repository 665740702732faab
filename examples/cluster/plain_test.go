package cluster_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// TestPlain runs the commands of the README for plain processes at other addresses, and finds the
// keypoints of a picture through the proxy.
func TestPlain(t *testing.T) {
	testkit.NeedSignals(t)
	ortkit.Library(t)
	program, dir, url := server(t), t.TempDir(), ""
	for _, needed := range []string{"nginx", "versitygw"} {
		if _, err := exec.LookPath(needed); err != nil {
			testkit.Skip(t, needed)
		}
	}
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var script string
	for _, b := range testkit.Blocks(string(text)) {
		if b.Kind == "sh" && strings.Contains(b.Text, "nginx -p") {
			script = b.Text
		}
	}
	for _, port := range []string{"7070", "8080", "8081", "8082"} {
		address, err := testkit.FreeAddress()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(script, "127.0.0.1:"+port) {
			t.Fatalf("the commands have no 127.0.0.1:%s:\n%s", port, script)
		}
		script = strings.ReplaceAll(script, "127.0.0.1:"+port, address)
		if port == "8080" {
			url = "http://" + address
		}
	}
	script = strings.Replace(script, "postgres://motion@127.0.0.1/motion", testkit.Database(t).URL(), 1)
	if err := os.CopyFS(filepath.Join(dir, "examples", "cluster"), os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-e", "-c", script)
	cmd.Dir, cmd.SysProcAttr = dir, &syscall.SysProcAttr{Setpgid: true}
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+":"+os.Getenv("PATH"))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		cmd.Wait()
	})
	for end := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		resp, err := http.Get(url + "/readyz")
		if err == nil {
			resp.Body.Close()
		}
		if err == nil && resp.StatusCode == http.StatusOK {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("the cluster does not answer: %v, %v", resp, err)
		}
	}
	api := newClient(t, url, "me", "my-secret")
	image := api.upload(t, "images", string(sample.JPEG()))
	made := api.call(t, "POST", "/anymotion/v1/keypoints/", fmt.Sprintf(`{"imageId":%v}`, image))
	record := api.call(t, "GET", fmt.Sprintf("/anymotion/v1/keypoints/%v/?wait=60", made["id"]), "")
	if record["execStatus"] != "SUCCESS" {
		t.Errorf("the keypoints are %v: %v", record["execStatus"], record["failureDetail"])
	}
}
