package ffmpreg_test

import (
	"testing"

	"github.com/bodymotion/motion/cmd/motion/ffmpreg"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/fftest"
)

// open returns the Runner, and skips the test if FFmpeg cannot be downloaded.
func open(t *testing.T) *ffmpreg.Runner {
	t.Helper()
	r, err := ffmpreg.Open(t.Context(), func(string) {})
	if err != nil {
		testkit.Skip(t, "ffmpeg as WebAssembly: "+err.Error())
	}
	return r
}

func TestRoundTrip(t *testing.T) { fftest.RoundTrip(t, open(t)) }
func TestEndings(t *testing.T)   { fftest.Endings(t, open(t)) }
func TestAudio(t *testing.T)     { fftest.Audio(t, open(t)) }

func TestPlaylists(t *testing.T) {
	if testing.Short() {
		t.Skip("starts FFmpeg 40 times, not run with -short")
	}
	fftest.Playlists(t, open(t))
}

func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute, not run with -short")
	}
	fftest.Bombs(t, open(t))
}

func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute, not run with -short")
	}
	fftest.Hostile(t, open(t))
}
