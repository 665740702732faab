package cluster_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	flagLine  = regexp.MustCompile(`(?m)^\s*- --([a-z-]+)=`)
	graceLine = regexp.MustCompile(`- --grace=(\S+)`)
	killLine  = regexp.MustCompile(`(?:terminationGracePeriodSeconds: (\d+)|stop_grace_period: (\d+)s)`)
	imageLine = regexp.MustCompile(`(?m)^\s*image: (\S+)$`)
)

// TestManifests checks that the server knows every flag in the manifests, that nothing kills it within
// its grace time, and that every image has a version.
func TestManifests(t *testing.T) {
	usage, _ := exec.Command(server(t), "serve", "--help").CombinedOutput()
	for _, name := range []string{"compose.yaml", "kubernetes.yaml"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		flags := flagLine.FindAllStringSubmatch(text, -1)
		if len(flags) < 10 {
			t.Errorf("%s has %d flags of the server", name, len(flags))
		}
		for _, f := range flags {
			if !strings.Contains(string(usage), " --"+f[1]+" ") {
				t.Errorf("%s: the server has no flag --%s", name, f[1])
			}
		}
		var kills []time.Duration
		for _, k := range killLine.FindAllStringSubmatch(text, -1) {
			seconds, err := strconv.Atoi(k[1] + k[2])
			if err != nil {
				t.Fatal(err)
			}
			kills = append(kills, time.Duration(seconds)*time.Second)
		}
		graces := graceLine.FindAllStringSubmatch(text, -1)
		if len(graces) != 2 || len(kills) == 0 {
			t.Fatalf("%s: %d grace times, %d times to kill", name, len(graces), len(kills))
		}
		for i, g := range graces {
			grace, err := time.ParseDuration(g[1])
			if kill := kills[min(i, len(kills)-1)]; err != nil || kill <= grace {
				t.Errorf("%s: killed after %v, but the grace time is %v (%v)", name, kill, grace, err)
			}
		}
		for _, image := range imageLine.FindAllStringSubmatch(text, -1) {
			if image[1] != "motion-server" && !strings.Contains(image[1], ":") {
				t.Errorf("%s: the image %s comes in any version", name, image[1])
			}
		}
	}
}
