//go:build skewed

package main

import "time"

// setSkew makes the clock of this process wrong.
func setSkew(d time.Duration) { time.SetSkew(d) }
