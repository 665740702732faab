//go:build !linux && !darwin && !freebsd && !windows

package file

import (
	"math"
	"os"
)

// noSpace are the errors of a full disk; none is known for this system.
var noSpace []error

// freeSpace is not implemented for this system.
func freeSpace(*os.Root) (free int64, err error) { return math.MaxInt64, nil }
