package motion

import (
	"errors"
	"fmt"
	"strings"

	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/worker"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage"
)

// The kinds of error that the methods of Service return; test with errors.Is. All other errors are faults of the service or of its storage.
var (
	ErrInvalid     = storage.ErrInvalid     // the request is wrong; a *RequestError names the field
	ErrNotFound    = storage.ErrNotFound    // there is no such record, or it belongs to another owner
	ErrConflict    = storage.ErrConflict    // the state of a record does not allow it
	ErrTooLarge    = storage.ErrTooLarge    // an upload exceeds Limits.UploadBytes
	ErrUnavailable = storage.ErrUnavailable // trying again later may help
)

// ErrNotReady is the error of reading a result that does not exist: the record has not reached
// SUCCESS, or comes from a list. It is an ErrConflict.
var ErrNotReady = fmt.Errorf("%w: there is no result yet: wait until the record is SUCCESS, and read it by its id", ErrConflict)

// errWorkOnly is the error of methods that create records or take files, with WorkOnly.
var errWorkOnly = errors.New("motion: this Service only works: its Config.Role is WorkOnly")

// RequestError says which field of a request is wrong. It is an ErrInvalid.
type RequestError struct {
	Field string // in the spelling of the API, such as "contentMd5" or "rule"
	Err   error  // what is wrong; for rules, keypoint.FieldErrors
}

func (e *RequestError) Error() string { return e.Field + ": " + e.Err.Error() }

// Unwrap returns ErrInvalid and the reason.
func (e *RequestError) Unwrap() []error { return []error{ErrInvalid, e.Err} }

func badRequest(field, format string, args ...any) error {
	return &RequestError{Field: field, Err: fmt.Errorf(format, args...)}
}

// inField makes an error that of a field of a request; nil stays nil.
func inField(field string, err error) error {
	if err == nil {
		return nil
	}
	return &RequestError{field, err}
}

// inFirstField makes mistakes in a request those in the first field that has one; nil stays nil.
func inFirstField(err error) error {
	var wrong keypoint.FieldErrors
	if !errors.As(err, &wrong) {
		return err
	}
	field, _, _ := strings.Cut(strings.TrimPrefix(wrong[0].Pointer, "/"), "/")
	var in keypoint.FieldErrors
	for _, e := range wrong {
		if inside, ok := strings.CutPrefix(e.Pointer, "/"+field); ok {
			in = append(in, &keypoint.FieldError{Pointer: inside, Detail: e.Detail})
		}
	}
	return &RequestError{field, in}
}

// referenceError names the field of a request whose record does not exist.
func referenceError(field string, key storage.Key, err error) error {
	if errors.Is(err, ErrNotFound) {
		return &catalog.Missing{Field: field, Key: key}
	}
	return err
}

// lasting makes a failure of an ErrInvalid about the keypoints of a record: what cannot be computed now cannot be computed later.
func lasting(err error) error {
	if !errors.Is(err, ErrInvalid) {
		return err
	}
	text := strings.TrimSuffix(err.Error(), ".")
	return &worker.Failure{Detail: strings.ToUpper(text[:1]) + text[1:] + "."}
}

// Key names a request of an owner for a new record, which its client may repeat because it got no answer: if storage makes the
// record and its answer is lost, the call finds it and returns it. The zero value names none.
type Key struct {
	Name  string // of the request with all that it says
	Again bool   // an earlier request with the key may have made the record, at most a day ago: it is looked for first
}

// ErrDoubt is the error of a request with a Key if nobody knows whether its record was made, because storage did not answer or the
// answer was lost.
var ErrDoubt = errors.New("it is not known whether the record was made")
