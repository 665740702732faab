package motion

import (
	"errors"
	"fmt"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/storage"
)

// The kinds of error that the methods of Service return; test with errors.Is.
// Anything else is a fault of the service or of what it stands on.
var (
	ErrInvalid     = storage.ErrInvalid     // the request is wrong; a *RequestError says where
	ErrNotFound    = storage.ErrNotFound    // there is no such record, or it is somebody else's
	ErrConflict    = storage.ErrConflict    // the state of a record does not allow it
	ErrTooLarge    = storage.ErrTooLarge    // an upload exceeds Limits.UploadBytes
	ErrUnavailable = storage.ErrUnavailable // trying again later may help
)

// RequestError says which field of a request is wrong. It is an ErrInvalid.
type RequestError struct {
	Field string // in the spelling of the API, such as "contentMd5" or "rule"
	Err   error  // what is wrong; for rules, keypoint.FieldErrors
}

func (e *RequestError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns the reason.
func (e *RequestError) Unwrap() error { return e.Err }

// Is reports whether target is ErrInvalid.
func (e *RequestError) Is(target error) bool { return target == ErrInvalid }

func badRequest(field, format string, args ...any) error {
	return &RequestError{Field: field, Err: fmt.Errorf(format, args...)}
}

// The messages of failed records, as the interface specifies them.
const (
	failImageFormat = "The image format is not supported."
	failVideoFormat = "The video format is not supported."
	failService     = "There is a problem on the service."
)

// failure is an error that ends a job for good; its text goes to the client.
type failure struct {
	detail string
	cause  error // for the log; may be nil
}

func (f *failure) Error() string {
	if f.cause == nil {
		return f.detail
	}
	return f.detail + " (" + f.cause.Error() + ")"
}

func (f *failure) Unwrap() error { return f.cause }

// mediaFailure turns an error of decoding into the message that the interface has
// for it, and returns every other error as it is.
func (l Limits) mediaFailure(kind storage.Kind, err error) error {
	movie := kind == storage.Movies
	switch {
	case errors.Is(err, inference.ErrFormat) && movie:
		return &failure{failVideoFormat, err}
	case errors.Is(err, inference.ErrFormat):
		return &failure{failImageFormat, err}
	case errors.Is(err, inference.ErrTooManyPixels) && movie:
		return &failure{fmt.Sprintf("The total number of pixels in a single frame of the video file has to be less than %s.", count(l.FramePixels)), err}
	case errors.Is(err, inference.ErrTooManyPixels):
		return &failure{fmt.Sprintf("The total number of pixels in the image file has to be less than %s.", count(l.ImagePixels)), err}
	case errors.Is(err, inference.ErrTooManyFrames):
		return &failure{fmt.Sprintf("The total number of frames in the video file has to be less than %s.", count(l.Frames)), err}
	}
	return err
}

// count writes a limit as the interface does: 12200000 is "12.2 million".
func count(n int) string {
	if n >= 1_000_000 {
		return fmt.Sprintf("%.4g million", float64(n)/1e6)
	}
	return fmt.Sprint(n)
}
