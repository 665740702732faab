package live_test

import (
	"context"
	"image"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/inference/inferencetest"
)

// TestEnds: each end of a connection has its code and its reason, and nothing is left of it.
func TestEnds(t *testing.T) {
	for name, c := range map[string]struct {
		code   websocket.StatusCode
		reason string
		opt    live.Options
		do     func(client, *live.Handler)
	}{
		"silence":          {1008, "nothing was received for 30 s", live.Options{}, func(client, *live.Handler) {}},
		"text":             {1008, `want binary messages with pictures, or the text {"type":"end"}`, live.Options{}, func(c client, _ *live.Handler) { c.text("{}") }},
		"not JSON":         {1008, `want binary messages with pictures, or the text {"type":"end"}`, live.Options{}, func(c client, _ *live.Handler) { c.text("end") }},
		"more than an end": {1008, `want binary messages with pictures, or the text {"type":"end"}`, live.Options{}, func(c client, _ *live.Handler) { c.text(`{"type": "end", "x": 1}`) }},
		"drain":            {1001, "the service is shutting down", live.Options{}, func(_ client, h *live.Handler) { h.Drain() }},
		"large": {1009, "read limited at 500009 bytes", live.Options{MaxPictureBytes: 500_000}, func(c client, _ *live.Handler) {
			go c.Write(c.Context(), websocket.MessageBinary, make([]byte, 1_000_000))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				h := handler(t, inferencetest.Estimator{}, c.opt)
				client := start(t, serve(t, h), "a", none)
				c.do(client, h)
				client.closed(c.code, c.reason)
			})
		})
	}
}

// TestFirstMessage: the first message must come soon, and be text.
func TestFirstMessage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := serve(t, handler(t, inferencetest.Estimator{}, live.Options{}))
		dial(t, network, "a").closed(websocket.StatusPolicyViolation, "nothing was received for 30 s")
		c := dial(t, network, "a")
		c.picture(0, nil)
		c.closed(websocket.StatusPolicyViolation, "the first message has to be text")
	})
}

// TestTrickle: a message that comes byte by byte is silence.
func TestTrickle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := start(t, serve(t, handler(t, inferencetest.Estimator{}, live.Options{})), "a", none)
		var sender sync.WaitGroup
		sender.Go(func() {
			w, err := c.Writer(t.Context(), websocket.MessageBinary)
			for err == nil {
				time.Sleep(time.Second)
				_, err = w.Write(make([]byte, 5000))
			}
		})
		c.closed(websocket.StatusPolicyViolation, "nothing was received for 30 s")
		sender.Wait()
	})
}

// TestToken: a connection ends soon after its token is no longer valid, or is another client's; an outage of
// what knows the tokens does not end it.
func TestToken(t *testing.T) {
	for _, later := range []string{"expired", "b", "outage"} {
		synctest.Test(t, func(t *testing.T) {
			var asked atomic.Int32
			tokens := func(r *http.Request) (httpapi.Identity, error) {
				if asked.Add(1) > 2 {
					r = r.Clone(r.Context())
					r.Header.Set("Authorization", "Bearer "+later)
				}
				return clients(r)
			}
			network := serve(t, handler(t, inferencetest.Estimator{}, live.Options{Authenticator: tokens}))
			c := start(t, network, "a", none)
			begin, file := time.Now(), photo(t, size)
			for i := uint64(0); time.Since(begin) < 29*time.Second; i++ {
				c.picture(i, file)
				c.read()
				time.Sleep(time.Second)
			}
			if later != "outage" {
				c.closed(websocket.StatusPolicyViolation, "the access token is no longer valid")
				return
			}
			time.Sleep(2 * time.Second)
			c.text(`{"type": "end"}`)
			if m := c.read(); m.Type != "end" {
				t.Errorf("%+v", m)
			}
			c.closed(websocket.StatusNormalClosure, "the end, as asked for")
		})
	}
}

// TestStalledClient: a client that does not read is cut off, and its place is free.
func TestStalledClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := serve(t, handler(t, inferencetest.Estimator{}, live.Options{ClientSessions: 1}))
		c := start(t, network, "a", none)
		begin, file := time.Now(), photo(t, size)
		for i := uint64(0); c.Write(t.Context(), websocket.MessageBinary, append([]byte{0, 0, 0, 0, 0, 0, byte(i >> 8), byte(i)}, file...)) == nil; i++ {
			if time.Sleep(time.Second / 30); time.Since(begin) > time.Minute {
				t.Fatal("the connection goes on")
			}
		}
		synctest.Wait()
		start(t, network, "a", none)
	})
}

// TestLostClient: when a client vanishes, the look at its picture ends.
func TestLostClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		est := inferencetest.Estimator{Before: func(ctx context.Context, _ image.Image) error {
			<-ctx.Done()
			ended <- ctx.Err()
			return ctx.Err()
		}}
		c := start(t, serve(t, handler(t, est, live.Options{})), "a", none)
		c.picture(0, photo(t, size))
		synctest.Wait()
		c.CloseNow()
		<-ended
	})
}

// TestPanic: the panic of an estimator ends its connection, and no other.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		est := inferencetest.Estimator{Before: func(context.Context, image.Image) error {
			if calls.Add(1) == 1 {
				panic("a fault")
			}
			return nil
		}}
		network := serve(t, handler(t, est, live.Options{}))
		other := start(t, network, "a", none)
		c := start(t, network, "a", none)
		c.picture(0, photo(t, size))
		c.closed(websocket.StatusInternalError, "there is a problem on the service")
		for i := range uint64(3) { // more than places
			other.picture(i, photo(t, size))
			if m := other.read(); m.Type != "update" {
				t.Errorf("%+v", m)
			}
		}
	})
}

// TestShutdown: Shutdown waits for the connections, no longer than it may, also for one that does not read.
func TestShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handler(t, inferencetest.Estimator{}, live.Options{})
		c := start(t, serve(t, h), "a", none)
		c.picture(0, photo(t, size)) // nobody reads the answer
		synctest.Wait()
		soon, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if err := h.Shutdown(soon); err != context.DeadlineExceeded {
			t.Error(err)
		}
		begin := time.Now()
		if err := h.Shutdown(t.Context()); err != nil || time.Since(begin) > 15*time.Second {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
	})
	over, stop := context.WithCancel(t.Context())
	stop()
	h := handler(t, inferencetest.Estimator{}, live.Options{})
	if err := h.Shutdown(over); err != nil {
		t.Errorf("without connections: %v", err)
	}
}

// TestWatching: somebody who never lets time pass cannot fill the memory while a person is being chosen.
func TestWatching(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := start(t, serve(t, handler(t, inferencetest.Estimator{}, live.Options{})), "a", `{"choose": {"policy": "mostMovement"}}`)
		file := encoded(t, inferencetest.Picture(image.Pt(32, 32), image.Rect(8, 4, 24, 28)))
		for i := range uint64(600) {
			c.picture(i, file)
			if m := c.read(); m.Type != "update" || len(m.Keypoint) > 0 {
				t.Fatalf("%+v", m)
			}
		}
		c.picture(600, file)
		c.closed(websocket.StatusPolicyViolation, "too many pictures before the person is chosen")
	})
}
