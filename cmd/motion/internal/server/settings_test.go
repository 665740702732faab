package server

import (
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/cmd/motion/internal/stores"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
)

// parse returns the settings of a command line.
func parse(args []string) (got *settings, err error) {
	c := command(func(_ context.Context, s *settings) error { got = s; return nil })
	c.SilenceUsage, c.SilenceErrors = true, true
	c.SetArgs(append([]string{}, args...))
	err = c.Execute()
	return got, err
}

// TestSettings: what goes together, and what a wrong combination is told.
func TestSettings(t *testing.T) {
	const pg, at = "--db=postgres://db/motion", "--blobs=s3://bucket"
	for _, c := range []struct {
		args string
		want string // in the error; "" for none
	}{
		{"", ""},
		{"--db=x.db --blobs=/somewhere", ""},
		{pg + " " + at, ""},
		{"--role=serve " + pg + " " + at + " --client=a:b --ops=:0", ""},
		{"--role=work " + pg + " " + at + " --setting=fast --grace=0", ""},
		{"--role=rest", "--role"},
		{"--role=work", "postgres"},
		{"--role=work --db=memory", "postgres"},
		{"--role=serve --db=x.db " + at, "postgres"},
		{pg, "--blobs"},
		{"--db=memory " + at, "--blobs"},
		{"--db=mysql://db/motion", "--db"},
		{"--blobs=gs://bucket", "--blobs"},
		{"--grace=-1s", "--grace"},
		{"--role=work --client=a:b " + pg + " " + at, "--client"},
		{"--role=work --login " + pg + " " + at, "--login"},
		{"--role=work --originals=false " + pg + " " + at, "--originals"},
		{"--role=serve --setting=fast " + pg + " " + at, "--setting"},
		{"--client=a:b --client=a:c", "--client"},
		{"more", "more"},
		{"--workers=2 --keep=all=30d --orphans=7d --upkeep=10m --min-free=2GB", ""},
		{"--poll=1s --workers=4 " + pg + " " + at, ""},
		{"--workers=0", "--workers"},
		{"--role=serve --workers=2 " + pg + " " + at, "--workers"},
		{"--poll=1s", "--poll"},
		{"--poll=1ms " + pg + " " + at, "5ms"},
		{"--role=serve --poll=1s " + pg + " " + at, "--poll"},
		{"--min-free=1GB " + pg + " " + at, "--min-free"},
		{"--role=serve --min-free=1GB " + pg + " --blobs=/somewhere", ""},
		{"--orphans=0", "--orphans"},
		{"--orphans=-1h", "--orphans"},
		{"--role=serve --orphans=7d " + pg + " " + at, "--orphans"},
		{"--role=serve --keep=all=7d " + pg + " " + at, "--keep"},
		{"--role=serve --upkeep=1m " + pg + " " + at, "--upkeep"},
		{"--upkeep=-1s", "--upkeep"},
		{"--upkeep=0", ""},
		{"--upkeep=0 --keep=all=7d", "--upkeep 0"},
		{"--upkeep=0 --orphans=7d", "--upkeep 0"},
	} {
		_, err := parse(strings.Fields(c.args))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.args, err, c.want)
		}
	}
	t.Setenv("MOTION_DB", "postgres://user:password@db/motion")
	t.Setenv("MOTION_BLOBS", "s3://bucket")
	t.Setenv("MOTION_CLIENT", "a:b c:d")
	for args, want := range map[string]string{
		"":                         "postgres://user:password@db/motion s3://bucket map[a:b c:d]",
		"--role=work":              "postgres://user:password@db/motion s3://bucket map[a:b c:d]",
		"--db=memory":              "memory  map[a:b c:d]",
		"--db=x.db --blobs=/there": "x.db /there map[a:b c:d]",
		"--client=e:f":             "postgres://user:password@db/motion s3://bucket map[e:f]",
	} {
		s, err := parse(strings.Fields(args))
		if err != nil {
			t.Errorf("%s: %v", args, err)
			continue
		}
		if got := fmt.Sprint(s.DB, " ", s.Blobs, " ", s.clients.secrets); got != want {
			t.Errorf("%s: %s, want %s", args, got, want)
		}
	}
	t.Setenv("MOTION_CLIENT", "a")
	if _, err := parse(nil); err == nil || !strings.Contains(err.Error(), "MOTION_CLIENT: want ID:SECRET") {
		t.Error(err)
	}
	t.Setenv("MOTION_CLIENT", "")
	t.Setenv("MOTION_KEY", "short")
	if _, err := parse(nil); err == nil || !strings.Contains(err.Error(), "MOTION_KEY") {
		t.Error(err)
	}
}

// TestAmounts: times, sizes and what is kept, as flags give them.
func TestAmounts(t *testing.T) {
	const day = 24 * time.Hour
	for text, want := range map[string]keep{
		"movies=30d":                    {Movies: 30 * day},
		"drawings=12h,all=7d":           {Movies: 7 * day, Images: 7 * day, Keypoints: 7 * day, Comparisons: 7 * day, Analyses: 7 * day, Drawings: 12 * time.Hour},
		"all=7d,drawings=12h":           {Movies: 7 * day, Images: 7 * day, Keypoints: 7 * day, Comparisons: 7 * day, Analyses: 7 * day, Drawings: 12 * time.Hour},
		"images=1m,keypoints=2m":        {Images: time.Minute, Keypoints: 2 * time.Minute},
		"comparisons=90s,analyses=1.5h": {Comparisons: 90 * time.Second, Analyses: 90 * time.Minute},
	} {
		var got keep
		if err := got.Set(text); err != nil || got != want {
			t.Errorf("--keep %s: %+v (%v), want %+v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "30d", "movie=30d", "movies", "movies=", "movies=30", "movies=0d", "movies=-1h", "movies=1.5d", "movies=99999d", "movies=1h,"} {
		if err := new(keep).Set(text); err == nil {
			t.Errorf("--keep %q is taken", text)
		}
	}
	for text, want := range map[string]size{"1": 1, "500MB": 500e6, "20GB": 20e9, "9TB": 9e12} {
		var got size
		if err := got.Set(text); err != nil || got != want {
			t.Errorf("--min-free %s: %d (%v), want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "0", "GB", "-1", "1.5GB", "1PB", "1gb", "9223373TB"} {
		if err := new(size).Set(text); err == nil {
			t.Errorf("--min-free %q is taken", text)
		}
	}
}

// TestConfig: what the flags say reaches the service, and the places it keeps things in.
func TestConfig(t *testing.T) {
	s, err := parse(strings.Fields("--db=postgres://db/motion --blobs=/somewhere --workers=3 --poll=2s --keep=movies=1h --orphans=2h --upkeep=3m --grace=10s"))
	if err != nil {
		t.Fatal(err)
	}
	if off, err := parse([]string{"--originals=false"}); err != nil || off.originals || !s.originals {
		t.Errorf("uploaded files are given out: %v, and by default %v (%v)", off.originals, s.originals, err)
	}
	c := s.config()
	if c.Workers != 3 || c.Retention != (motion.Retention{Movies: time.Hour}) || c.OrphanAge != 2*time.Hour || c.UpkeepEvery != 3*time.Minute || c.DrainTimeout != 5*time.Second {
		t.Errorf("%+v", c)
	}
	if s.Poll != 2*time.Second {
		t.Errorf("%+v", s.Places)
	}
	if s, err = parse([]string{"--upkeep=0"}); err != nil || s.config().UpkeepEvery != -1 {
		t.Errorf("never is %v (%v)", s.config().UpkeepEvery, err)
	}
	if s, err = parse([]string{"--min-free=1000000TB", "--db=memory", "--data=" + t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	k, err := stores.Open(t.Context(), s.Places, slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	defer k.Close()
	if _, err := k.Blobs.Put(t.Context(), "x", strings.NewReader("x"), storage.PutOptions{}); !errors.Is(err, storage.ErrUnavailable) {
		t.Errorf("a file where more is to stay free than there is: %v", err)
	}
}

// TestKeep: a server removes by itself what --keep and --orphans do not let it keep.
func TestKeep(t *testing.T) {
	testkit.NeedSignals(t)
	data := filepath.Join(t.TempDir(), "data")
	blobs, err := file.Open(filepath.Join(data, "blobs"), file.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer blobs.Close()
	const orphan = "media/movies/77"
	if _, err := blobs.Put(t.Context(), orphan, strings.NewReader("x"), storage.PutOptions{}); err != nil {
		t.Fatal(err)
	}
	server := start(t, "--data", data, "--client", "someone:very-secret", "--keep", "images=1ms", "--orphans", "1ms", "--upkeep", "50ms")
	defer server.drain(t)
	c := login(t, server.url)
	image := c.call("POST", "/anymotion/v1/images/", fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum(nil)))
	movie := c.call("POST", "/anymotion/v1/movies/", fmt.Sprintf(`{"contentMd5":"%x"}`, md5.Sum(nil)))
	left := func(kind string) int {
		list, _ := c.call("GET", "/anymotion/v1/"+kind+"/", "")["data"].([]any)
		return len(list)
	}
	there := func() bool {
		blob, err := blobs.Open(t.Context(), orphan)
		if err == nil {
			blob.Close()
		} else if !errors.Is(err, storage.ErrNotFound) {
			t.Fatal(err)
		}
		return err == nil
	}
	for until := time.Now().Add(time.Minute); left("images") > 0 || there(); time.Sleep(20 * time.Millisecond) { // as a client asks
		if time.Now().After(until) {
			t.Fatalf("image %v is there: %v; the orphan: %v", image["id"], left("images") > 0, there())
		}
	}
	if left("movies") != 1 {
		t.Errorf("movie %v went with the images", movie["id"])
	}
}

// TestShare: what a process does is done within the grace time.
func TestShare(t *testing.T) {
	for role, want := range map[motion.Role]time.Duration{motion.ServeAndWork: 5 * time.Second, motion.ServeOnly: 10 * time.Second, motion.WorkOnly: 10 * time.Second} {
		if got := (&settings{role: role, grace: 10 * time.Second}).share(); got != want {
			t.Errorf("%q: %v, want %v", role, got, want)
		}
	}
}

// TestAccess: the server says at its start who may do what.
func TestAccess(t *testing.T) {
	s, err := parse([]string{"--client", "a:secret", "--client", "b:secret"})
	if err != nil {
		t.Fatal(err)
	}
	at := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	for key, want := range map[string]string{
		"abc": "open http://127.0.0.1:8080/?key=abc to see all recordings of client a",
		"":    "the id and secret of one of 2 clients",
	} {
		if got := s.access(at, key); !strings.Contains(got, want) || strings.Contains(got, ":secret") {
			t.Errorf("%s, want %q", got, want)
		}
	}
}

// TestJSON: with --json, each line of the server is one object, also the one with its address.
func TestJSON(t *testing.T) {
	server := start(t, "--data", t.TempDir(), "--db", "memory", "--client", "me:my-secret", "--json")
	var first struct{ Listening string }
	if err := json.Unmarshal([]byte(server.url), &first); err != nil || !strings.HasPrefix(first.Listening, "http://127.0.0.1:") {
		t.Errorf("%q: %v", server.url, err)
	}
	server.drain(t)
	for line := range strings.Lines(server.said()) {
		var entry struct{ Level, Msg string }
		if err := json.Unmarshal([]byte(line), &entry); err != nil || entry.Msg == "" {
			t.Errorf("%s: %v", line, err)
		}
	}
	if !strings.Contains(server.said(), `"msg":"draining"`) {
		t.Errorf("%s", server.said())
	}
}
