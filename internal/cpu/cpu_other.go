//go:build !amd64 || purego

package cpu

// AVX2 reports whether the processor and the system have AVX2.
const AVX2 = false
