package live_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/inference/inferencetest"
)

// TestAsking: a GET without Upgrade tells why a WebSocket would be refused, which a browser hides from
// its page.
func TestAsking(t *testing.T) {
	h, err := live.New(inferencetest.Estimator{}, live.Options{Authenticator: httpapi.AuthenticatorFunc(auth), ClientSessions: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(h)
	defer s.Close()
	ask := func(name, authorization string, want int) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", authorization)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if got := resp.StatusCode; got != want {
			t.Errorf("%s: status %d, want %d", name, got, want)
		}
	}
	ask("nobody", "", http.StatusUpgradeRequired)
	ask("a wrong token", "Bearer y", http.StatusUnauthorized)
	ask("one who may connect", "Bearer x", http.StatusUpgradeRequired)
	conn, _, err := websocket.Dial(t.Context(), s.URL, &websocket.DialOptions{Subprotocols: []string{live.Protocol, "bearer.x"}})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.CloseNow()
	ask("one with a connection", "Bearer x", http.StatusTooManyRequests)
	for _, message := range []struct {
		kind websocket.MessageType
		data []byte
	}{{websocket.MessageText, []byte(`{"rule": []}`)}, {websocket.MessageBinary, picture(t, 1000)}} {
		if err := conn.Write(t.Context(), message.kind, message.data); err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Type string
			Took *float64
		}
		_, data, err := conn.Read(t.Context())
		if err == nil {
			err = json.Unmarshal(data, &answer)
		}
		if err != nil || answer.Type == "problem" || answer.Type == "update" && answer.Took == nil {
			t.Errorf("%s (%v)", data, err)
		}
	}
}
