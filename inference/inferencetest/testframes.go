package inferencetest

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"image"
	"io"
	"math"
	"testing"
	"time"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit/fakes"
)

// How many pictures a driver may have in use at a time.
const minBuffers, maxBuffers = 6, 64

// TestFrames tests the promises of inference.Frames. open starts a movie from its first frame, with a context that ends its decoding;
// frames is the number of frames, more than the driver has buffers. open may return an error only if its context has ended.
func TestFrames(t *testing.T, open func(context.Context) (inference.Frames, error), frames int) {
	start := func(t *testing.T, ctx context.Context) inference.Frames {
		t.Helper()
		m, err := open(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	first := start(t, t.Context())
	want := readAll(t, first, frames)
	closeFrames(t, first)
	t.Run("again", func(t *testing.T) {
		check := leaks(t)
		m := start(t, t.Context())
		for i, sum := range readAll(t, m, frames) {
			if sum != want[i] {
				t.Fatalf("frame %d differs between two runs", i)
			}
		}
		closeFrames(t, m)
		check()
	})
	t.Run("bounded buffers", func(t *testing.T) {
		check := leaks(t)
		m := start(t, t.Context())
		hold(t, m, want)
		closeFrames(t, m)
		check()
	})
	for _, n := range []int{0, 1, frames / 2, frames} {
		t.Run(fmt.Sprintf("closed after %d frames", n), func(t *testing.T) {
			check := leaks(t)
			m := start(t, t.Context())
			for range n {
				release(next(t, m))
			}
			closeFrames(t, m)
			check()
			if _, err := m.Next(); err == nil {
				t.Error("Next after Close returns a picture")
			}
			closeFrames(t, m)
		})
	}
	t.Run("closed while pictures are in use", func(t *testing.T) {
		check := leaks(t)
		m := start(t, t.Context())
		next(t, m)
		closeFrames(t, m)
		check()
	})
	t.Run("context", func(t *testing.T) { contextOfFrames(t, start) })
}

func release(p inference.Picture) {
	if p.Release != nil {
		p.Release()
	}
}

// next returns the next frame.
func next(t *testing.T, m inference.Frames) inference.Picture {
	t.Helper()
	p, err := m.Next()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// closeFrames closes m.
func closeFrames(t *testing.T, m inference.Frames) {
	t.Helper()
	if err := m.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// sumOf returns a number that tells pictures apart.
func sumOf(img image.Image) uint64 {
	h := fnv.New64()
	h.Write(fakes.ToRGBA(img).Pix)
	return h.Sum64()
}

// readAll reads a movie to its end and returns the sums of its pictures. It fails the test
// if they are not as many as wanted, or break a promise.
func readAll(t *testing.T, m inference.Frames, want int) (sums []uint64) {
	t.Helper()
	info, last := m.Info(), -1.0
	if info.Frames != 0 && info.Frames != want {
		t.Errorf("Info: %d frames, want %d or 0", info.Frames, want)
	}
	for {
		p, err := m.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("frame %d: %v", len(sums), err)
		}
		if size := p.Image.Bounds().Size(); size != info.Size {
			t.Errorf("frame %d: %v pixels, Info says %v", len(sums), size, info.Size)
		}
		if !(p.Time >= 0 && p.Time > last) || math.IsInf(p.Time, 0) {
			t.Errorf("frame %d: %v s, after %v s", len(sums), p.Time, last)
		}
		last = p.Time
		sums = append(sums, sumOf(p.Image))
		released := make(chan struct{})
		go func() { // Release may be called from any goroutine
			defer close(released)
			release(p)
		}()
		<-released
	}
	if len(sums) != want {
		t.Fatalf("%d frames, want %d", len(sums), want)
	}
	if _, err := m.Next(); err != io.EOF {
		t.Errorf("Next after io.EOF: %v", err)
	}
	return sums
}

// hold keeps pictures until Next waits for one, and releases them then.
func hold(t *testing.T, m inference.Frames, want []uint64) {
	type result struct {
		p   inference.Picture
		err error
	}
	results := make(chan result, 1)
	var held []inference.Picture
	waits := 0
	for i := 0; i < len(want); {
		go func() {
			p, err := m.Next()
			results <- result{p, err}
		}()
		var r result
		for arrived := false; !arrived; {
			pause := 200 * time.Millisecond
			if len(held) < minBuffers {
				pause = patience
			}
			select {
			case r = <-results:
				arrived = true
			case <-time.After(pause):
				if waits++; len(held) < minBuffers {
					t.Fatalf("Next waits although only %d pictures are in use, want %d or more", len(held), minBuffers)
				}
				first := i - len(held)
				if sumOf(held[0].Image) != want[first] {
					t.Errorf("frame %d has changed before it was released", first)
				}
				release(held[0])
				held = held[1:]
			}
		}
		if r.err != nil {
			t.Fatalf("frame %d: %v", i, r.err)
		}
		i++
		if held = append(held, r.p); len(held) > maxBuffers || len(held) == len(want) {
			t.Fatalf("%d pictures are in use, and Next does not wait", len(held))
		}
		if waits > 2 { // seen often enough
			for _, p := range held {
				release(p)
			}
			return
		}
	}
}

// contextOfFrames tests what the end of a context does.
func contextOfFrames(t *testing.T, start func(*testing.T, context.Context) inference.Frames) {
	for _, c := range []struct {
		name string
		hold bool
	}{{"while decoding", false}, {"while Next waits for a buffer", true}} {
		t.Run(c.name, func(t *testing.T) {
			check := leaks(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			m := start(t, ctx)
			p := next(t, m)
			ended := make(chan error, 1)
			go func() {
				for {
					if !c.hold {
						release(p)
					}
					var err error
					if p, err = m.Next(); err != nil {
						ended <- err
						return
					}
					if !c.hold {
						cancel()
					}
				}
			}()
			if c.hold {
				<-time.After(50 * time.Millisecond)
			}
			cancel()
			select {
			case err := <-ended:
				if !errors.Is(err, context.Canceled) {
					t.Errorf("Next returns %v, want the context's error", err)
				}
				if _, again := m.Next(); !errors.Is(again, context.Canceled) {
					t.Errorf("Next returns %v after %v", again, err)
				}
				closeFrames(t, m)
				check()
			case <-time.After(patience):
				t.Error("Next does not return")
			}
		})
	}
}
