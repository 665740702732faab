package keypoint

import "strings"

// FieldError is a mistake in one member of a JSON document, such as a rule.
type FieldError struct {
	Pointer string // JSON Pointer (RFC 6901) into the document; "" is the whole document
	Detail  string // what is wrong and what is expected
}

func (e *FieldError) Error() string {
	if e.Pointer == "" {
		return e.Detail
	}
	return e.Pointer + ": " + e.Detail
}

// FieldErrors are the mistakes in one document, in the order in which they were found.
type FieldErrors []*FieldError

func (e FieldErrors) Error() string {
	lines := make([]string, len(e))
	for i, x := range e {
		if x != nil {
			lines[i] = x.Error()
		}
	}
	return strings.Join(lines, "; ")
}

// Unwrap lets errors.As find each mistake.
func (e FieldErrors) Unwrap() []error {
	list := make([]error, len(e))
	for i, x := range e {
		list[i] = x
	}
	return list
}
