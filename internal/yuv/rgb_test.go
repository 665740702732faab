package yuv_test

import (
	"image"
	"math/rand/v2"
	"testing"

	"github.com/bodymotion/motion/internal/yuv"
)

// TestToRGBAOfAllWidths checks that whole rows are converted as single pixels are, for odd and
// even widths.
func TestToRGBAOfAllWidths(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for width := 1; width <= 67; width++ {
		for kind := range 4 {
			m := yuv.New(image.Pt(width, 5))
			m.Full, m.BT709 = kind&1 != 0, kind&2 != 0
			for _, plane := range [][]byte{m.Y, m.Cb, m.Cr} {
				for i := range plane {
					plane[i] = uint8(random.Uint32())
				}
			}
			got := image.NewRGBA(m.Bounds())
			m.ToRGBA(got)
			for y := range 5 {
				for x := range width {
					if want := m.At(x, y); got.RGBAAt(x, y) != want {
						t.Fatalf("width %d, kind %d: pixel (%d, %d) is %v, want %v", width, kind, x, y, got.RGBAAt(x, y), want)
					}
				}
			}
		}
	}
}
