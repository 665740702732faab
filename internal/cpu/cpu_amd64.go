//go:build !purego

package cpu

// AVX2 reports whether the processor and the system have AVX2.
var AVX2 = hasAVX2()

func hasAVX2() bool
