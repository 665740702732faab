package server

import (
	"crypto/md5"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/bodymotion/motion/cmd/motion/internal/stores"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// TestRestartKeepsTokens: tokens and links from before a restart are valid after it, with each
// kind of --db.
func TestRestartKeepsTokens(t *testing.T) {
	testkit.NeedSignals(t)
	if help, _ := serve(t, "--help").CombinedOutput(); !strings.Contains(string(help), "--data") || !strings.Contains(string(help), "MOTION_KEY") {
		t.Errorf("--help: %s", help)
	}
	for _, db := range []string{"", "memory"} {
		args := []string{"--data", filepath.Join(t.TempDir(), "data"), "--client", "someone:very-secret", "--db", db}
		server := start(t, args...)
		c := login(t, server.url)
		register := func() map[string]any {
			return c.call("POST", "/anymotion/v1/images/", fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum(sample.JPEG())))
		}
		link := register()["uploadUrl"].(string)
		server.drain(t)

		server = start(t, args...)
		c.url = server.url
		if db == "memory" { // the same ID again
			register()
		}
		c.call("PUT", server.url+link[strings.Index(link, "/anymotion/"):], string(sample.JPEG()))
		if got := c.call("GET", "/anymotion/v1/images/1/", ""); got["width"] != 1200.0 {
			t.Errorf("--db %q: %v", db, got)
		}
		server.drain(t)
	}
}

// TestClient: the client is made once and kept for this user alone. --client takes its place.
func TestClient(t *testing.T) {
	dir := t.TempDir()
	load := func(given ...string) (*clients, error) {
		s := &settings{Places: stores.Places{Data: dir}, clients: &clients{secrets: map[string]string{}}}
		for _, c := range given {
			if err := s.clients.Set(c); err != nil {
				t.Fatal(err)
			}
		}
		return s.clients, s.loadClient()
	}
	made, err := load()
	if err != nil || !strings.HasPrefix(made.first, "client-") || len(made.secrets[made.first]) < minKey {
		t.Fatalf("%+v (%v)", made, err)
	}
	again, err := load()
	if err != nil || again.first != made.first || again.secrets[made.first] != made.secrets[made.first] {
		t.Errorf("%+v (%v), want %+v again", again, err, made)
	}
	if given, err := load("someone:very-secret"); err != nil || given.first != "someone" || len(given.secrets) != 1 {
		t.Errorf("%+v (%v), want the one that was given", given, err)
	}
	path := filepath.Join(dir, "client")
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v (%v)", info.Mode(), err)
	}
	if err := os.WriteFile(path, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := load(); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a damaged file: %v", err)
	}
}

// TestKey: the key is made once and kept for this user alone. MOTION_KEY takes its place.
func TestKey(t *testing.T) {
	dir := t.TempDir()
	load := func(key string) (string, error) {
		s := &settings{Places: stores.Places{Data: dir}, key: key}
		err := s.loadKey()
		return s.key, err
	}
	made, err := load("")
	if err != nil || len(made) < minKey {
		t.Fatalf("%q (%v)", made, err)
	}
	path := filepath.Join(dir, "key")
	info, err := os.Stat(path)
	if err != nil || runtime.GOOS != "windows" && info.Mode() != 0o600 {
		t.Errorf("%v (%v)", info.Mode(), err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("%v (%v)", entries, err)
	}
	if again, err := load(""); err != nil || again != made {
		t.Errorf("again: %q, want %q (%v)", again, made, err)
	}
	if given, err := load("0123456789abcdef"); err != nil || given != "0123456789abcdef" {
		t.Errorf("given: %q (%v)", given, err)
	}
	for _, text := range []string{"", "short\n"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if key, err := load(""); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%q is the key %q (%v)", text, key, err)
		}
	}
	other := &settings{Places: stores.Places{Data: t.TempDir()}}
	if err := other.loadKey(); err != nil || other.key == made {
		t.Errorf("another folder: %q (%v)", other.key, err)
	}
}
