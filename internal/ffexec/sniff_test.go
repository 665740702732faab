package ffexec_test

import (
	"testing"

	"github.com/bodymotion/motion/internal/ffexec"
)

func TestSniff(t *testing.T) {
	for first, want := range map[string]struct {
		demuxer, what string
		still         bool
	}{
		"\x00\x00\x00\x18ftypisom": {demuxer: "mov"},
		"\x00\x00\x00\x08wide":     {demuxer: "mov"},
		"\x00\x00\x00\x18ftypavif": {what: "a HEIF or AVIF picture", still: true},
		"\x00\x00\x00\x18ftypheic": {what: "a HEIF or AVIF picture", still: true},
		"\x1a\x45\xdf\xa3":         {demuxer: "matroska"},
		"RIFF\x00\x00\x00\x00AVI ": {demuxer: "avi"},
		"RIFF\x00\x00\x00\x00WEBP": {what: "a WebP picture"},
		"RIFF\x00\x00\x00\x00WAVE": {what: "sound (WAV)"},
		"GIF89a":                   {demuxer: "gif"},
		"\x00\x00\x01\xba":         {demuxer: "mpeg"},
		"":                         {what: "empty"},
		"\xff\xd8\xff\xe0":         {what: "a JPEG picture"},
		"#EXTM3U\n":                {what: "a playlist (HLS)"},
		"ffconcat version 1.0":     {what: "a playlist (ffconcat)"},
		"file 'x.mp4'":             {what: "text"},
		"\x01\x02\x03":             {what: "of an unknown kind"},
	} {
		if got := ffexec.Demuxer([]byte(first)); got != want.demuxer {
			t.Errorf("Demuxer(%q) = %q, want %q", first, got, want.demuxer)
		}
		if got := ffexec.Still([]byte(first)); got != want.still {
			t.Errorf("Still(%q) = %v", first, got)
		}
		if want.demuxer == "" {
			if got := ffexec.Describe([]byte(first)); got != want.what {
				t.Errorf("Describe(%q) = %q, want %q", first, got, want.what)
			}
		}
	}
}

// FuzzSniff recognises what a file holds: text is never taken for a movie.
func FuzzSniff(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x18ftypavif"))
	f.Add([]byte("#EXTM3U\n#EXTINF:13,\n/etc/passwd"))
	f.Fuzz(func(t *testing.T, first []byte) {
		first = first[:min(len(first), ffexec.HeadSize)]
		what, demuxer := ffexec.Describe(first), ffexec.Demuxer(first)
		if what == "" {
			t.Fatal("not described")
		}
		if demuxer != "" && (ffexec.Still(first) || what == "empty") {
			t.Fatalf("%q opens %s", demuxer, what)
		}
	})
}
