package server

import (
	"bytes"
	"crypto/md5"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// TestKilledUpload kills a server while a file comes in: one that is started again has no
// part of the file, sweeps away files that are half written, and accepts the file again.
func TestKilledUpload(t *testing.T) {
	testkit.NeedSignals(t)
	data := filepath.Join(t.TempDir(), "data")
	args := []string{"--data", data, "--client", "someone:very-secret"}
	server := start(t, args...)
	c := login(t, server.url)
	picture := sample.JPEG()
	register := fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum(picture))
	image := c.call("POST", "/anymotion/v1/images/", register)

	body, pipe := io.Pipe()
	req, err := http.NewRequestWithContext(t.Context(), "PUT", image["uploadUrl"].(string), body)
	if err != nil {
		t.Fatal(err)
	}
	sent := make(chan error, 1)
	go func() {
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			resp.Body.Close()
			err = fmt.Errorf("answered %s", resp.Status)
		} else {
			err = nil
		}
		sent <- err
	}()
	// More than what is collected before it is written.
	if _, err := pipe.Write(bytes.Repeat(picture[:len(picture)/2], 1+(1<<20)/len(picture))); err != nil {
		t.Fatal(err)
	}
	halves := func() []string { return files(t, filepath.Join(data, "blobs", ".tmp")) }
	for until := time.Now().Add(time.Minute); len(halves()) == 0; {
		if time.Now().After(until) {
			t.Fatal("nothing is written while the file comes in")
		}
		runtime.Gosched()
	}
	if err := server.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := server.cmd.Wait(); err == nil {
		t.Error("the server was killed and ends without an error")
	}
	pipe.CloseWithError(io.ErrUnexpectedEOF)
	if err := <-sent; err != nil {
		t.Errorf("the upload to a killed server was %v", err)
	}

	// Only what nobody can be writing any more is swept away: what is a day old.
	left := halves()
	if len(left) == 0 {
		t.Error("the killed server has left nothing, which leaves nothing to see here")
	}
	old := time.Now().Add(-25 * time.Hour)
	for _, file := range left {
		if err := os.Chtimes(file, old, old); err != nil {
			t.Fatal(err)
		}
	}
	server = start(t, args...)
	defer server.drain(t)
	if left := files(t, filepath.Join(data, "blobs")); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	c = login(t, server.url)
	path := fmt.Sprintf("/anymotion/v1/images/%v/", image["id"])
	if got := c.call("GET", path, ""); got["width"] != nil {
		t.Errorf("half an image is %v", got)
	}
	again := c.call("POST", "/anymotion/v1/images/", register)
	if got := c.call("PUT", again["uploadUrl"].(string), string(picture)); got["width"] != 1200.0 {
		t.Errorf("the image is %v", got)
	}
	original, _ := c.call("GET", fmt.Sprintf("/anymotion/v1/images/%v/?include=media", again["id"]), "")["mediaUrl"].(string)
	resp, err := http.Get(original)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got, err := io.ReadAll(resp.Body); err != nil || !bytes.Equal(got, picture) {
		t.Errorf("its owner gets %d bytes of the image (%v)", len(got), err)
	}
	c.call("DELETE", path, "")
}

// files are the files in a folder and below it that are not empty.
func files(t *testing.T, folder string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil && info.Size() > 0 {
				found = append(found, path)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return found
}
