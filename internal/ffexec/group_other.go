//go:build !unix

package ffexec

import "os/exec"

// ownGroup does nothing: there are no process groups, the program alone is killed.
func ownGroup(*exec.Cmd) {}
