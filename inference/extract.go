package inference

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"

	"github.com/bodymotion/motion/keypoint"
)

// ExtractOptions say how a movie is run through an estimator. The zero value is
// ready to use.
type ExtractOptions struct {
	// MaxFrames is the strict limit of the number of frames; a movie that reaches it
	// gives ErrTooManyFrames. 0 or less means no limit.
	MaxFrames int
	// Progress is called after each frame with the number of frames done and the
	// number the movie's headers promise (0 where they do not tell).
	Progress func(done, total int)
}

// Extract estimates the person in every frame of a movie, one after the other, each
// with the person of the frame before as hint. The result has one frame for each
// decoded one, with its time in seconds. It does not close frames.
func Extract(ctx context.Context, frames Frames, est Estimator, opt ExtractOptions) (keypoint.Sequence, error) {
	info := frames.Info()
	seq := keypoint.Sequence{Size: info.Size}
	var hint Hint
	for {
		pic, err := frames.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return keypoint.Sequence{}, err
		}
		if opt.MaxFrames > 0 && seq.Len()+1 >= opt.MaxFrames {
			release(pic)
			return keypoint.Sequence{}, fmt.Errorf("%w: there are not fewer than %d", ErrTooManyFrames, opt.MaxFrames)
		}
		if size := pic.Image.Bounds().Size(); seq.Len() == 0 {
			seq.Size = size
		} else if size != seq.Size {
			release(pic)
			return keypoint.Sequence{}, fmt.Errorf("%w: frame %d is %v pixels, the first one %v", ErrFormat, seq.Len(), size, seq.Size)
		}
		f, err := est.Estimate(ctx, pic.Image, hint)
		release(pic)
		if err != nil {
			return keypoint.Sequence{}, fmt.Errorf("frame %d: %w", seq.Len(), err)
		}
		hint.Previous = f
		seq.Frames = append(seq.Frames, f)
		seq.Times = append(seq.Times, pic.Time)
		if opt.Progress != nil {
			opt.Progress(seq.Len(), info.Frames)
		}
	}
	if seq.Len() == 0 {
		return keypoint.Sequence{}, fmt.Errorf("%w: the movie has no frame", ErrFormat)
	}
	return seq, nil
}

func release(p Picture) {
	if p.Release != nil {
		p.Release()
	}
}

// ExtractImage estimates the person in a still picture: a Sequence of one frame
// without times.
func ExtractImage(ctx context.Context, img image.Image, est Estimator) (keypoint.Sequence, error) {
	if img == nil || img.Bounds().Empty() {
		return keypoint.Sequence{}, errors.New("the picture has no pixels")
	}
	f, err := est.Estimate(ctx, img, Hint{})
	if err != nil {
		return keypoint.Sequence{}, err
	}
	return keypoint.Sequence{Frames: []keypoint.Frame{f}, Size: img.Bounds().Size()}, nil
}
