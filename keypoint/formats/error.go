package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/keypoint"
)

// Error is a mistake in an input, with its place. It is a keypoint.ErrInvalid.
type Error struct {
	Format string // such as "CSV"
	File   string // the file of a folder; "" for a single input
	Line   int    // from 1; 0 for JSON and for mistakes of the whole input
	Member string // the column, header or option, or a JSON Pointer; "" for none
	Detail string // what is wrong and what was expected
}

// Error returns the place and what is wrong in one line.
func (e *Error) Error() string {
	line := ""
	if e.Line > 0 {
		line = "line " + strconv.Itoa(e.Line)
	}
	parts := []string{e.Format, e.File, line, e.Member, e.Detail}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ": ")
}

// Is reports whether target is keypoint.ErrInvalid.
func (e *Error) Is(target error) bool { return target == keypoint.ErrInvalid }

// wrong returns an Error about a member of an input without lines, or of options.
func wrong(format, member, detail string, args ...any) error {
	return &Error{Format: format, Member: member, Detail: fmt.Sprintf(detail, args...)}
}
