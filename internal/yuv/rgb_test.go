package yuv_test

import (
	"bytes"
	"image"
	"math/rand/v2"
	"testing"

	"github.com/bodymotion/motion/internal/yuv"
)

// TestToRGBAOfThisProcessor holds that the code for the processor and the Go code give
// the same bytes, for every width of a row's rest.
func TestToRGBAOfThisProcessor(t *testing.T) {
	compareWidths(t)
}

func compareWidths(t *testing.T) {
	t.Helper()
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
			fast, slow := image.NewRGBA(m.Bounds()), image.NewRGBA(m.Bounds())
			m.ToRGBA(fast)
			m.ToRGBASlowly(slow)
			if !bytes.Equal(fast.Pix, slow.Pix) {
				t.Fatalf("width %d, kind %d: the pictures differ", width, kind)
			}
		}
	}
}

// TestToRGBAOfAllValues does the same for every luma with every pair of chroma values.
func TestToRGBAOfAllValues(t *testing.T) {
	compareValues(t)
}

func compareValues(t *testing.T) {
	t.Helper()
	m := yuv.New(image.Pt(512, 2))
	for kind := range 4 {
		m.Full, m.BT709 = kind&1 != 0, kind&2 != 0
		fast, slow := image.NewRGBA(m.Bounds()), image.NewRGBA(m.Bounds())
		for cb := range 256 {
			for i := range m.Cb {
				m.Cb[i], m.Cr[i] = uint8(cb), uint8(i)
			}
			for y := range 256 {
				for i := range m.Y {
					m.Y[i] = uint8(y)
				}
				if testing.Short() && (y+cb)%17 != 0 {
					continue
				}
				m.ToRGBA(fast)
				m.ToRGBASlowly(slow)
				if !bytes.Equal(fast.Pix, slow.Pix) {
					t.Fatalf("luma %d, Cb %d, kind %d: the pictures differ", y, cb, kind)
				}
			}
		}
	}
}
