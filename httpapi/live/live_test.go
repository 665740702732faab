package live_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"encoding/json"
	"errors"
	"image"
	"image/jpeg"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/live"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/inferencetest"
)

// clients authenticates the token "a" as client a, and so on.
var clients = func(r *http.Request) (httpapi.Identity, error) {
	switch token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); token {
	case "a", "b":
		return httpapi.Identity{Client: token}, nil
	case "forbidden":
		return httpapi.Identity{}, httpapi.ErrForbidden
	case "outage":
		return httpapi.Identity{}, motion.ErrUnavailable
	case "nobody":
		return httpapi.Identity{}, nil
	}
	return httpapi.Identity{}, httpapi.ErrUnauthenticated
}

func handler(t testing.TB, est inference.Estimator, opt live.Options) *live.Handler {
	t.Helper()
	if opt.Authenticator == nil {
		opt.Authenticator = clients
	}
	opt.Logger = slog.New(slog.NewTextHandler(t.Output(), nil))
	h, err := live.New(est, opt)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// pipes is a net.Listener in memory, for synctest.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p pipes) Close() error   { close(p); return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{} }

// serve serves a handler in memory, and checks at the end that no connection is left.
func serve(t *testing.T, h *live.Handler) *http.Client {
	listener := make(pipes)
	server := &http.Server{Handler: h}
	go server.Serve(listener)
	t.Cleanup(func() {
		if err := h.Shutdown(context.Background()); err != nil {
			t.Error(err)
		}
		server.Close()
	})
	return &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		listener <- there
		return here, nil
	}}}
}

// client is one end of a connection.
type client struct {
	*testing.T
	*websocket.Conn
}

// dial opens a connection with a token.
func dial(t *testing.T, h *http.Client, token string) client {
	t.Helper()
	conn, answer, err := websocket.Dial(t.Context(), "ws://motion.test/live/", &websocket.DialOptions{HTTPClient: h, Subprotocols: []string{live.Protocol, "bearer." + token}})
	if err != nil {
		t.Fatal(err)
	}
	if got := answer.Header.Get("Sec-WebSocket-Protocol"); got != live.Protocol {
		t.Errorf("the subprotocol is %q", got)
	}
	conn.SetReadLimit(-1)
	t.Cleanup(func() { conn.CloseNow() })
	return client{t, conn}
}

// start opens a connection and sends the first message.
func start(t *testing.T, h *http.Client, token, message string) client {
	t.Helper()
	c := dial(t, h, token)
	c.text(message)
	if m := c.read(); m.Type != "ready" {
		t.Fatalf("%+v instead of ready", m)
	}
	return c
}

func (c client) text(message string) {
	c.Helper()
	if err := c.Write(c.Context(), websocket.MessageText, []byte(message)); err != nil {
		c.Fatal(err)
	}
}

func (c client) picture(microseconds uint64, file []byte) {
	c.Helper()
	if err := c.Write(c.Context(), websocket.MessageBinary, append(binary.BigEndian.AppendUint64(nil, microseconds), file...)); err != nil {
		c.Fatal(err)
	}
}

// message is any message of the service.
type message struct {
	Type            string
	MaxPictureBytes int
	MaxPixels       int
	Detail          string
	Errors          []struct{ Pointer, Detail string }
	Number          int
	Time            *float64
	Size            [2]int
	Filled          []string
	Keypoint        map[string][2]float64
	Values          []any
	Repetitions     []*struct {
		Count, Complete int
		Last            *struct {
			Complete         bool
			Start, Turn, End struct{ Time, Value float64 }
		}
	}
	Exercise *struct {
		Count int
		Last  *struct {
			Outcome          string
			Counted          bool
			Start, Turn, End struct{ Time, Value float64 }
			Sentence         map[string]string
		}
	}
	Dropped, Pictures int
	Took              float64
}

// read reads the next message, which must not be the end of the connection.
func (c client) read() (m message) {
	c.Helper()
	_, data, err := c.Read(c.Context())
	if err != nil {
		c.Fatal(err)
	}
	return parsed(c, data)
}

func parsed(t testing.TB, data []byte) (m message) {
	t.Helper()
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	return m
}

// closed checks how the connection ends.
func (c client) closed(code websocket.StatusCode, reason string) {
	c.Helper()
	_, data, err := c.Read(c.Context())
	var end websocket.CloseError
	if !errors.As(err, &end) || end.Code != code || end.Reason != reason {
		c.Errorf("the connection ends with %s %v, want %v %q", data, err, code, reason)
	}
}

// photo is a JPEG with one person.
func photo(t testing.TB, size image.Point) []byte {
	t.Helper()
	return encoded(t, inferencetest.Picture(size, image.Rect(60, 10, 100, 110)))
}

func encoded(t testing.TB, img image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

var size = image.Pt(160, 120)

var took = regexp.MustCompile(`,"took":[0-9.]+`)

// TestConversation: a connection from the first message to the end, with the token in either place.
func TestConversation(t *testing.T) {
	s := httptest.NewServer(handler(t, inferencetest.Estimator{}, live.Options{}))
	defer s.Close()
	for _, opt := range []websocket.DialOptions{
		{Subprotocols: []string{live.Protocol, "bearer.a"}},
		{Subprotocols: []string{"other", live.Protocol}, HTTPHeader: http.Header{"Authorization": {"Bearer a"}}},
	} {
		conn, _, err := websocket.Dial(t.Context(), s.URL, &opt)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		for _, step := range []struct {
			kind    websocket.MessageType
			message string
			want    string
		}{
			{
				websocket.MessageText, `{"rule": [{"analysisType": "kneeFlexion", "side": "left", "repetitions": true}, {"analysisType": "coordinate", "points": ["nose"]}]}`,
				`{"type":"ready","maxPictureBytes":2097152,"maxPixels":2073600}`,
			},
			{
				websocket.MessageBinary, string(binary.BigEndian.AppendUint64(nil, 33_000)) + string(photo(t, size)),
				`{"type":"update","number":0,"time":0.033,"size":[160,120],"keypoint":{"nose":[80,15],"leftEye":[82,10],"rightEye":[78,10],"leftEar":[84,15],"rightEar":[76,15],` +
					`"leftShoulder":[92,30],"rightShoulder":[68,30],"leftElbow":[98,45],"rightElbow":[62,45],"leftWrist":[100,60],"rightWrist":[60,60],"leftHip":[86,60],"rightHip":[74,60],` +
					`"leftKnee":[88,85],"rightKnee":[72,85],"leftAnkle":[88,110],"rightAnkle":[72,110]},"scores":{"leftAnkle":0.9,"leftEar":0.9,"leftElbow":0.9,"leftEye":0.9,"leftHip":0.9,` +
					`"leftKnee":0.9,"leftShoulder":0.9,"leftWrist":0.9,"nose":0.9,"rightAnkle":0.9,"rightEar":0.9,"rightElbow":0.9,"rightEye":0.9,"rightHip":0.9,"rightKnee":0.9,` +
					`"rightShoulder":0.9,"rightWrist":0.9},"filled":[],"changed":false,"values":[null,[80,15]],"uncertainty":[null,1.26],"why":["outOfPlane",null],"facing":{"view":0,"direction":"front"},"repetitions":[{"count":0,"complete":0,"settled":false,"last":null},null],"lead":null,"notes":[],"dropped":0}`,
			},
			{websocket.MessageText, `{"type": "end"}`, `{"type":"end","pictures":1,"dropped":0,"repetitions":[{"count":0,"complete":0,"settled":false,"last":null},null]}`},
		} {
			if err := conn.Write(t.Context(), step.kind, []byte(step.message)); err != nil {
				t.Fatal(err)
			}
			_, got, err := conn.Read(t.Context())
			if got = took.ReplaceAll(got, nil); err != nil || string(got) != step.want {
				t.Fatalf("got %v\n%s\nwant\n%s", err, got, step.want)
			}
		}
		client{t, conn}.closed(websocket.StatusNormalClosure, "the end, as asked for")
	}
}

// TestRefusals: what is wrong before the connection is answered as the API answers it.
func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := handler(t, inferencetest.Estimator{}, live.Options{Sessions: 2, ClientSessions: 1})
		network := serve(t, h)
		upgrade := http.Header{
			"Connection": {"keep-alive, Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"AAAAAAAAAAAAAAAAAAAAAA=="},
			"Sec-Websocket-Protocol": {live.Protocol}, "Authorization": {"Bearer a"},
		}
		check := func(name, method string, change http.Header, status int, detail string, more http.Header) {
			t.Helper()
			r := httptest.NewRequest(method, "http://motion.test/anymotion/v1/live/", nil)
			r.RequestURI = ""
			for name, values := range upgrade {
				r.Header[name] = values
			}
			for name, values := range change {
				r.Header[name] = values
			}
			answer, err := network.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(answer.Body)
			answer.Body.Close()
			var p struct {
				Status           int
				Detail, Instance string
			}
			if err = errors.Join(err, json.Unmarshal(body, &p)); err != nil || answer.StatusCode != status || p.Status != status || p.Detail != detail || p.Instance != "/anymotion/v1/live/" {
				t.Errorf("%s: %v %d %s", name, err, answer.StatusCode, body)
			}
			if kind := answer.Header.Get("Content-Type"); kind != "application/problem+json" {
				t.Errorf("%s: %s", name, kind)
			}
			for member := range more {
				if got, want := answer.Header.Get(member), more.Get(member); got != want {
					t.Errorf("%s: %s is %q, want %q", name, member, got, want)
				}
			}
		}
		question, err := http.NewRequestWithContext(t.Context(), "OPTIONS", "http://motion.test/anymotion/v1/live/", nil)
		if err != nil {
			t.Fatal(err)
		}
		asked, err := network.Do(question)
		if err != nil || asked.StatusCode != http.StatusNoContent || asked.Header.Get("Allow") != "GET" {
			t.Errorf("whether there are live pictures: %v (%v)", asked, err)
		}
		later := http.Header{"Retry-After": {"5"}}
		check("method", "POST", nil, 405, "The method POST is not allowed here; allowed are GET.", http.Header{"Allow": {"GET"}})
		check("no upgrade", "GET", http.Header{"Upgrade": nil, "Connection": nil, "Authorization": nil}, 426, "Live pictures need a WebSocket with the subprotocol motion.live.v1.", http.Header{"Upgrade": {"websocket"}})
		check("no subprotocol", "GET", http.Header{"Sec-Websocket-Protocol": {"bearer.a, motion.live.v2"}}, 400, "The header Sec-WebSocket-Protocol has to offer motion.live.v1.", nil)
		check("no token", "GET", http.Header{"Authorization": nil}, 401, "Unauthorized: the access token is missing, unknown or expired.", http.Header{"Www-Authenticate": {`Bearer realm="motion"`}})
		check("wrong token", "GET", http.Header{"Authorization": nil, "Sec-Websocket-Protocol": {live.Protocol + ", bearer.x"}}, 401, "Unauthorized: the access token is missing, unknown or expired.", http.Header{"Www-Authenticate": {`Bearer realm="motion", error="invalid_token"`}})
		check("forbidden", "GET", http.Header{"Authorization": {"Bearer forbidden"}}, 403, "Forbidden: the access token does not allow the use of this service.", http.Header{"Www-Authenticate": {`Bearer realm="motion", error="insufficient_scope"`}})
		check("outage", "GET", http.Header{"Authorization": {"Bearer outage"}}, 503, "The service is overloaded or unavailable; try again later.", later)
		check("no client", "GET", http.Header{"Authorization": {"Bearer nobody"}}, 500, "There is a problem on the service.", nil)
		check("foreign page", "GET", http.Header{"Origin": {"https://evil.example"}}, 403, `The WebSocket cannot be opened: request Origin "evil.example" is not authorized for Host "motion.test".`, nil)
		check("old version", "GET", http.Header{"Sec-Websocket-Version": {"8"}}, 400, `The WebSocket cannot be opened: unsupported WebSocket protocol version (only 13 is supported): "8".`, nil)

		a := dial(t, network, "a")
		check("too many of a client", "GET", nil, 429, "The client has 1 live connections; no more are allowed. Try again when one has ended.", later)
		plain := http.Header{"Upgrade": nil, "Connection": nil, "Sec-Websocket-Protocol": nil}
		check("asking for the reason", "GET", plain, 429, "The client has 1 live connections; no more are allowed. Try again when one has ended.", later)
		plain.Set("Authorization", "Bearer b")
		check("asking without a reason", "GET", plain, 426, "Live pictures need a WebSocket with the subprotocol motion.live.v1.", nil)
		b := dial(t, network, "b")
		b.CloseNow()
		synctest.Wait()
		dial(t, network, "b")
		h2 := handler(t, inferencetest.Estimator{}, live.Options{Sessions: 1})
		network = serve(t, h2)
		dial(t, network, "a")
		check("too many", "GET", http.Header{"Authorization": {"Bearer b"}}, 503, "The service has no free live connection; try again later.", later)
		h2.Drain()
		a.CloseNow()
		synctest.Wait()
		check("shutdown", "GET", nil, 503, "The service is shutting down and accepts no new work; try again later.", later)
	})
}

// TestWrapped: handlers around this one may wrap the ResponseWriter; one that hides http.Hijacker is a fault of
// the host.
func TestWrapped(t *testing.T) {
	h := handler(t, inferencetest.Estimator{}, live.Options{})
	for status, wrap := range map[int]func(http.ResponseWriter) http.ResponseWriter{
		http.StatusSwitchingProtocols:  func(w http.ResponseWriter) http.ResponseWriter { return wrapper{hidden{w}} },
		http.StatusInternalServerError: func(w http.ResponseWriter) http.ResponseWriter { return hidden{w} },
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(wrap(w), r) }))
		defer s.Close()
		conn, answer, err := websocket.Dial(t.Context(), s.URL, &websocket.DialOptions{Subprotocols: []string{live.Protocol, "bearer.a"}})
		if answer == nil || answer.StatusCode != status {
			t.Errorf("want %d: %v", status, err)
		}
		if err == nil {
			conn.CloseNow()
		}
	}
}

// hidden is a ResponseWriter and no more.
type hidden struct{ http.ResponseWriter }

// wrapper tells what it wraps.
type wrapper struct{ hidden }

func (w wrapper) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// TestOrigins: pages of the same host and of those that are allowed may connect.
func TestOrigins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := serve(t, handler(t, inferencetest.Estimator{}, live.Options{Origins: []string{"*.example"}}))
		for _, origin := range []string{"http://motion.test", "https://page.example"} {
			conn, _, err := websocket.Dial(t.Context(), "ws://motion.test/", &websocket.DialOptions{HTTPClient: network, Subprotocols: []string{live.Protocol, "bearer.a"}, HTTPHeader: http.Header{"Origin": {origin}}})
			if err != nil {
				t.Fatal(err)
			}
			conn.CloseNow()
		}
	})
}

// TestSchemes: a page that came without TLS cannot connect where its host has TLS.
func TestSchemes(t *testing.T) {
	for _, c := range []struct {
		origin string
		tls    bool
		own    []string
		status int
	}{
		{"http://motion.test", false, nil, 101}, // the origin was accepted
		{"https://motion.test", false, nil, 101},
		{"https://motion.test", true, nil, 101},
		{"http://motion.test", true, nil, 403},
		{"http://Motion.test", false, []string{"https://motion.test"}, 403},
		{"https://motion.test", false, []string{"https://motion.test"}, 101},
		{"http://page.example", true, []string{"https://page.example"}, 403},
	} {
		r := httptest.NewRequest("GET", "http://motion.test/", nil)
		if c.tls {
			r.TLS = &tls.ConnectionState{}
		}
		for name, value := range map[string]string{
			"Origin": c.origin, "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
			"Sec-WebSocket-Key": "MDEyMzQ1Njc4OWFiY2RlZg==", "Sec-WebSocket-Protocol": live.Protocol + ", bearer.a",
		} {
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		handler(t, inferencetest.Estimator{}, live.Options{Origins: c.own}).ServeHTTP(hijacker{w}, r)
		if w.Code != c.status {
			t.Errorf("%+v: %d %s", c, w.Code, w.Body)
		}
	}
}

// hijacker is a connection that cannot be taken over.
type hijacker struct{ *httptest.ResponseRecorder }

func (hijacker) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	return nil, nil, errors.New("no connection")
}

// TestNew: wrong arguments are named.
func TestNew(t *testing.T) {
	est := inferencetest.Estimator{}
	for want, make := range map[string]func() (*live.Handler, error){
		"estimator":             func() (*live.Handler, error) { return live.New(nil, live.Options{Authenticator: clients}) },
		"Options.Authenticator": func() (*live.Handler, error) { return live.New(est, live.Options{}) },
		"Options.Origins[1]": func() (*live.Handler, error) {
			return live.New(est, live.Options{Authenticator: clients, Origins: []string{"a", "["}})
		},
		"Options.Sessions": func() (*live.Handler, error) {
			return live.New(est, live.Options{Authenticator: clients, Sessions: -1})
		},
		"Options.ClientSessions": func() (*live.Handler, error) {
			return live.New(est, live.Options{Authenticator: clients, ClientSessions: -1})
		},
		"Options.MaxPictureBytes": func() (*live.Handler, error) {
			return live.New(est, live.Options{Authenticator: clients, MaxPictureBytes: -1})
		},
		"Options.MaxPixels": func() (*live.Handler, error) {
			return live.New(est, live.Options{Authenticator: clients, MaxPixels: -1})
		},
	} {
		if _, err := make(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
