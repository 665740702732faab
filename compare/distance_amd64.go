//go:build !purego

package compare

// sums is sumsGo with the four lanes of SSE2, which every amd64 processor has (BenchmarkDTW). out must have the length of b.
//
//go:noescape
func sums(a *pose, b []pose, out []float32)
