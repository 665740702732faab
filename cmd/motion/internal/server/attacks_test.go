package server

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bodymotion/motion/httpapi/live"
)

// TestLiveAttacked: 100 handshakes of one client at once, slow, huge and malformed messages and pages of other origins get their
// answers, and meanwhile another client is served, and looked at. At the end all places are free again.
func TestLiveAttacked(t *testing.T) {
	server := start(t, "--data", filepath.Join(t.TempDir(), "data"), "--db", "memory", "--client", "someone:very-secret", "--client", "attacker:other-secret")
	defer server.drain(t)
	good := login(t, server.url)
	bad := &caller{t: t, url: server.url}
	bad.token, _ = bad.call("POST", "/oauth/v1/accesstokens", `{"grantType":"client_credentials","clientId":"attacker","clientSecret":"other-secret"}`)["accessToken"].(string)

	stop := make(chan struct{})
	var beside sync.WaitGroup
	defer beside.Wait()
	defer close(stop)
	beside.Go(func() { // a client who behaves well
		var took []time.Duration
		for {
			select {
			case <-stop:
				slices.Sort(took)
				t.Logf("%d lists beside, the slowest of 99 %% after %v", len(took), took[len(took)*99/100])
				return
			default:
			}
			began := time.Now()
			good.call("GET", "/anymotion/v1/movies/", "")
			took = append(took, time.Since(began))
		}
	})

	for _, origin := range []string{"null", "file://", "https://evil.example", server.url + ".evil.example", strings.Replace(server.url, "127.0.0.1", "127.0.0.1.evil.example", 1), "http://127.0.0.1:1"} {
		if conn, status := bad.handshake(origin); status != http.StatusForbidden {
			t.Errorf("a page of %s gets %d", origin, status)
			conn.Close()
		}
	}

	t.Run("at once", func(t *testing.T) {
		var all sync.WaitGroup
		conns, statuses := make([]net.Conn, 100), make([]int, 100)
		for i := range conns {
			all.Go(func() { conns[i], statuses[i] = bad.handshake("") })
		}
		all.Wait()
		n := map[int]int{}
		for _, status := range statuses {
			n[status]++
		}
		if n[http.StatusSwitchingProtocols] != 4 || n[http.StatusTooManyRequests] != 96 {
			t.Errorf("100 handshakes get %v", n)
		}
		watched(t, server.url) // by the other client
		for _, conn := range conns {
			conn.Close()
		}
	})

	start := frame(0x81, []byte(`{"rule":[]}`))
	for name, sent := range map[string][]byte{
		"not masked":                {0x82, 0},
		"reserved bits":             frame(0xf2, nil),
		"an unknown kind":           frame(0x83, nil),
		"a long ping":               frame(0x89, make([]byte, 126)),
		"a ping in parts":           frame(0x09, nil),
		"the rest of nothing":       frame(0x80, nil),
		"two beginnings":            append(frame(0x01, nil), frame(0x81, nil)...),
		"an endless length":         append([]byte{0x82, 0xff}, slices.Repeat([]byte{0xff}, 8)...),
		"an end without its reason": frame(0x88, []byte{1}),
		"an end of no code":         frame(0x88, binary.BigEndian.AppendUint16(nil, 999)),
		"no UTF-8":                  frame(0x81, []byte{0xff, 0xfe}),
		"huge":                      append(slices.Clone(start), frame(0x82, make([]byte, 32<<20))...),
		"a huge start":              frame(0x81, make([]byte, 32<<20)),
		"HTTP":                      []byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
	} {
		t.Run(name, func(t *testing.T) {
			conn, status := bad.handshake("")
			for end := time.Now().Add(time.Minute); status == http.StatusTooManyRequests && time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
				conn, status = bad.handshake("") // the place of the one before is not free yet
			}
			if status != http.StatusSwitchingProtocols {
				t.Fatal(status)
			}
			defer conn.Close()
			go conn.Write(sent)
			conn.SetReadDeadline(time.Now().Add(time.Minute))
			answer, err := io.ReadAll(conn)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("the connection stays open: %q", answer)
			}
		})
	}

	for i := range 4 { // slow: a handshake that does not end, and then messages
		conn, err := net.Dial("tcp", strings.TrimPrefix(server.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprint(conn, "GET /anymotion/v1/live/ HTTP/1.1\r\nHost: x\r\n")
		slow, _ := bad.handshake("")
		defer slow.Close()
		slow.Write(frame(0x82, make([]byte, 1000))[:1+2*i])
	}
	watched(t, server.url)
}

// handshake asks for live pictures, as a page of an origin does, and returns the connection with the status of the answer.
func (c *caller) handshake(origin string) (net.Conn, int) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
	if err != nil {
		c.t.Error(err)
		return nil, 0
	}
	if origin != "" {
		origin = "Origin: " + origin + "\r\n"
	}
	fmt.Fprintf(conn, "GET /anymotion/v1/live/ HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\nSec-WebSocket-Protocol: %s, bearer.%s\r\n%s\r\n", conn.RemoteAddr(), live.Protocol, c.token, origin)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		c.t.Error(err)
		return conn, 0
	}
	return conn, answer.StatusCode
}

// frame is a frame of a WebSocket, masked with zeros as those of clients have to be.
func frame(first byte, content []byte) []byte {
	head := []byte{first, 0x80 | byte(len(content)), 0, 0, 0, 0}
	switch n := len(content); {
	case n > 1<<16:
		head = append(binary.BigEndian.AppendUint64([]byte{first, 0xff}, uint64(n)), 0, 0, 0, 0)
	case n > 125:
		head = append(binary.BigEndian.AppendUint16([]byte{first, 0xfe}, uint16(n)), 0, 0, 0, 0)
	}
	return append(head, content...)
}
