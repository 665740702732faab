package live_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/jpeg"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/inference/inferencetest"
)

// TestConversation: a connection from the first message to the end.
func TestConversation(t *testing.T) {
	h, err := live.New(inferencetest.Estimator{}, live.Options{Authenticator: httpapi.AuthenticatorFunc(auth)})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	conn, _, err := websocket.Dial(t.Context(), s.URL, &websocket.DialOptions{Subprotocols: []string{live.Protocol, "bearer.x"}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	for _, step := range []struct {
		kind    websocket.MessageType
		message string
		want    string
	}{
		{websocket.MessageText, `{"rule": [{"analysisType": "kneeFlexion", "side": "left", "repetitions": true}]}`, `{"type":"ready","maxPictureBytes":2097152,"maxPixels":2073600}`},
		{websocket.MessageBinary, string(picture(t, 33_000)), `{"type":"update","number":0,"time":0.033,"size":[160,120],"keypoint":{"nose":[80,15],`},
		{websocket.MessageText, `{"type": "end"}`, `{"type":"end","pictures":1,"dropped":0,"repetitions":[{"count":0,"complete":0,"last":null}]}`},
	} {
		if err := conn.Write(t.Context(), step.kind, []byte(step.message)); err != nil {
			t.Fatal(err)
		}
		if _, got, err := conn.Read(t.Context()); err != nil || !strings.HasPrefix(string(got), step.want) {
			t.Fatalf("got %s, %v, want %s", got, err, step.want)
		}
	}
	if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("the end: %v", err)
	}
}

func auth(r *http.Request) (httpapi.Identity, error) {
	if r.Header.Get("Authorization") != "Bearer x" {
		return httpapi.Identity{}, httpapi.ErrUnauthenticated
	}
	return httpapi.Identity{Client: "a"}, nil
}

func picture(t *testing.T, us uint64) []byte {
	var b bytes.Buffer
	b.Write(binary.BigEndian.AppendUint64(nil, us))
	if err := jpeg.Encode(&b, inferencetest.Picture(image.Pt(160, 120), image.Rect(60, 10, 100, 110)), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
