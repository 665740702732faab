package inference

import (
	"fmt"
	"image"
	"io"
	"math"
	"slices"

	"github.com/bodymotion/motion/keypoint"
)

// reader reads the frames of a movie, checks their number and size, and selects those to look at.
type reader struct {
	frames Frames
	max    int
	rate   float64 // looks per second; 0: all frames are looked at

	times     []float64 // of the frames read so far
	looks     []int     // the frames to look at among them
	scene     int       // first look of the scene that the latest look belongs to
	size      image.Point
	thumbnail thumbnail // of the latest frame
	ahead     *decoded  // the frame after the latest look, if it has been read
}

// decoded is a frame of a movie.
type decoded struct {
	Picture
	frame int
	cut   bool // it is the first of a scene
}

func newReader(frames Frames, most int, rate float64) (reader, error) {
	if frames == nil {
		return reader{}, missing("movie")
	}
	if !(rate >= 0) || math.IsInf(rate, 1) {
		return reader{}, fmt.Errorf("%w option Rate: %v looks per second, want a positive number, or 0 for a look at every frame", keypoint.ErrInvalid, rate)
	}
	return reader{frames: frames, max: most, rate: rate}, nil
}

const (
	// looksApart is the least time between two looks in intervals of the rate. It is less than 1
	// because times are rounded and cameras are not quite regular.
	looksApart = 0.9
	// pauseBetween is the time between two looks, in intervals, that is a pause of the movie.
	pauseBetween = 2
)

// read returns the next frame to look at and releases those before it, io.EOF after the last one. Besides the frames
// that are due by the rate, these are the first and the last one of each scene, and the last one before a pause.
func (r *reader) read() (Picture, error) {
	f, err := r.decode()
	for err == nil && !f.cut && r.rate > 0 && r.since(f) < looksApart {
		var after decoded
		if after, err = r.decode(); err == io.EOF {
			err = nil
			break
		}
		if err == nil && (after.cut || r.since(after) > pauseBetween) {
			r.ahead = &after
			break
		}
		release(f.Picture)
		f = after
	}
	if err != nil {
		return Picture{}, err
	}
	if f.cut {
		r.scene = len(r.looks)
	}
	r.looks = append(r.looks, f.frame)
	return f.Picture, nil
}

// since returns the intervals of the rate between the latest look and a frame.
func (r *reader) since(f decoded) float64 { return (f.Time - r.times[r.latest()]) * r.rate }

// latest returns the frame of the latest look.
func (r *reader) latest() int { return r.looks[len(r.looks)-1] }

// decode returns the frame that has been read ahead, or else the next one, io.EOF after the last.
func (r *reader) decode() (decoded, error) {
	if f := r.ahead; f != nil {
		r.ahead = nil
		return *f, nil
	}
	pic, err := r.frames.Next()
	if err != nil {
		return decoded{}, err
	}
	n, size := len(r.times), pic.Image.Bounds().Size()
	switch {
	case r.max > 0 && n+1 >= r.max:
		err = fmt.Errorf("%w: there are not fewer than %d", ErrTooManyFrames, r.max)
	case n == 0:
		r.size = size
	case size != r.size:
		err = fmt.Errorf("%w: frame %d is %v pixels, the first one %v", ErrFormat, n, size, r.size)
	}
	if err != nil {
		release(pic)
		return decoded{}, err
	}
	thumbnail := thumbnailOf(pic.Image)
	cut := n == 0 || thumbnail.cut(&r.thumbnail)
	r.thumbnail = thumbnail
	r.times = append(r.times, pic.Time)
	return decoded{pic, n, cut}, nil
}

// close releases the frame that has been read ahead.
func (r *reader) close() {
	if r.ahead != nil {
		release(r.ahead.Picture)
		r.ahead = nil
	}
}

// whole returns the recording of all frames from that of the looks.
func (r *reader) whole(looks keypoint.Sequence) keypoint.Sequence {
	looks.Size, looks.Damage = r.size, r.frames.Info().Damage
	if len(r.looks) == len(r.times) {
		return looks
	}
	all := keypoint.Sequence{Frames: make([]keypoint.Frame, len(r.times)), Times: slices.Clone(r.times), Size: r.size, Looks: slices.Clone(r.looks), Damage: looks.Damage}
	for k, frame := range r.looks {
		all.Frames[frame] = looks.Frames[k]
	}
	for _, k := range looks.PersonChanges {
		all.PersonChanges = append(all.PersonChanges, r.looks[k])
	}
	return all
}

// thumbnail is the brightness of a frame at the points of a grid.
type thumbnail [thumbnailRows * thumbnailColumns]uint8

const (
	thumbnailRows, thumbnailColumns = 12, 16
	cutChange                       = 40 // median change of brightness over the grid, 0 to 255
)

func thumbnailOf(img image.Image) (s thumbnail) {
	b := img.Bounds()
	for row := range thumbnailRows {
		y := b.Min.Y + (2*row+1)*b.Dy()/(2*thumbnailRows)
		for column := range thumbnailColumns {
			x := b.Min.X + (2*column+1)*b.Dx()/(2*thumbnailColumns)
			r, g, bl, _ := img.At(x, y).RGBA()
			s[row*thumbnailColumns+column] = uint8((299*r + 587*g + 114*bl) / 1000 >> 8)
		}
	}
	return s
}

// cut reports whether another scene begins: the brightness of more than half of the picture jumps.
func (s *thumbnail) cut(before *thumbnail) bool {
	changed := 0
	for i := range s {
		d := int(s[i]) - int(before[i])
		if d > cutChange || d < -cutChange {
			changed++
		}
	}
	return 2*changed > len(s)
}

func release(p Picture) {
	if p.Release != nil {
		p.Release()
	}
}
