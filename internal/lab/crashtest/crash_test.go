//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/bodymotion/motion/internal/lab/internal/child"
	"github.com/bodymotion/motion/internal/testkit"
)

func TestMain(m *testing.M) {
	if ok, err := child.Orders(&orders{}); ok && err == nil {
		main()
		return
	}
	os.Exit(m.Run())
}

func brief(t *testing.T, o options) {
	t.Helper()
	testkit.Thorough(t, "kills processes again and again")
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		testkit.Skip(t, "ffmpeg")
	}
	o.lanes, o.quick, o.seed, o.say = 8, true, uint64(time.Now().UnixNano()), t.Logf
	err := run(t.Context(), o)
	if errors.Is(err, testkit.ErrMissing) {
		testkit.Skip(t, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestMemoryFaults(t *testing.T)   { brief(t, options{store: "memory", part: 0.5, chance: 20}) }
func TestSQLiteFaults(t *testing.T)   { brief(t, options{store: "sqlite", part: 0.2, chance: 10}) }
func TestPostgresFaults(t *testing.T) { brief(t, options{store: "postgres", part: 0.15, chance: 10}) }
func TestSQLiteKills(t *testing.T)    { brief(t, options{store: "sqlite", kills: 12}) }
func TestPostgresKills(t *testing.T)  { brief(t, options{store: "postgres", kills: 12}) }
