package storagetest

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// crashPlace is the environment variable that makes a test binary the child of the crash test: it writes to that place until it is killed.
const crashPlace = "MOTION_STORAGETEST_CRASH"

// linePrefix begins the lines in which a child reports to its parent.
const linePrefix = "storagetest: "

// tell reports to the parent that the object with an ID has reached a step.
func tell(id int64, step int) error {
	_, err := fmt.Printf("%s%d %d\n", linePrefix, id, step) // one write: lines do not mix
	return err
}

// untilKilled is the child: it opens its place and works in four goroutines until it is killed. In any other process it returns false.
func untilKilled[T any](t *testing.T, open func(place string) (T, error), work func(s T, worker int) error) bool {
	place, ok := os.LookupEnv(crashPlace)
	if !ok {
		return false
	}
	s, err := open(place)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for worker := range 4 {
		wg.Go(func() {
			for !t.Failed() {
				if err := work(s, worker); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	return true
}

// killedAfter starts a child, kills it after a number of lines, and returns the last reported step of each object.
func killedAfter(t *testing.T, place string, most int) map[int64]int {
	top, _, _ := strings.Cut(t.Name(), "/")
	program, err := os.Executable()
	if err != nil {
		t.Error(err)
		return nil
	}
	cmd := exec.Command(program, "-test.run=^"+top+"$", "-test.count=1")
	cmd.Env = append(os.Environ(), crashPlace+"="+place)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Error(err)
		return nil
	}
	told := map[int64]int{}
	lines := 0
	// Lines in the pipe when the child dies are valid reports.
	for scanner := bufio.NewScanner(stdout); scanner.Scan(); {
		line, ours := strings.CutPrefix(scanner.Text(), linePrefix)
		if !ours {
			t.Logf("the child says %s", scanner.Text())
			continue
		}
		var step int
		var id int64
		if _, err := fmt.Sscanf(line, "%d %d", &id, &step); err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		told[id] = step
		if lines++; lines == most {
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || lines < most {
		t.Errorf("the child exited after %d lines (%v)\n%s", lines, err, stderr.String())
	}
	return told
}
