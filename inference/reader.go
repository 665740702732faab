package inference

import (
	"fmt"
	"image"
)

// reader reads the frames of a movie and checks their number and size.
type reader struct {
	frames    Frames
	max       int
	n         int // frames read so far
	scene     int // first frame of the scene that the latest one belongs to
	size      image.Point
	thumbnail thumbnail // of the latest frame
}

// read returns the next frame, io.EOF after the last.
func (r *reader) read() (Picture, error) {
	pic, err := r.frames.Next()
	if err != nil {
		return Picture{}, err
	}
	size := pic.Image.Bounds().Size()
	switch {
	case r.max > 0 && r.n+1 >= r.max:
		err = fmt.Errorf("%w: there are not fewer than %d", ErrTooManyFrames, r.max)
	case r.n == 0:
		r.size = size
	case size != r.size:
		err = fmt.Errorf("%w: frame %d is %v pixels, the first one %v", ErrFormat, r.n, size, r.size)
	}
	if err != nil {
		release(pic)
		return Picture{}, err
	}
	thumbnail := thumbnailOf(pic.Image)
	if r.n > 0 && thumbnail.cut(&r.thumbnail) {
		r.scene = r.n
	}
	r.thumbnail = thumbnail
	r.n++
	return pic, nil
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

// cut reports whether another scene begins: the brightness of more than half of the picture
// jumps.
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
