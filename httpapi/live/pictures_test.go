package live_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/internal/testkit"
)

const none = `{"rule": []}`

// TestWrongPictures: each is told, and the connection goes on, unless there are many in a row.
func TestWrongPictures(t *testing.T) {
	good := photo(t, size)
	var drawing bytes.Buffer
	if err := png.Encode(&drawing, image.NewGray(image.Rect(0, 0, 10, 10))); err != nil {
		t.Fatal(err)
	}
	scan := good[bytes.Index(good, []byte{0xff, 0xda}) : len(good)-2]
	scans := slices.Concat(good[:len(good)-2], bytes.Repeat(scan, 100), good[len(good)-2:])
	for _, c := range []struct {
		name string
		at   uint64
		file []byte
		want string
	}{
		{"nothing", 1, nil, "unsupported media format: the content is not a JPEG picture"},
		{"PNG", 1, drawing.Bytes(), "unsupported media format: the content is not a JPEG picture"},
		{"cut off", 1, good[:len(good)/2], "unsupported media format: the jpeg picture cannot be decoded: invalid JPEG format: short Huffman data"},
		{"damaged", 1, append(slices.Clone(good[:4]), make([]byte, 500)...), "unsupported media format: the jpeg picture cannot be decoded"},
		{"too many scans", 1, scans, "too many scans: the jpeg picture has more than 100"},
		{"large", 1, photo(t, image.Pt(200, 200)), "too many pixels: 200×200 is not fewer than 30001 pixels"},
		{"other size", 1, photo(t, image.Pt(100, 200)), "unsupported media format: a picture is (100,200) pixels, the first one (160,120)"},
		{"same time", 0, good, "invalid time: 0 s, want a finite time after that of the picture before, 0 s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := start(t, serve(t, handler(t, inferencetest.Estimator{}, live.Options{MaxPixels: 30_000})), "a", none)
				client.picture(0, good)
				if m := client.read(); m.Type != "update" {
					t.Fatalf("%+v", m)
				}
				client.picture(c.at, c.file)
				if m := client.read(); m.Type != "problem" || !strings.HasPrefix(m.Detail, c.want) || m.Time == nil || *m.Time != float64(c.at)/1e6 {
					t.Errorf("%+v, want %s", m, c.want)
				}
				client.picture(2, good)
				if m := client.read(); m.Type != "update" || m.Number != 1 || m.Dropped != 0 {
					t.Errorf("%+v", m)
				}
				for i := range uint64(10) {
					client.picture(2-min(c.at, 1)*i, c.file)
					if m := client.read(); m.Type != "problem" {
						t.Errorf("%+v", m)
					}
				}
				client.closed(websocket.StatusPolicyViolation, "too many pictures in a row cannot be looked at")
			})
		})
	}
}

// TestSlowLivePicture: a picture whose decoding would take many seconds is given up after one.
func TestSlowLivePicture(t *testing.T) {
	s := httptest.NewServer(handler(t, inferencetest.Estimator{}, live.Options{MaxPixels: 50e6}))
	defer s.Close()
	conn, _, err := websocket.Dial(t.Context(), s.URL, &websocket.DialOptions{Subprotocols: []string{live.Protocol, "bearer.a"}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	c := client{t, conn}
	c.text(none)
	c.read()
	c.picture(0, testkit.SlowJPEG(image.Pt(7000, 6000), inference.MaxScans))
	if m := c.read(); m.Detail != "decoding takes too long: the picture needs more than 1s" {
		t.Errorf("%+v", m)
	}
}

// TestShort: a message without a time is told.
func TestShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := start(t, serve(t, handler(t, inferencetest.Estimator{}, live.Options{})), "a", none)
		if err := client.Write(t.Context(), websocket.MessageBinary, make([]byte, 7)); err != nil {
			t.Fatal(err)
		}
		if m := client.read(); m.Type != "problem" || m.Detail != "The message has 7 bytes, want 8 with the time and then a JPEG picture." {
			t.Errorf("%+v", m)
		}
	})
}

// TestNewestWins: of pictures that come faster than they can be looked at, the newest is looked at, and the
// others are told. No answer is late.
func TestNewestWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := inferencetest.Estimator{Before: func(context.Context, image.Image) error {
			time.Sleep(100 * time.Millisecond)
			return nil
		}}
		client := start(t, serve(t, handler(t, slow, live.Options{})), "a", none)
		file, begin := photo(t, size), time.Now()
		const sent = 120
		go func() {
			for i := range uint64(sent) {
				client.picture(i*1e6/30, file)
				time.Sleep(time.Second / 30)
			}
			client.text(`{"type": "end"}`)
		}()
		looked, dropped := 0, 0
		for {
			m := client.read()
			if m.Type == "end" {
				if m.Pictures != looked || m.Dropped != dropped {
					t.Errorf("%+v after %d updates with %d dropped", m, looked, dropped)
				}
				break
			}
			if m.Type != "update" || m.Number != looked {
				t.Fatalf("%+v", m)
			}
			looked, dropped = looked+1, dropped+m.Dropped
			if m.Took > 0.24 || m.Took < 0.1 {
				t.Errorf("picture %d took %v s", m.Number, m.Took)
			}
			if late := time.Since(begin).Seconds() - *m.Time; late > 0.24 {
				t.Errorf("the answer to the picture of %v s comes after %v s", *m.Time, late)
			}
		}
		if looked+dropped != sent || looked < 35 || looked > 41 {
			t.Errorf("%d updates, %d dropped", looked, dropped)
		}
		client.closed(websocket.StatusNormalClosure, "the end, as asked for")
	})
}

// TestTurns: a client who sends much on many connections keeps another one waiting for one picture only.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var atOnce, most atomic.Int32
		slow := inferencetest.Estimator{Before: func(context.Context, image.Image) error {
			most.Store(max(most.Load(), atOnce.Add(1)))
			time.Sleep(100 * time.Millisecond)
			atOnce.Add(-1)
			return nil
		}}
		network := serve(t, handler(t, slow, live.Options{ClientSessions: 50, Sessions: 100}))
		file := photo(t, size)
		var senders sync.WaitGroup
		t.Cleanup(senders.Wait)
		for range 20 {
			busy := start(t, network, "a", none)
			senders.Go(func() {
				for i := uint64(0); busy.Write(t.Context(), websocket.MessageBinary, append([]byte{0, 0, 0, 0, 0, 0, 0, byte(i)}, file...)) == nil; i++ {
					time.Sleep(50 * time.Millisecond)
				}
			})
			senders.Go(func() {
				for _, _, err := busy.Read(t.Context()); err == nil; _, _, err = busy.Read(t.Context()) {
				}
			})
		}
		other := start(t, network, "b", none)
		for i := range uint64(5) {
			time.Sleep(300 * time.Millisecond)
			begin := time.Now()
			other.picture(i, file)
			if m := other.read(); m.Type != "update" || time.Since(begin) > 310*time.Millisecond {
				t.Errorf("%s after %v", m.Type, time.Since(begin))
			}
		}
		if most.Load() < 2 {
			t.Errorf("%d pictures are looked at at once", most.Load())
		}
	})
}

// TestEstimatorFails: an error of the networks is told without its text, and the connection goes on.
func TestEstimatorFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls atomic.Int32
		est := inferencetest.Estimator{Before: func(context.Context, image.Image) error {
			if calls.Add(1) == 1 {
				return errors.New("secret")
			}
			return nil
		}}
		client := start(t, serve(t, handler(t, est, live.Options{})), "a", none)
		client.picture(1, photo(t, size))
		if m := client.read(); m.Type != "problem" || m.Detail != "There is a problem on the service." {
			t.Errorf("%+v", m)
		}
		client.picture(2, photo(t, size))
		if m := client.read(); m.Type != "update" {
			t.Errorf("%+v", m)
		}
	})
}
