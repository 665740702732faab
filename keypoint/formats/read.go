package formats

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// Options say what a file leaves out. The zero value reads files that say all themselves.
type Options struct {
	Rate   float64     // frames per second of a file without times: frame i is at i / Rate seconds
	Size   image.Point // width and height in pixels of the picture, in a file without
	Limits Limits
}

// source is a format that Read knows.
type source struct {
	title   string   // in errors
	members []string // of JSON, which no other format has
	read    func(io.Reader, Options) (keypoint.Sequence, error)
}

// readers are the formats of Read by their names.
var readers = map[string]source{
	"coco":      {"COCO", []string{"images", "annotations", "categories", "image_id", "category_id", "instance_info", "frame_id", "instances"}, within(ReadCOCO)},
	"csv":       {"CSV", nil, within(ReadCSV)},
	"json":      {"JSON", []string{"keypoint", "timestamps"}, readJSON},
	"jsonl":     {"JSON Lines", []string{"timed"}, within(ReadJSONL)},
	"mediapipe": {"MediaPipe", slices.Concat(landmarkNames, []string{"x"}), readMediaPipe},
	"openpose":  {"OpenPose", []string{"people", "pose_keypoints_2d"}, readOpenPoseFile},
	"trc":       {"TRC", nil, readPlacedTRC},
}

// Names returns the names of the formats that Read knows.
func Names() []string { return slices.Sorted(maps.Keys(readers)) }

// Read reads keypoints in a format, "" for the one that the beginning of the input shows: json, the JSON of a
// keypoint.Sequence, or csv, jsonl, coco, openpose, mediapipe or trc as the reader of that name does. A file of OpenPose
// is the JSON of one frame, an array of those, or a ZIP archive of its folder. Landmarks of MediaPipe are normalised,
// for which the Size is needed, unless they are too far from the corner for that: then they are pixels. A TRC file of
// metres or torso lengths is put into the plane at 1000 pixels a unit, with that scale if the unit is metres.
//
// Recordings of several frames need times or a Rate. Options that contradict the file are an [*Error], whose Member is
// Rate or Size, as are an input without a frame, one that [Check] refuses, and options that are missing.
func Read(r io.Reader, name string, opt Options) (keypoint.Sequence, error) {
	if opt.Size.X < 0 || opt.Size.Y < 0 || (opt.Size.X == 0) != (opt.Size.Y == 0) {
		return keypoint.Sequence{}, wrong("", "Size", "is %v, want width and height in pixels", opt.Size)
	}
	if err := checkRate("", "Rate", opt.Rate); err != nil {
		return keypoint.Sequence{}, err
	}
	in := bufio.NewReaderSize(opt.Limits.bound("", r), 64<<10)
	if name == "" {
		var err error
		if name, err = sniff(in); err != nil {
			return keypoint.Sequence{}, err
		}
	}
	from, ok := readers[name]
	if !ok {
		return keypoint.Sequence{}, wrong("", "format", "is %s, want one of %s", quote(name), strings.Join(Names(), ", "))
	}
	seq, err := from.read(in, opt)
	if err == nil {
		err = opt.complete(from.title, &seq)
	}
	if err != nil {
		return keypoint.Sequence{}, err
	}
	return seq, nil
}

// sniff returns the format that the input begins as.
func sniff(in *bufio.Reader) (name string, err error) {
	head, err := in.Peek(in.Size())
	if err != nil && err != io.EOF {
		return "", err
	}
	text := strings.TrimPrefix(string(head), byteOrderMark)
	if name = begun(text); name == "" {
		return "", wrong("", "format", "the input begins with %s, which is none of %s", quote(text[:min(len(text), 20)]), strings.Join(Names(), ", "))
	}
	return name, nil
}

// begun returns the format of a file that begins with a text: by its signature, else by the first member of JSON that
// one format has.
func begun(text string) string {
	line := text[:max(0, strings.IndexAny(text+"\n", "\n{["))]
	columns := strings.Split(strings.TrimSpace(line), ",")
	switch {
	case strings.HasPrefix(text, "PK\x03\x04"):
		return "openpose"
	case strings.HasPrefix(text, "PathFileType"):
		return "trc"
	case len(columns) > 1 && slices.Contains(columns, "frame"):
		return "csv"
	case strings.HasPrefix(strings.TrimSpace(text), "[") && !strings.ContainsAny(text, `{"`):
		return "mediapipe"
	}
	for {
		_, rest, ok := strings.Cut(text, `"`)
		if !ok {
			return ""
		}
		member, after, _ := strings.Cut(rest, `"`)
		if strings.HasPrefix(strings.TrimLeft(after, " \t\r\n"), ":") {
			for name, of := range readers {
				if slices.Contains(of.members, member) {
					return name
				}
			}
		}
		text = rest
	}
}

// complete gives a sequence what its file leaves out.
func (o Options) complete(title string, seq *keypoint.Sequence) error {
	rate, timed := seq.FrameRate()
	switch {
	case seq.Len() == 0:
		return wrong(title, "", "there is no frame")
	case timed && o.Rate != 0 && math.Abs(rate-o.Rate) > rate/20:
		return wrong(title, "Rate", "is %v, but the file has times of %.4g frames per second: leave it out", o.Rate, rate)
	case seq.Times == nil && o.Rate == 0 && seq.Len() > 1:
		return wrong(title, "Rate", "is missing: there are %d frames without times, want their number per second", seq.Len())
	case seq.Size != image.Point{} && o.Size != image.Point{} && seq.Size != o.Size:
		return wrong(title, "Size", "is %v, but that in the file is %v: leave it out", o.Size, seq.Size)
	}
	seq.Unseen = seq.Unseen || title != readers["json"].title
	if seq.Times == nil {
		seq.Times = atRate(seq.Len(), o.Rate)
	}
	if seq.Size == (image.Point{}) {
		seq.Size = o.Size
	}
	err := Check(*seq)
	if bad, ok := errors.AsType[*Error](err); ok {
		bad.Format = title
	}
	return err
}

// The least and the greatest time between frames of people who move, in seconds: others are of another unit.
const (
	shortest = 1. / 2000
	longest  = 10
)

// Check refuses keypoints whose numbers cannot be pixels and seconds, with an [*Error]: six or more parts all within 4
// pixels of the corner in most frames (normalised), more than half of the parts a picture or more beyond the picture
// (Member "Size"), frames that are all 10 seconds apart or more, or on average less than a two-thousandth ("Times").
func Check(seq keypoint.Sequence) error {
	w, h := float64(seq.Size.X), float64(seq.Size.Y)
	all, out, told, near := 0, 0, 0, 0
	for i := range seq.Frames {
		f := &seq.Frames[i]
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			all++
			if at[0] < -w || at[0] > 2*w || at[1] < -h || at[1] > 2*h {
				out++
			}
		}
		if n, far := telling(f); n > 0 {
			told++
			if far == 0 {
				near++
			}
		}
	}
	step := math.Inf(1)
	for i := 1; i < len(seq.Times); i++ {
		step = min(step, seq.Times[i]-seq.Times[i-1])
	}
	rate, timed := seq.FrameRate()
	switch {
	case w > 0 && 2*out > all:
		return wrong("", "Size", "is %v, from which %d of %d parts are far away: want that of the picture of these keypoints", seq.Size, out, all)
	case 2*near > told && (w == 0 || max(w, h) > tinyImage):
		return wrong("", "", "all parts are within %d pixels of the corner in %d of %d frames: they look normalised, want pixels", farAway, near, told)
	case timed && (step >= longest || rate*shortest > 1):
		return wrong("", "Times", "are of frames that are %.3g s apart: want seconds", step)
	}
	return nil
}

// within returns a reader of files that need no options but Limits.
func within(read func(io.Reader, Limits) (keypoint.Sequence, error)) func(io.Reader, Options) (keypoint.Sequence, error) {
	return func(r io.Reader, o Options) (keypoint.Sequence, error) { return read(r, o.Limits) }
}

// readJSON reads the JSON of a keypoint.Sequence.
func readJSON(r io.Reader, o Options) (seq keypoint.Sequence, err error) {
	text, err := io.ReadAll(o.Limits.bound("JSON", r))
	if err != nil {
		return seq, err
	}
	j, detail := &jsonReader{Decoder: json.NewDecoder(bytes.NewReader(text))}, ""
	few := func(pointer string) error {
		return j.array(pointer, func(i int, pointer string) error {
			if detail = o.Limits.tooMany(i + 1); detail != "" {
				return errors.New(detail) // ends the count
			}
			return j.skip(pointer)
		})
	}
	_ = j.object("", map[string]func(string) error{"keypoint": few, "scores": few, "visibility": few, "positions": few, "timestamps": few})
	if detail != "" {
		return seq, wrong("JSON", "", "%s", detail)
	}
	if err := json.Unmarshal(text, &seq); err != nil {
		return seq, wrong("JSON", "", "%v", err)
	}
	return seq, nil
}

// readMediaPipe reads landmarks in the unit that they show.
func readMediaPipe(r io.Reader, o Options) (keypoint.Sequence, error) {
	s, err := readLandmarks(r, o.Limits)
	if err != nil {
		return s, err
	}
	all, far := 0, 0
	for i := range s.Frames {
		n, k := telling(&s.Frames[i])
		all, far = all+n, far+k
	}
	opt := MediaPipeOptions{Normalised: 2*far <= all, Size: o.Size}
	if s.Times == nil {
		opt.FrameRate = o.Rate
	}
	if err := opt.validate(); err != nil {
		return s, err
	}
	return opt.placed(s)
}

// readOpenPoseFile reads a frame, an array of frames, or an archive of their files.
func readOpenPoseFile(r io.Reader, o Options) (s keypoint.Sequence, err error) {
	in := bufio.NewReader(o.Limits.bound("OpenPose", r))
	if head, _ := in.Peek(2); string(head) == "PK" {
		b, err := io.ReadAll(in)
		if err != nil {
			return s, err
		}
		archive, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return s, wrong("OpenPose", "", "the ZIP archive cannot be read: %v", err)
		}
		return ReadOpenPose(archive, OpenPoseOptions{Limits: o.Limits})
	}
	j := o.Limits.json("OpenPose", in)
	err = j.frames(o.Limits, func(_ int, pointer string) error {
		f, err := j.openPose(pointer)
		s.Frames = append(s.Frames, f)
		return err
	})
	return s, err
}

const (
	unitPixels = 1000 // of the plane, for a metre or a torso length
	maxMetres  = 4    // the largest height of a person in a file of metres; those of Sports2D say metres for pixels too
)

// readPlacedTRC reads markers, with those in metres put into the plane.
func readPlacedTRC(r io.Reader, o Options) (keypoint.Sequence, error) {
	seq, h, err := readTRC(r, TRCOptions{Limits: o.Limits})
	if err != nil || h.unit == "" {
		return seq, err
	}
	height := 0.0
	for i := range seq.Frames {
		low, high, _ := seq.Frames[i].Bounds()
		height = max(height, high[1]-low[1])
	}
	if !h.deep && h.length == 1 && height > maxMetres {
		return seq, nil
	}
	for i := range seq.Frames {
		f := &seq.Frames[i]
		for _, p := range f.Present().List() {
			at, _ := f.At(p)
			f.Set(p, keypoint.Point{at[0] * h.length * unitPixels, -at[1] * h.length * unitPixels}, f.Confidence(p))
		}
	}
	if h.unit == keypoint.Metres && !h.deep {
		seq.World = keypoint.World{MetresPerPixel: 1. / unitPixels}
	}
	return seq, nil
}
