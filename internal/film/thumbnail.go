package film

import (
	"bytes"
	"image"
	"image/jpeg"

	xdraw "golang.org/x/image/draw"

	"github.com/bodymotion/motion/inference"
)

// Thumbnail returns a small picture as JPEG, its longer side 320 pixels at most.
func Thumbnail(img image.Image) ([]byte, error) { return small(Shrunk(img, 320)) }

func small(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 85})
	return b.Bytes(), err
}

// Portrait returns the part of a picture around a person as JPEG, upright 4:5, 180 pixels high at most. low and high are
// the corners of what was found of the person, as parts of the width and height.
func Portrait(img image.Image, low, high [2]float64) ([]byte, error) {
	b := img.Bounds()
	w, h := float64(b.Dx()), float64(b.Dy())
	tall := 1.35 * max((high[1]-low[1])*h, (high[0]-low[0])*w) // the head is above the eyes, and room around both
	tall = max(min(tall, h, w*5/4), 1)
	wide := tall * 4 / 5
	x := min(max((low[0]+high[0])/2*w-wide/2, 0), w-wide)
	y := min(max((low[1]+high[1])/2*h-tall*0.52, 0), h-tall)
	cut := image.Rect(int(x), int(y), max(int(x+wide), int(x)+1), max(int(y+tall), int(y)+1)).Add(b.Min).Intersect(b)
	side := min(cut.Dy(), 180)
	dst := image.NewRGBA(image.Rect(0, 0, max(side*4/5, 1), side))
	xdraw.BiLinear.Scale(dst, dst.Rect, img, cut, xdraw.Src, nil)
	return small(dst)
}

// ThumbnailFrame returns the number of the frame that stands for a movie: that at one second, or the middle one of a
// movie shorter than two.
func ThumbnailFrame(info inference.Info) int {
	return max(min(int(info.FrameRate+0.5), info.Frames/2), 0)
}

// WithThumbnail returns the frames, and gives the thumbnail of the movie to take when its frame passes.
func WithThumbnail(frames inference.Frames, take func(jpeg []byte)) inference.Frames {
	return &passing{frames, ThumbnailFrame(frames.Info()), take}
}

type passing struct {
	inference.Frames
	left int // frames before that of the thumbnail
	take func([]byte)
}

func (p *passing) Next() (inference.Picture, error) {
	pic, err := p.Frames.Next()
	if err != nil {
		return pic, err
	}
	if p.left == 0 {
		if thumbnail, err := Thumbnail(pic.Image); err == nil {
			p.take(thumbnail)
		}
	}
	p.left--
	return pic, nil
}
