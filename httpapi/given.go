package httpapi

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	goimage "image"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
	"github.com/bodymotion/motion/storage"
)

// givenKeypoints returns the keypoints in the body of a request, ok false if there are none. What they leave out comes from the
// movie or image with the key, if its ID is not 0. Mistakes are noted in the body.
func (c *call) givenKeypoints(b *body, pictures storage.Key) (seq keypoint.Sequence, ok bool, err error) {
	own, data := b.get("keypoints"), b.get("data")
	if !own.Present() && !data.Present() {
		for _, name := range []string{"scores", "timestamps", "format", "size", "frameRate"} {
			if v := b.get(name); v.Present() {
				v.Errorf("is for keypoints or data, which are missing")
			}
		}
		return seq, false, nil
	}
	if own.Present() && data.Present() {
		data.Errorf("is given together with keypoints: want one of them")
	}
	opt := formats.Options{Rate: b.get("frameRate").Positive(), Size: sizeOf(b.get("size")), Limits: formats.Limits{Bytes: maxGiven, Frames: maxFrames}}
	if n := c.service.Limits().Frames; n > 0 {
		opt.Limits.Frames = min(n-1, maxFrames)
	}
	if opt.Rate != 0 && !(opt.Rate >= 0.001 && opt.Rate <= 1e6) {
		b.get("frameRate").Errorf("is %v, want 0.001 to 1000000", opt.Rate)
	}
	if data.IsString() { // a file, whose places are others
		text, _ := data.Text()
		if at := strictjson.Repeated([]byte(text)); at != "" {
			data.Errorf("has an object with the property %s twice", at)
		}
	}
	if err := b.err(); err != nil {
		return seq, false, err
	}
	if pictures.ID != 0 {
		m, err := readMedia(c, pictures.Kind, pictures.ID)
		if err != nil {
			return seq, false, err
		}
		if !m.Uploaded {
			return seq, false, wire.Refuse(http.StatusConflict, "The file of the %s %d has not been uploaded yet: put it to its uploadUrl first.", m.Kind, m.ID)
		}
		opt.Size = cmp.Or(opt.Size, m.Size)
		if timed := b.get("timestamps").Present(); opt.Rate == 0 && !timed {
			opt.Rate = m.FrameRate
		}
	}
	if own.Present() {
		seq = ownKeypoints(b, opt)
	} else {
		seq = otherKeypoints(b, opt)
	}
	return seq, true, b.err()
}

// source returns where the keypoints come from that the body of a request asks for.
func (c *call) source(b *body) (from motion.Source, err error) {
	movie, image, again, joined := b.id("movieId"), b.id("imageId"), b.id("keypointId"), b.ids("keypointIds")
	pictures := storage.Key{Kind: storage.Movies, ID: movie}
	if image != 0 {
		pictures = storage.Key{Kind: storage.Images, ID: image}
	}
	given, ok, err := c.givenKeypoints(b, pictures)
	if err != nil {
		return from, err
	}
	named := false
	for _, one := range []struct {
		asked bool
		from  motion.Source
	}{
		{ok, motion.Given(given)}, {joined != nil, motion.Joined(joined...)}, {again != 0, motion.Again(again)},
		{movie != 0, motion.Movie(movie)}, {image != 0, motion.Image(image)},
	} {
		switch {
		case !one.asked:
		case named: // the Service says which of several are too many
			from = from.On(one.from)
		default:
			from, named = one.from, true
		}
	}
	return from, nil
}

// sizeOf returns width and height, zero for an absent value.
func sizeOf(v strictjson.Value) (size goimage.Point) {
	list, ok := v.Array()
	if !ok {
		return size
	}
	if len(list) != 2 || !list[0].Require("a number of pixels") || !list[1].Require("a number of pixels") {
		v.Errorf("has %d numbers, want [width, height] in pixels", len(list))
		return size
	}
	for i, into := range []*int{&size.X, &size.Y} {
		n, ok := list[i].Int()
		if ok && (n < 1 || n > 1<<16) {
			list[i].Errorf("is %d, want 1 to 65536 pixels", n)
		}
		*into = int(n)
	}
	return size
}

// otherKeypoints reads data in the format of another program.
func otherKeypoints(b *body, opt formats.Options) (seq keypoint.Sequence) {
	format, data := b.get("format"), b.get("data")
	for _, name := range []string{"scores", "timestamps"} {
		if v := b.get(name); v.Present() {
			v.Errorf("is for keypoints: data has its own")
		}
	}
	name, _ := format.OneOf(formats.Names()...)
	if b.doc.Err() != nil {
		return seq
	}
	var text io.Reader = bytes.NewReader(data.Raw())
	if data.IsString() {
		s, _ := data.Text()
		text = strings.NewReader(s)
		if name == "c3d" || slices.Contains([]string{"AlA", "AlB", "AlC", "AlD", "UEs"}, s[:min(3, len(s))]) { // C3D, ZIP
			text = base64.NewDecoder(base64.StdEncoding, text)
		}
	}
	seq, err := formats.Read(text, name, opt)
	if bad, ok := errors.AsType[*formats.Error](err); ok {
		at, option := map[string]string{"Rate": "/frameRate", "Size": "/size", "Times": data.Pointer(), "format": "/format"}[bad.Member]
		detail := bad.Detail
		switch {
		case option:
		case strings.HasPrefix(bad.Member, "/"):
			at = data.Pointer() + bad.Member
		default:
			at, detail = data.Pointer(), bad.Error()
		}
		b.wrong = append(b.wrong, wire.At(at, detail))
	} else if err != nil {
		data.Errorf("is not base64: %v", err)
	}
	return seq
}

// ownKeypoints reads keypoints, scores and timestamps as records have them.
func ownKeypoints(b *body, opt formats.Options) (seq keypoint.Sequence) {
	if v := b.get("format"); v.Present() {
		v.Errorf("is for data: keypoints are in the form of a record")
	}
	seq.Size = opt.Size
	elements(b.get("keypoints"), "an object from part to [x, y]", func(raw json.RawMessage) error {
		if len(seq.Frames) == opt.Limits.Frames {
			return fmt.Errorf("is one too many: want at most %d", opt.Limits.Frames)
		}
		var f keypoint.Frame
		err := json.Unmarshal(raw, &f)
		seq.Frames = append(seq.Frames, f)
		return err
	})
	n := len(seq.Frames)
	if v := b.get("scores"); v.Present() {
		i := 0
		elements(v, "an object from part to confidence", func(raw json.RawMessage) error {
			if i++; i > n {
				return fmt.Errorf("there are keypoints of %d frames only", n)
			}
			return score(&seq.Frames[i-1], raw)
		})
		if i < n {
			v.Errorf("has %d frames, and there are keypoints of %d", i, n)
		}
	}
	switch times := b.get("timestamps"); {
	case times.Present() && opt.Rate != 0:
		b.get("frameRate").Errorf("is given together with timestamps: want one of them")
	case times.Present():
		elements(times, "a number of seconds", func(raw json.RawMessage) error {
			var t *float64
			if err := json.Unmarshal(raw, &t); err != nil {
				return err
			}
			if t == nil {
				return errors.New("is null, want a number of seconds")
			}
			if len(seq.Times) == n {
				return fmt.Errorf("there are keypoints of %d frames only", n)
			}
			if k := len(seq.Times); k > 0 && *t <= seq.Times[k-1] {
				return fmt.Errorf("is %v s, want more than the %v s of the frame before", *t, seq.Times[k-1])
			}
			seq.Times = append(seq.Times, *t)
			return nil
		})
		if len(seq.Times) < n {
			times.Errorf("has %d times, and there are keypoints of %d frames", len(seq.Times), n)
		}
	case opt.Rate != 0:
		seq.Times = make([]float64, n)
		for i := range seq.Times {
			seq.Times[i] = float64(i) / opt.Rate
		}
	}
	return seq
}

// elements reads an array element by element, up to the first that read refuses: it wants another type, or says why.
func elements(v strictjson.Value, want string, read func(json.RawMessage) error) {
	if !v.IsArray() {
		v.Errorf("is %s, want an array", v.Kind())
		return
	}
	for i, raw := range strictjson.Elements(v.Raw()) {
		err := errors.New("is longer than 64 KiB of JSON")
		if len(raw) <= maxMember {
			err = read(raw)
		}
		var kind *json.UnmarshalTypeError
		switch {
		case errors.As(err, &kind):
			v.At(i).Errorf("has %s in the place of something else, want %s", kind.Value, want)
		case err != nil:
			v.At(i).Errorf("%v", err)
		}
		if err != nil {
			return
		}
	}
}

func score(f *keypoint.Frame, raw json.RawMessage) error {
	var scores map[keypoint.Part]*float64
	if err := json.Unmarshal(raw, &scores); err != nil {
		return err
	}
	if len(scores) != f.Len() {
		return fmt.Errorf("has %d scores, want one for each of %d points", len(scores), f.Len())
	}
	for p, v := range scores {
		at, ok := f.At(p)
		if !ok || v == nil {
			return fmt.Errorf("has a score for %v, which has no point, or null", p)
		}
		f.Set(p, at, *v)
	}
	return nil
}
