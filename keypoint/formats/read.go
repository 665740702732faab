package formats

import (
	"archive/zip"
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"image"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
)

// Options say what a file leaves out. The zero value reads files that say all themselves.
type Options struct {
	Rate   float64     // frames per second of a file without times: frame i is at i / Rate seconds
	Size   image.Point // width and height in pixels of the picture, in a file without
	Limits Limits
}

// Read reads keypoints in a format, "" for the one that the beginning of the input shows.
//
// Recordings of several frames need times or a Rate. Options that contradict the file are an [*Error], whose Member is
// Rate or Size, as are an input without a frame, one that [Check] refuses, and options that are missing. The sequence is
// [keypoint.Sequence.Unseen] but for json.
func Read(r io.Reader, name string, opt Options) (keypoint.Sequence, error) {
	if err := opt.validate(); err != nil {
		return keypoint.Sequence{}, err
	}
	in := bufio.NewReaderSize(opt.Limits.bound("", r), 64<<10)
	if name == "" {
		var err error
		if name, err = sniff(in); err != nil {
			return keypoint.Sequence{}, err
		}
	}
	from := known[name]
	if from.read == nil {
		return keypoint.Sequence{}, wrong("", "format", "is %s, want one of %s", quote(name), strings.Join(Names(), ", "))
	}
	seq, err := from.read(in, opt)
	return opt.complete(from.title, seq, err)
}

func (o Options) validate() error {
	if o.Size.X < 0 || o.Size.Y < 0 || (o.Size.X == 0) != (o.Size.Y == 0) {
		return wrong("", "Size", "is %v, want width and height in pixels", o.Size)
	}
	return checkRate("", "Rate", o.Rate)
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

// begun returns the format of a file that begins with a text: by its signature, else by the first member of JSON that one format has.
func begun(text string) string {
	line := text[:max(0, strings.IndexAny(text+"\n", "\n{["))]
	columns := strings.Split(strings.TrimSpace(line), ",")
	switch {
	case strings.HasPrefix(text, "PK\x03\x04"):
		return "openpose"
	case strings.HasPrefix(text, "PathFileType"):
		return "trc"
	case len(text) > 1 && text[0] > 0 && text[0] < '\t' && text[1] == 'P':
		return "c3d"
	case len(columns) > 1 && slices.Contains(columns, "frame"):
		return "csv"
	case strings.HasPrefix(strings.TrimSpace(text), "[") && !strings.ContainsAny(text, `{"`):
		return "mediapipe"
	}
	begun := ""
	firstMember(text, func(member string) bool {
		for name, of := range known {
			if slices.Contains(of.members, member) {
				begun = name
			}
		}
		return begun != ""
	})
	return begun
}

// complete gives a sequence that was read what its file leaves out, and checks it.
func (o Options) complete(title string, seq keypoint.Sequence, err error) (keypoint.Sequence, error) {
	if err != nil {
		return keypoint.Sequence{}, err
	}
	rate, timed := seq.FrameRate()
	switch {
	case seq.Len() == 0:
		err = wrong(title, "", "there is no frame")
	case timed && o.Rate != 0 && math.Abs(rate-o.Rate) > rate/20:
		err = wrong(title, "Rate", "is %v, but the file has times of %.4g frames per second: leave it out", o.Rate, rate)
	case seq.Times == nil && o.Rate == 0 && seq.Len() > 1:
		err = wrong(title, "Rate", "is missing: there are %d frames without times, want their number per second", seq.Len())
	case seq.Size != image.Point{} && o.Size != image.Point{} && seq.Size != o.Size:
		err = wrong(title, "Size", "is %v, but that in the file is %v: leave it out", o.Size, seq.Size)
	}
	if err != nil {
		return keypoint.Sequence{}, err
	}
	seq.Unseen = seq.Unseen || title != known["json"].title
	if seq.Times == nil {
		seq.Times = atRate(seq.Len(), o.Rate)
	}
	if places := seq.Space.Seen() || seq.World.Metric(); seq.Size == (image.Point{}) && (!places || title == known["json"].title) {
		seq.Size = o.Size
	}
	if err = Check(seq); err == nil {
		return seq, nil
	}
	if bad, ok := errors.AsType[*Error](err); ok {
		bad.Format = title
	}
	return keypoint.Sequence{}, err
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

// readJSON reads the JSON of a keypoint.Sequence.
func readJSON(r io.Reader, o Options) (seq keypoint.Sequence, err error) {
	text, err := io.ReadAll(o.Limits.bound("JSON", r))
	if err != nil {
		return seq, err
	}
	members := strictjson.Members(text)
	for _, m := range members {
		if err := o.few(m); err != nil {
			return seq, err
		}
	}
	if err := json.Unmarshal(text, &seq); err != nil {
		return seq, wrong("JSON", "", "%v", err)
	}
	return seq, nil
}

// few checks a member of the JSON of a keypoint.Sequence before all of it is in memory: the number of its elements, and that each of its
// frames is one.
func (o Options) few(m strictjson.Member) error {
	if m.Raw[0] != '[' {
		return nil
	}
	var frame keypoint.Frame
	for i, one := range strictjson.Elements(m.Raw) {
		if detail := o.Limits.tooMany(i + 1); detail != "" {
			return wrong("JSON", "", "%s", detail)
		}
		if m.Name != "keypoint" {
			continue
		}
		if len(one) > maxLine {
			return wrong("JSON", "", "frame %d is longer than %d bytes, want at most as many", i, maxLine)
		}
		if err := json.Unmarshal(one, &frame); err != nil {
			return wrong("JSON", "", "frame %d: %v", i, err)
		}
	}
	return nil
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
		return readFolder(archive, o)
	}
	j := o.Limits.json("OpenPose", in)
	err = j.frames(o.Limits, nil, func(_ int, pointer string) error {
		f, err := j.openPose(pointer)
		s.Frames = append(s.Frames, f)
		return err
	})
	return s, err
}
