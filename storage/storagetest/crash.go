package storagetest

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/bodymotion/motion/storage"
)

// crashPlace names the environment variable that makes a test binary the child of the
// crash test: it writes to that place until it is killed.
const crashPlace = "MOTION_STORAGETEST_CRASH"

// Each record of the child goes through these steps and stays at the last one, or is
// deleted after it when its ID can be divided by 3. What a step has returned is told to
// the parent in a line of step and ID.
const (
	stepCreated = iota
	stepStarted
	stepFinished
	stepDeleted
)

const linePrefix = "storagetest: "

// crashResult is what the child writes as a result, told apart by the ID.
func crashResult(id int64) []byte { return bytes.Repeat(fmt.Appendf(nil, "%d;", id), 10_000) }

// writeUntilKilled is the child. It returns false in any other process.
func writeUntilKilled(t *testing.T, d StoreDriver) bool {
	place, ok := os.LookupEnv(crashPlace)
	if !ok {
		return false
	}
	s, err := d.Open(place)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				if err := writeSteps(s); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	return true
}

// writeSteps makes a record and takes it through its steps.
func writeSteps(s storage.Store) error {
	ctx := context.Background()
	tell := func(step int, id int64) error {
		_, err := fmt.Fprintf(os.Stdout, "%s%d %d\n", linePrefix, step, id) // one write: lines do not mix
		return err
	}
	r, err := s.Create(ctx, record("alice", storage.Keypoints, storage.Unprocessed))
	if err != nil {
		return err
	}
	if err := tell(stepCreated, r.ID); err != nil {
		return err
	}
	r.Status, r.Attempts = storage.Processing, 1
	if r, err = s.Update(ctx, r, storage.Unprocessed); err != nil {
		return err
	}
	if err := tell(stepStarted, r.ID); err != nil {
		return err
	}
	r.Status, r.Result = storage.Success, crashResult(r.ID)
	if _, err = s.Update(ctx, r, storage.Processing); err != nil {
		return err
	}
	if err := tell(stepFinished, r.ID); err != nil {
		return err
	}
	if r.ID%3 != 0 {
		return nil
	}
	if err := s.Delete(ctx, r.Key); err != nil {
		return err
	}
	return tell(stepDeleted, r.ID)
}

// crash: what killed processes, two at a time, had been told is written is there.
func crash(t *testing.T, d StoreDriver) {
	place := d.Place(t)
	told := map[int64]int{} // the last step, by ID
	for round := range 3 {
		steps := make([]map[int64]int, 2)
		var wg sync.WaitGroup
		for i := range steps {
			wg.Go(func() { steps[i] = killedAfter(t, place, 150+round*37) })
		}
		wg.Wait()
		for _, s := range steps {
			maps.Copy(told, s)
		}
		if t.Failed() {
			return
		}
		afterCrash(t, d, place, told)
	}
}

// killedAfter starts a child that writes, kills it after so many steps, and returns the
// last step that it told of each record.
func killedAfter(t *testing.T, place string, steps int) map[int64]int {
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
	// What is in the pipe when the child dies was written before.
	for scanner := bufio.NewScanner(stdout); scanner.Scan(); {
		line, ours := strings.CutPrefix(scanner.Text(), linePrefix)
		if !ours {
			t.Logf("the child says %s", scanner.Text())
			continue
		}
		var step int
		var id int64
		if _, err := fmt.Sscanf(line, "%d %d", &step, &id); err != nil {
			t.Errorf("%q: %v", line, err)
			continue
		}
		told[id] = step
		if lines++; lines == steps {
			if err := cmd.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	if err := cmd.Wait(); err == nil || lines < steps {
		t.Errorf("the child ended by itself after %d steps (%v)\n%s", lines, err, stderr.String())
	}
	return told
}

// afterCrash compares the store with what the dead process has told. A step that was
// being taken may have been taken or not.
func afterCrash(t *testing.T, d StoreDriver, place string, told map[int64]int) {
	s, err := d.Open(place)
	if err != nil {
		t.Fatal(err)
	}
	defer shut(t, s)
	for id, step := range told {
		r, err := s.Get(t.Context(), storage.Key{Owner: "alice", Kind: storage.Keypoints, ID: id})
		var is int
		switch {
		case errors.Is(err, storage.ErrNotFound) && id%3 == 0 && step >= stepFinished:
			is = stepDeleted
		case err != nil:
			t.Errorf("record %d, written up to step %d: %v", id, step, err)
			continue
		case r.Status == storage.Processing:
			is = stepStarted
		case r.Status == storage.Success:
			is = stepFinished
			if !bytes.Equal(r.Result, crashResult(id)) {
				t.Errorf("record %d has a wrong result of %d bytes", id, len(r.Result))
			}
		}
		if is != step && is != step+1 {
			t.Errorf("record %d was written up to step %d and is at step %d", id, step, is)
		}
	}
	open := 0
	list := all(t, s, "alice", storage.Keypoints)
	for _, r := range list {
		if !r.Status.Final() {
			open++
		}
		if _, ok := told[r.ID]; !ok {
			told[r.ID] = stepCreated // written, and killed before it could be told
		}
	}
	err = s.Unfinished(t.Context(), func(storage.Record) error { open--; return nil })
	if err != nil || open != 0 {
		t.Errorf("%d more unfinished records in the list than in Unfinished (%v)", open, err)
	}
	next := create(t, s, record("alice", storage.Keypoints, ""))
	for id := range told {
		if id >= next.ID {
			t.Errorf("the id %d was given after %d", next.ID, id)
		}
	}
	if err := s.Delete(t.Context(), next.Key); err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Error("nothing was written")
	}
}
