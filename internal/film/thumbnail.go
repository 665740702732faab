package film

import (
	"bytes"
	"image"
	"image/jpeg"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/yuv"
)

// Thumbnail returns a small picture as JPEG, its longer side 320 pixels at most.
func Thumbnail(img image.Image) ([]byte, error) {
	var b bytes.Buffer
	if m, ok := img.(*yuv.Image); ok {
		rgba := image.NewRGBA(m.Bounds())
		m.ToRGBA(rgba)
		img = rgba
	}
	err := jpeg.Encode(&b, Shrunk(img, 320), &jpeg.Options{Quality: 85})
	return b.Bytes(), err
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
