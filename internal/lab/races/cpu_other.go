//go:build !unix

package main

import "time"

// cpuTime is not implemented for this system.
func cpuTime() time.Duration { return 0 }
