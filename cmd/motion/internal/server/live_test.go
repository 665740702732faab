package server

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// watched sends a live picture to a server, which must find the person in it. The channel tells how the
// connection, which stays open, ends.
func watched(t *testing.T, url string) <-chan error {
	t.Helper()
	conn, _, err := websocket.Dial(t.Context(), url+"/anymotion/v1/live/", &websocket.DialOptions{Subprotocols: []string{live.Protocol, "bearer." + login(t, url).token}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.CloseNow() })
	ctx := context.WithoutCancel(t.Context())
	err = conn.Write(ctx, websocket.MessageText, []byte(`{"rule": {"analysisType": "kneeFlexion", "side": "left"}}`))
	if err == nil {
		err = conn.Write(ctx, websocket.MessageBinary, append(make([]byte, 8), sample.JPEG()...))
	}
	var m struct {
		Type     string
		Keypoint map[string]any
	}
	for err == nil && m.Type != "update" {
		var data []byte
		if _, data, err = conn.Read(ctx); err == nil {
			err = json.Unmarshal(data, &m)
		}
	}
	if err != nil || len(m.Keypoint) < 17 {
		t.Fatalf("%+v, %v", m, err)
	}
	ended := make(chan error, 1)
	go func() {
		_, data, err := conn.Read(ctx)
		if err == nil {
			err = fmt.Errorf("another message: %s", data)
		}
		ended <- err
	}()
	return ended
}
