//go:build !linux

package ffexec

import "os"

// unlink reports that an open file without a name cannot be opened by other programs.
func unlink(*os.File) (path string, ok bool) { return "", false }
