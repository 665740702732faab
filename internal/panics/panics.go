// Package panics turns panics of what a host supplies into errors, and is the only place that does so for
// goroutines of this module: an Estimator, a Decoder, a Store or a callback must not end the process.
package panics

import (
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
)

// Error is a panic that was recovered.
type Error struct {
	Value any
	Stack string // of the goroutine
}

func (e *Error) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Catch sets *err to an *Error if the function that defers it panics:
//
//	defer panics.Catch(&err)
func Catch(err *error) {
	if p := recover(); p != nil {
		*err = &Error{p, string(debug.Stack())}
	}
}

// Call calls f and returns its error, an *Error if it panics.
func Call(f func() error) (err error) {
	defer Catch(&err)
	return f()
}

// Stack returns the stack of an error that is or wraps an *Error as an attribute of a log line, else no attribute.
func Stack(err error) slog.Attr {
	var p *Error
	if !errors.As(err, &p) {
		return slog.Attr{}
	}
	return slog.String("stack", p.Stack)
}
