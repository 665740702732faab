package ffmpeg_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference/ffmpeg"
)

// TestRecorded: a movie says when it was filmed as UTC, and Apple's with the zone of the camera, which counts first.
func TestRecorded(t *testing.T) {
	need(t)
	dir := t.TempDir()
	const source = "-f lavfi -i testsrc2=size=64x48:rate=10:duration=0.5 -c:v libx264 -pix_fmt yuv420p "
	noon := time.Date(2024, 3, 4, 12, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		args string
		want time.Time
	}{
		"android.mp4":  {"-metadata creation_time=2024-03-04T12:00:00Z", noon},
		"matroska.mkv": {"-metadata creation_time=2024-03-04T12:00:00Z", noon},
		"apple.mov":    {"-metadata creation_time=2024-03-05T18:00:00Z -movflags use_metadata_tags -metadata com.apple.quicktime.creationdate=2024-03-04T21:00:00+0900", noon},
		"nothing.mp4":  {"", time.Time{}},
		"nonsense.mov": {"-movflags use_metadata_tags -metadata com.apple.quicktime.creationdate=yesterday", time.Time{}},
	} {
		info, err := ffmpeg.Decoder{}.Probe(t.Context(), bytes.NewReader(made(t, dir, name, source+c.args)))
		if err != nil || !info.Recorded.Equal(c.want) {
			t.Errorf("%s: %v (%v), want %v", name, info.Recorded, err, c.want)
		}
	}
}
