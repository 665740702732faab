//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/testkit"
)

func TestMain(m *testing.M) {
	if _, ok := os.LookupEnv(childEnv); ok {
		main()
		return
	}
	os.Exit(m.Run())
}

func brief(t *testing.T, o options) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes a minute, not run with -short")
	}
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	o.attempts, o.seed, o.limit, o.say = 3, uint64(time.Now().UnixNano()), 10*time.Minute, t.Logf
	t.Log("seed ", o.seed)
	err := run(t.Context(), o)
	if errors.Is(err, testkit.ErrMissing) {
		testkit.Skip(t, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestSQLite(t *testing.T)   { brief(t, options{store: "sqlite", jobs: 40, kills: 12}) }
func TestPostgres(t *testing.T) { brief(t, options{store: "postgres", jobs: 40, kills: 12}) }
