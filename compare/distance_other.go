//go:build !amd64 || purego

package compare

// sums fills out with the sums of the distances of the parts that a and each pose of b have.
func sums(a *pose, b []pose, out []float32) { sumsGo(a, b, out) }
