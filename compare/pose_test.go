package compare

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bodymotion/motion/keypoint"
)

// TestSums checks that the assembly gives what the Go code does.
func TestSums(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	list := make([]pose, 50)
	for i := range list {
		for p := range keypoint.NumBody {
			if r.IntN(4) > 0 {
				list[i].x[p], list[i].y[p], list[i].mask[p] = float32(r.NormFloat64())/2, float32(r.NormFloat64())/2, math.MaxUint32
			}
		}
	}
	list[7].x[3], list[7].mask[3] = float32(math.Inf(1)), math.MaxUint32
	list[8].x[3], list[8].mask[3] = float32(math.Inf(1)), math.MaxUint32 // the difference is no number
	for n := range len(list) + 1 {
		got, want := make([]float32, n+1), make([]float32, n+1)
		got[n], want[n] = 99, 99
		for i := range list {
			sums(&list[i], list[:n], got)
			sumsGo(&list[i], list[:n], want)
			for k := range got {
				if d := math.Abs(float64(got[k] - want[k])); !(d < 1e-5) {
					t.Fatalf("pose %d to %d: %v, want %v", i, k, got[k], want[k])
				}
			}
		}
	}
}
