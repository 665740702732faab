//go:build !amd64 || purego

package trig

func atan2AVX2(_, _, _ []float64) int { return 0 }
