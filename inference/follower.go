package inference

import (
	"context"
	"fmt"
	"image"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// Follower follows a person through pictures that come one at a time, as from a camera. It chooses,
// follows, loses and finds the person as Extract does with one frame InFlight, but searches in every picture
// while nobody is there. It needs the same memory however many pictures come. It is not safe for concurrent use.
type Follower struct {
	follower
	feet      bool
	size      image.Point
	thumbnail thumbnail
	scene     int      // first picture of the scene
	latest    float64  // time of the latest picture, seconds
	watched   *tracker // while the choice watches
}

// Followed is the person in a picture.
type Followed struct {
	Frame keypoint.Frame // the keypoints in pixels; it is empty if the person is not visible, or not chosen yet
	// Changed reports that somebody else is followed from this picture on, or after a cut anybody: one of the PersonChanges of a recording.
	Changed bool
}

// NewFollower returns a Follower. Of the options, Choose and Feet count. A Choice that watches needs an
// Estimator that is a Finder, else the error is ErrNoFinder.
func NewFollower(est Estimator, opt ExtractOptions) (*Follower, error) {
	who, err := newFollower(est, opt.Choose)
	if err != nil {
		return nil, err
	}
	f := &Follower{follower: who, feet: opt.Feet}
	if _, ok := opt.Choose.Watch(); ok {
		if f.watched, err = newTracker(est, ExtractOptions{}); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// Next finds the person in the next picture. seconds is its time, which must be finite and after that of the picture before,
// else the error is a keypoint.ErrInvalid. A picture of another size than the first one is an ErrFormat. After an error the
// Follower is as it was before, apart from the tracks of a Choice that watches. While it watches, the Frames are empty.
func (f *Follower) Next(ctx context.Context, img image.Image, seconds float64) (Followed, error) {
	if err := checkPicture(img); err != nil {
		return Followed{}, err
	}
	first := f.size == image.Point{}
	size := img.Bounds().Size()
	switch {
	case math.IsNaN(seconds) || math.IsInf(seconds, 0) || !first && seconds <= f.latest:
		return Followed{}, fmt.Errorf("%w time: %v s, want a finite time after that of the picture before, %v s", keypoint.ErrInvalid, seconds, f.latest)
	case !first && size != f.size:
		return Followed{}, fmt.Errorf("%w: a picture is %v pixels, the first one %v", ErrFormat, size, f.size)
	}
	pic := Picture{Image: img, Time: seconds}
	thumbnail := thumbnailOf(img)
	scene := f.scene
	if !first && thumbnail.cut(&f.thumbnail) {
		scene = f.count
		if f.watched != nil {
			scene = len(f.watched.times) // they are looks when the chooser has watched
		}
	}
	var found keypoint.Frame
	changed := false
	if f.watched != nil {
		if err := f.watched.step(ctx, pic); err != nil {
			return Followed{}, err
		}
		if watch, _ := f.choose.Watch(); seconds-f.watched.times[0] >= watch {
			frames, times := f.watched.chosenBy(f.choose, img.Bounds()), f.watched.times
			f.watched = nil
			for i := range frames {
				found, changed = f.add(frames[i], times[i], 0, nil)
			}
		}
	} else {
		state := f.state(scene, f.count-2, seconds)
		frame, err := f.estimate(ctx, pic, state)
		if err != nil {
			return Followed{}, err
		}
		found, changed = f.add(frame, seconds, scene, state.memory)
	}
	f.size, f.thumbnail, f.scene, f.latest = size, thumbnail, scene, seconds
	return Followed{withoutFeet(found, f.feet), changed}, nil
}
