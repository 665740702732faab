package live_test

import (
	"bytes"
	"encoding/binary"
	"image/jpeg"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/inference/ffmpeg"
	"github.com/bodymotion/motion/inference/pose"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
)

const squats = `{"rule": {"analysisType": "kneeFlexion", "side": "left", "repetitions": true}}`

// film returns every so many pictures of a rendered movie, at most so many, as messages.
func film(t testing.TB, every, most int) (messages [][]byte) {
	t.Helper()
	movie, err := os.Open(testkit.Data(t, "rendered/squat_60.mp4"))
	if err != nil {
		t.Fatal(err)
	}
	defer movie.Close()
	frames, err := ffmpeg.Decoder{}.Open(t.Context(), movie)
	if err != nil {
		t.Fatal(err)
	}
	defer frames.Close()
	for i := 0; len(messages) < most; i++ {
		pic, err := frames.Next()
		if err != nil {
			break
		}
		if i%every == 0 {
			message := bytes.NewBuffer(binary.BigEndian.AppendUint64(nil, uint64(pic.Time*1e6)))
			if err := jpeg.Encode(message, pic.Image, &jpeg.Options{Quality: 80}); err != nil {
				t.Fatal(err)
			}
			messages = append(messages, message.Bytes())
		}
		pic.Release()
	}
	return messages
}

// networks serves live pictures with the networks Fast on this machine, and opens a connection.
func networks(t testing.TB) *websocket.Conn {
	t.Helper()
	est, err := pose.Fast(pose.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, est)
	s := httptest.NewServer(handler(t, est, live.Options{}))
	t.Cleanup(s.Close)
	conn, _, err := websocket.Dial(t.Context(), s.URL, &websocket.DialOptions{Subprotocols: []string{live.Protocol, "bearer.a"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	return conn
}

// TestNetworks counts the squats of a rendered movie, ten pictures a second, over a WebSocket: they are those
// in truth, and those that the analysis of a recording finds in the keypoints. It takes some seconds because
// of the networks.
func TestNetworks(t *testing.T) {
	if testing.Short() {
		t.Skip("short")
	}
	truth := testkit.Rendered(t, "squat_60")
	conn := client{t, networks(t)}
	conn.text(squats)
	conn.read()
	seq := keypoint.Sequence{Size: truth.Seq.Size}
	messages := film(t, 3, truth.Seq.Len())
	for _, m := range messages {
		if err := conn.Write(t.Context(), websocket.MessageBinary, m); err != nil {
			t.Fatal(err)
		}
		u := conn.read()
		if u.Type != "update" || u.Dropped != 0 {
			t.Fatalf("%+v", u)
		}
		var f keypoint.Frame
		for name, at := range u.Keypoint {
			part, err := keypoint.ParsePart(name)
			if err != nil {
				t.Fatal(err)
			}
			f.Set(part, at, 1)
		}
		seq.Frames, seq.Times = append(seq.Frames, f), append(seq.Times, *u.Time)
	}
	conn.text(`{"type": "end"}`)
	end := conn.read()
	rules, err := analyze.ParseRules([]byte(`[{"analysisType": "kneeFlexion", "side": "left", "repetitions": true}]`))
	if err != nil {
		t.Fatal(err)
	}
	results, err := analyze.Run(seq, rules)
	if err != nil {
		t.Fatal(err)
	}
	offline := results[0].Repetitions
	if got := end.Repetitions[0]; end.Pictures != len(messages) || got.Count != len(truth.Reps) || got.Count != len(offline.List) || got.Complete != offline.Complete || got.Last == nil {
		t.Errorf("%d pictures, %+v; %d repetitions in truth, %d and %d complete offline", end.Pictures, got, len(truth.Reps), len(offline.List), offline.Complete)
	}
}

// BenchmarkLive sends a rendered movie of 720p at 30 pictures a second over a WebSocket, over and over. It
// reports how long the answer to a picture takes from when it is due, and the share of dropped pictures.
func BenchmarkLive(b *testing.B) {
	if testing.Short() {
		b.Skip("it takes as long as the movie")
	}
	const rate, seconds = 30, 6
	messages := film(b, 1, 60)
	conn := networks(b)
	if err := conn.Write(b.Context(), websocket.MessageText, []byte(squats)); err != nil {
		b.Fatal(err)
	}
	if _, _, err := conn.Read(b.Context()); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	sent, dropped := 0, 0
	for b.Loop() {
		begin, first := time.Now(), sent
		due := func(n int) time.Time { return begin.Add(time.Duration(n-first) * time.Second / rate) }
		failed := make(chan error, 1)
		go func(n int) {
			for ; n < first+rate*seconds; n++ {
				time.Sleep(time.Until(due(n)))
				binary.BigEndian.PutUint64(messages[n%len(messages)], uint64(n)*1e6/rate)
				if err := conn.Write(b.Context(), websocket.MessageBinary, messages[n%len(messages)]); err != nil {
					failed <- err
					return
				}
			}
			failed <- nil
		}(sent)
		for sent < first+rate*seconds {
			_, data, err := conn.Read(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			u := parsed(b, data)
			n := int(*u.Time*rate + 0.5)
			if n > first { // the first look builds buffers
				took = append(took, time.Since(due(n)))
			}
			dropped += u.Dropped
			sent = n + 1
		}
		if err := <-failed; err != nil {
			b.Fatal(err)
		}
	}
	slices.Sort(took)
	at := func(share float64) float64 { return took[int(share*float64(len(took)-1))].Seconds() * 1e3 }
	b.ReportMetric(at(0.5), "median-ms")
	b.ReportMetric(at(0.99), "p99-ms")
	b.ReportMetric(float64(dropped)/float64(sent), "dropped")
	b.ReportMetric(0, "ns/op")
}
