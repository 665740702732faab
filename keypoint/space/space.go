// Package space finds where one person is in space, from two to four recordings of the same movement by cameras that
// stand still, at unknown places:
//
//	seq, err := space.Join([]keypoint.Sequence{a, b}, space.Options{BodyHeight: 1.74})
//	if err != nil {
//		return err // says what to do
//	}
//	knee, ok := seq.Frames[0].Positions().At(keypoint.LeftKnee) // metres, y up, the floor at y = 0
//
// The person is the target of calibration. Sync finds when each recording began, and Triangulate where the parts are if the
// cameras are known; Join does all of it.
//
// Sources: epipolar geometry, the Sampson error and triangulation are those of Hartley and Zisserman, Multiple View Geometry in Computer
// Vision (2004), chapters 9 to 12; that bones keep their length is used as in Takahashi et al., Human Pose as Calibration Pattern, CVPR
// Workshops (2018); the soft L1 loss and damped steps as in Triggs et al., Bundle Adjustment, a Modern Synthesis (2000).
//
// The package is pure: no clock, no goroutine, no I/O, no chance, and no function changes its arguments.
package space

import (
	"cmp"
	"fmt"
	"math"

	"github.com/bodymotion/motion/keypoint"
)

// Options say what is known.
type Options struct {
	BodyHeight float64   // of the person in metres, without shoes; 0: unknown, and the unit is the torso length
	Focal      []float64 // focal length of each camera in pixels; 0 or nil: it is found
}

// Reason is why recordings cannot be joined:
//
//	noOverlap      they do not show the same time
//	angle          the cameras are less than 40 or more than 150 degrees apart, seen from the person
//	notSame        not the same movement of the same person
//	still          the person moves too little to tell where the cameras stand
//	tooLittleSeen  too few parts are seen by two cameras at once
type Reason string

const (
	noOverlap     Reason = "noOverlap"
	wrongAngle    Reason = "angle"
	notSame       Reason = "notSame"
	standsStill   Reason = "still"
	tooLittleSeen Reason = "tooLittleSeen"
)

// Error says why recordings cannot be joined, and what to do. It is a keypoint.ErrInvalid.
type Error struct {
	Reason Reason
	Detail string // what is wrong, and what to do
}

func (e *Error) Error() string { return e.Detail }

// Unwrap returns keypoint.ErrInvalid.
func (e *Error) Unwrap() error { return keypoint.ErrInvalid }

func refuse(reason Reason, format string, args ...any) *Error {
	return &Error{reason, fmt.Sprintf(format, args...)}
}

// Join returns the first of two to four recordings of one person with positions in space, which are seen from where the cameras are found
// to be. Its left and right are exchanged in the frames in which the other views show that they were mistaken. Recordings that cannot be
// joined are an Error; another number of them, recordings without times or size, and numbers that are no length are an ErrInvalid.
func Join(views []keypoint.Sequence, opt Options) (keypoint.Sequence, error) {
	tracks, err := newTracks(views, opt)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	cameras, err := calibrate(tracks, opt)
	if err != nil {
		return keypoint.Sequence{}, err
	}
	joined, err := triangulate(tracks, cameras, opt.BodyHeight)
	if err == nil {
		err = cmp.Or(same(tracks, cameras, opt.Focal, joined), judge(joined.Space))
	}
	if err != nil {
		return keypoint.Sequence{}, err
	}
	return joined, nil
}

// Triangulate returns the first recording with positions in space from cameras that are known, as Join finds them
// or as a laboratory measures them. A bodyHeight of 0 leaves the unit at the torso length.
func Triangulate(views []keypoint.Sequence, cameras []keypoint.Camera, bodyHeight float64) (keypoint.Sequence, error) {
	tracks, err := newTracks(views, Options{BodyHeight: bodyHeight})
	if err != nil {
		return keypoint.Sequence{}, err
	}
	if len(cameras) != len(views) {
		return keypoint.Sequence{}, fmt.Errorf("%w cameras: %d of %d recordings, want one for each", keypoint.ErrInvalid, len(cameras), len(views))
	}
	if err := (&keypoint.Space{Unit: keypoint.Torso, Cameras: cameras}).Validate(); err != nil {
		return keypoint.Sequence{}, err
	}
	for k, c := range cameras {
		if !(c.Focal > 0) {
			return keypoint.Sequence{}, fmt.Errorf("%w cameras: the focal length of number %d is %v pixels, want more than 0", keypoint.ErrInvalid, k+1, c.Focal)
		}
	}
	return triangulate(tracks, cameras, bodyHeight)
}

const (
	leastViews, mostViews = 2, 4
	tallest               = 3 // metres
)

// newTracks checks what is given.
func newTracks(views []keypoint.Sequence, opt Options) ([]*track, error) {
	invalid := func(format string, args ...any) ([]*track, error) {
		return nil, fmt.Errorf("%w recordings: "+format, append([]any{keypoint.ErrInvalid}, args...)...)
	}
	if len(views) < leastViews || len(views) > mostViews {
		return invalid("%d, want two to four", len(views))
	}
	if !(opt.BodyHeight >= 0 && opt.BodyHeight <= tallest) {
		return invalid("a body height of %v m, want 0 to %d", opt.BodyHeight, tallest)
	}
	if len(opt.Focal) != 0 && len(opt.Focal) != len(views) {
		return invalid("%d focal lengths, want one for each of %d", len(opt.Focal), len(views))
	}
	var tracks []*track
	for k, v := range views {
		if err := v.Validate(); err != nil {
			return nil, err
		}
		if v.Len() < 2 || len(v.Times) != v.Len() || v.Size.X <= 0 || v.Size.Y <= 0 {
			return invalid("number %d has %d frames, %d times and the size %v, want a movie with all of them", k+1, v.Len(), len(v.Times), v.Size)
		}
		if len(opt.Focal) > 0 && (!(opt.Focal[k] >= 0) || math.IsInf(opt.Focal[k], 0)) {
			return invalid("a focal length of %v pixels, want 0 or more", opt.Focal[k])
		}
		tracks = append(tracks, newTrack(v))
	}
	return tracks, nil
}
