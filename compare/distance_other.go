//go:build !amd64 || purego

package compare

func sums(a *pose, b []pose, out []float32) { sumsGo(a, b, out) }
