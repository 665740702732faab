package formats

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// format is how a format is read.
type format struct {
	title   string   // in errors
	members []string // of JSON, which no other format has
	read    func(io.Reader, Options) (keypoint.Sequence, error)
}

// known has the formats that are read by their names.
var known = map[string]format{
	"c3d":       {"C3D", nil, readC3D},
	"coco":      {"COCO", []string{"images", "annotations", "categories", "image_id", "category_id", "instance_info", "frame_id", "instances"}, readCOCO},
	"csv":       {"CSV", nil, readCSV},
	"json":      {"JSON", []string{"keypoint", "timestamps"}, readJSON},
	"jsonl":     {"JSON Lines", []string{"timed"}, readJSONL},
	"mediapipe": {"MediaPipe", slices.Concat(landmarkNames, []string{"x"}), readMediaPipe},
	"openpose":  {"OpenPose", []string{"people", "pose_keypoints_2d"}, readOpenPoseFile},
	"trc":       {"TRC", nil, readTRC},
}

// Names returns the names of the formats that Read knows.
func Names() []string { return slices.Sorted(maps.Keys(known)) }

// Write writes keypoints in a format. Unknown names and an invalid sequence are a [keypoint.ErrInvalid], as is one that
// lacks what the format needs.
func Write(w io.Writer, name string, seq keypoint.Sequence) error {
	// Here and not beside the readers, so that a program in a browser tab, which only reads, does not contain them.
	writers := map[string]func(io.Writer, keypoint.Sequence) error{
		"bvh": writeBVH, "c3d": writeC3D, "coco": writeCOCO, "csv": writeCSV, "jsonl": writeJSONL, "mediapipe": writeMediaPipe, "openpose": writeOpenPoseZip, "trc": writeTRC,
		"json": func(w io.Writer, seq keypoint.Sequence) error { return json.NewEncoder(w).Encode(seq) },
	}
	write, ok := writers[name]
	if !ok {
		return wrong("", "format", "is %s, want one of %s", quote(name), strings.Join(slices.Sorted(maps.Keys(writers)), ", "))
	}
	if err := seq.Validate(); err != nil {
		return err
	}
	return write(w, seq)
}

// Error is a mistake in an input, with its place. It is a keypoint.ErrInvalid.
type Error struct {
	Format string // such as "CSV"
	File   string // the file of a folder; "" for a single input
	Line   int    // from 1; 0 for JSON and for mistakes of the whole input
	Member string // the column, header or option, or a JSON Pointer; "" for none
	Detail string // what is wrong and what was expected
}

// Error returns the place and what is wrong in one line.
func (e *Error) Error() string {
	line := ""
	if e.Line > 0 {
		line = "line " + strconv.Itoa(e.Line)
	}
	parts := []string{e.Format, e.File, line, e.Member, e.Detail}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

// Is reports whether target is keypoint.ErrInvalid.
func (e *Error) Is(target error) bool { return target == keypoint.ErrInvalid }

// wrong returns an Error about a member of an input without lines, or of options.
func wrong(format, member, detail string, args ...any) error {
	return &Error{Format: format, Member: member, Detail: fmt.Sprintf(detail, args...)}
}
