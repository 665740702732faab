package motion

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/storage"
)

// The kinds of error that the methods of Service return; test with errors.Is. All other
// errors are faults of the service or of its storage.
var (
	ErrInvalid     = storage.ErrInvalid     // the request is wrong; a *RequestError names the field
	ErrNotFound    = storage.ErrNotFound    // there is no such record, or it belongs to another owner
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

// mediaFailure returns the error of work on the file of a movie or image: that the file is damaged,
// or else what Limits.mediaFailure makes of the error. It reads the file.
func (s *Service) mediaFailure(ctx context.Context, key storage.Key, err error) error {
	if ctx.Err() != nil || errors.Is(err, ErrUnavailable) {
		return err
	}
	if damage := s.keeper.CheckFile(ctx, key); damage != nil {
		return fmt.Errorf("%w (%w)", damage, err)
	}
	return s.cfg.Limits.mediaFailure(key.Kind, err)
}

// mediaFailure turns an error of decoding into the failure that the interface specifies, and
// returns all other errors as they are.
func (l Limits) mediaFailure(kind storage.Kind, err error) error {
	movie := kind == storage.Movies
	var detail string
	switch {
	case errors.Is(err, inference.ErrFormat) && movie:
		detail = "The video format is not supported."
	case errors.Is(err, inference.ErrFormat):
		detail = "The image format is not supported."
	case errors.Is(err, inference.ErrTooManyPixels) && movie:
		detail = fmt.Sprintf("The total number of pixels in a single frame of the video file has to be less than %s.", count(l.FramePixels))
	case errors.Is(err, inference.ErrTooManyPixels):
		detail = fmt.Sprintf("The total number of pixels in the image file has to be less than %s.", count(l.ImagePixels))
	case errors.Is(err, inference.ErrTooManyScans):
		detail = fmt.Sprintf("The total number of scans in the image file has to be at most %d.", inference.MaxScans)
	case errors.Is(err, inference.ErrTooSlow):
		detail = fmt.Sprintf("The time for decoding the image file has to be less than %g seconds.", l.ImageTime.Seconds())
	case errors.Is(err, inference.ErrTooManyFrames):
		detail = fmt.Sprintf("The total number of frames in the video file has to be less than %s.", count(l.Frames))
	default:
		return err
	}
	return &worker.Failure{Detail: detail, Cause: err}
}

// notUploaded is the error of media without a file.
func notUploaded(key storage.Key) error {
	return fmt.Errorf("%w: the file of %s %d has not been uploaded yet: put it to its uploadUrl first", ErrConflict, catalog.Of(key.Kind).Singular, key.ID)
}

// notFormat drops errors about the file and returns those of the service.
func notFormat(err error) error {
	for _, kind := range []error{inference.ErrFormat, inference.ErrTooManyPixels, inference.ErrTooManyFrames, inference.ErrTooSlow} {
		if errors.Is(err, kind) {
			return nil
		}
	}
	return err
}

// lasting makes a failure of an ErrInvalid about the keypoints of a record: what cannot be computed now
// cannot be computed later.
func lasting(err error) error {
	if !errors.Is(err, ErrInvalid) {
		return err
	}
	text := err.Error()
	return &worker.Failure{Detail: strings.ToUpper(text[:1]) + text[1:] + "."}
}

// count writes a limit as the interface does: 12200000 is "12.2 million".
func count(n int) string {
	if n >= 1_000_000 {
		return fmt.Sprintf("%.4g million", float64(n)/1e6)
	}
	return fmt.Sprint(n)
}

// ErrNotReady is the error of reading a result that does not exist: the record has not reached
// SUCCESS, or comes from a list. It is an ErrConflict.
var ErrNotReady = fmt.Errorf("%w: there is no result yet: wait until the record is SUCCESS, and read it by its id", ErrConflict)

// ignoreConflict drops errors that mean that the record was changed or deleted meanwhile.
func ignoreConflict(err error) error {
	if errors.Is(err, ErrConflict) || errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

// referenceError names the field of a request whose record does not exist.
func referenceError(field string, key storage.Key, err error) error {
	if errors.Is(err, ErrNotFound) {
		return fmt.Errorf("%s: %s %d: %w", field, catalog.Of(key.Kind).Singular, key.ID, ErrNotFound)
	}
	return err
}
