//go:build !linux

package ffexec

import "os"

// enlarge does nothing: the system chooses the size.
func enlarge(*os.File, int) {}

// unlink reports that an open file without a name cannot be opened by other programs.
func unlink(*os.File) (path string, ok bool) { return "", false }
