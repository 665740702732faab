package formats_test

import (
	"bytes"
	"errors"
	"image"
	"testing"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/compare"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// TestNil: a nil reader, writer or frame is an error, not a panic.
func TestNil(t *testing.T) {
	reading := func(_ any, err error) error { return err }
	seq := keypoint.Sequence{Frames: make([]keypoint.Frame, 1), Times: []float64{0}, Size: image.Pt(40, 30)}
	columns := []formats.Column{{Name: "knee", Values: []analyze.Value{{X: 1, Present: true}}}}
	for name, err := range map[string]error{
		"ReadCOCO":             reading(formats.ReadCOCO(nil, formats.Limits{})),
		"ReadCSV":              reading(formats.ReadCSV(nil, formats.Limits{})),
		"ReadMediaPipe":        reading(formats.ReadMediaPipe(nil, formats.MediaPipeOptions{})),
		"ReadMOT":              reading(formats.ReadMOT(nil, formats.Limits{})),
		"ReadOpenPose":         reading(formats.ReadOpenPose(nil, formats.OpenPoseOptions{})),
		"ReadTRC":              reading(formats.ReadTRC(nil, formats.TRCOptions{})),
		"WriteCOCO":            formats.WriteCOCO(nil, seq),
		"WriteColumnsCSV":      formats.WriteColumnsCSV(nil, seq.Times, columns),
		"WriteComparisonJSONL": formats.WriteComparisonJSONL(nil, nil, compare.Result{}),
		"WriteJSONL":           formats.WriteJSONL(nil, seq),
		"WriteLongCSV":         formats.WriteLongCSV(nil, seq),
		"WriteMediaPipe":       formats.WriteMediaPipe(nil, seq),
		"WriteMOT":             formats.WriteMOT(nil, formats.Motion{Times: seq.Times, Columns: columns}),
		"WriteOpenPose":        formats.WriteOpenPose(nil, &seq.Frames[0], formats.OpenPoseAny),
		"WriteOpenPose, frame": formats.WriteOpenPose(new(bytes.Buffer), nil, formats.OpenPoseAny),
		"WriteOpenPoseZip":     formats.WriteOpenPoseZip(nil, "squat", seq, formats.OpenPoseAny),
		"WriteResultsJSONL":    formats.WriteResultsJSONL(nil, nil, nil),
		"WriteTRC":             formats.WriteTRC(nil, seq, formats.TRCOptions{}),
		"WriteWideCSV":         formats.WriteWideCSV(nil, seq),
	} {
		var place *formats.Error
		if !errors.Is(err, keypoint.ErrInvalid) || !errors.As(err, &place) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
