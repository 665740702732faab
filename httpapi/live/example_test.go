package live_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/inference/inferencetest"
)

// update is what this client reads of the messages.
type update struct {
	Type     string
	Detail   string // of a problem
	Time     float64
	Keypoint map[string][2]float64
	Values   []*float64
	Dropped  int
	Pictures int // of the end
}

// Example is a whole program with a service and a client. A real service has pose.Fast in place of the fake estimator, and real tokens.
func Example() {
	auth := func(r *http.Request) (httpapi.Identity, error) {
		if r.Header.Get("Authorization") != "Bearer secret" {
			return httpapi.Identity{}, httpapi.ErrUnauthenticated
		}
		return httpapi.Identity{Client: "app"}, nil
	}
	handler, err := live.New(inferencetest.Estimator{}, live.Options{Authenticator: auth})
	if err != nil {
		log.Fatal(err)
	}
	service := httptest.NewServer(handler)
	defer service.Close()

	if err := watch(service.URL, "secret"); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 0.000 s: the knee is at [88 85], 25 px below the hip
	// 0.033 s: the knee is at [88 85], 25 px below the hip
	// 0.067 s: the knee is at [88 85], 25 px below the hip
	// 3 pictures, 0 dropped
}

// watch sends three pictures.
func watch(url, token string) error {
	ctx := context.Background()
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{Subprotocols: []string{live.Protocol, "bearer." + token}})
	if err != nil {
		return err
	}
	defer conn.CloseNow()
	rules := `{"rule": [{"analysisType": "verticalDifference", "points": ["leftKnee", "leftHip"]}]}`
	if err := conn.Write(ctx, websocket.MessageText, []byte(rules)); err != nil {
		return err
	}
	if _, err := read(ctx, conn); err != nil {
		return err // the service says what is wrong with the rules
	}
	for i := range 3 {
		message := binary.BigEndian.AppendUint64(nil, uint64(i)*33_333) // microseconds
		if err := conn.Write(ctx, websocket.MessageBinary, append(message, camera()...)); err != nil {
			return err
		}
		u, err := read(ctx, conn)
		if err != nil {
			return err
		}
		fmt.Printf("%.3f s: the knee is at %.0f, %.0f px below the hip\n", u.Time, u.Keypoint["leftKnee"], *u.Values[0])
	}
	if err := conn.Write(ctx, websocket.MessageText, []byte(`{"type": "end"}`)); err != nil {
		return err
	}
	end, err := read(ctx, conn)
	if err == nil {
		fmt.Println(end.Pictures, "pictures,", end.Dropped, "dropped")
	}
	return err
}

// read returns the next message. A problem is an error.
func read(ctx context.Context, conn *websocket.Conn) (u update, err error) {
	_, data, err := conn.Read(ctx)
	if err == nil {
		err = json.Unmarshal(data, &u)
	}
	if err == nil && u.Type == "problem" {
		err = errors.New(u.Detail)
	}
	return u, err
}

// camera returns a picture of somebody who stands still.
func camera() []byte {
	var b bytes.Buffer
	img := inferencetest.Picture(image.Pt(160, 120), image.Rect(60, 10, 100, 110))
	if err := jpeg.Encode(&b, img, nil); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}
