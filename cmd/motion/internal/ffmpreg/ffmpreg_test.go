package ffmpreg_test

import (
	"testing"

	"github.com/bodymotion/motion/cmd/motion/internal/ffmpreg"
	"github.com/bodymotion/motion/internal/testkit/fftest"
)

// One Runner serves all tests: compiling takes seconds.
var runner = &ffmpreg.Runner{}

func TestRoundTrip(t *testing.T) { fftest.RoundTrip(t, runner) }
func TestEndings(t *testing.T)   { fftest.Endings(t, runner) }
func TestAudio(t *testing.T)     { fftest.Audio(t, runner) }
func TestPlaylists(t *testing.T) { fftest.Playlists(t, runner) }

func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute, not run with -short")
	}
	fftest.Bombs(t, runner)
}

func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute, not run with -short")
	}
	fftest.Hostile(t, runner)
}
