package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
)

// raw sends the head of a request over a connection of its own.
func raw(t *testing.T, address, method, target string, header ...string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: x\r\n%s\r\n", method, target, strings.Join(append(header, ""), "\r\n"))
	return conn
}

// TestBrokenUploads holds that uploads that are broken off, at any place, leave nothing,
// and that one that comes a byte a time, whatever it takes, is whole.
func TestBrokenUploads(t *testing.T) {
	folder := t.TempDir()
	blobs, err := file.Open(folder, file.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer blobs.Close()
	puts := make(chan error, 100)
	w := newWorld(t, func(o *httpapi.Options, c *motion.Config) {
		c.Blobs = told{blobs, puts}
		o.Limits.IdleTimeout = 5 * time.Second
	})
	data := picture()
	m := w.do("POST", "/images/", w.token, fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data))).get(t)
	link, err := url.Parse(m["uploadUrl"].(string))
	if err != nil {
		t.Fatal(err)
	}
	length := fmt.Sprint("Content-Length: ", len(data))
	for _, cut := range []int{0, 1, len(data) / 2, len(data) - 1} {
		conn := raw(t, w.server.URL, "PUT", link.RequestURI(), length)
		conn.Write(data[:cut])
		conn.Close()
		if err := <-puts; err == nil {
			t.Errorf("broken off after %d bytes, and kept", cut)
		}
	}
	noFiles(t, folder)
	conn := raw(t, w.server.URL, "PUT", link.RequestURI(), length, "Connection: close")
	for i := range data {
		if _, err := conn.Write(data[i : i+1]); err != nil {
			t.Fatal(err)
		}
	}
	answer, err := io.ReadAll(conn)
	if err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 200")) {
		t.Errorf("a byte a time: %s %v", answer, err)
	}
}

// TestTrickledBody: a large body that stops arriving gives its place to the next one of the client.
func TestTrickledBody(t *testing.T) {
	w := newWorld(t, nil)
	whole := `{"size":[64,48],"frameRate":30,"keypoints":[{"nose":[1,2]}` + strings.Repeat(" ", 3<<20) + `]}`
	target, _ := url.Parse(w.server.URL + "/anymotion/v1/keypoints/")
	conn := raw(t, w.server.URL, "POST", target.RequestURI(), "Authorization: Bearer "+w.token, "Content-Type: application/json", fmt.Sprint("Content-Length: ", len(whole)))
	if _, err := io.WriteString(conn, whole[:2<<20]); err != nil {
		t.Fatal(err)
	}
	if r := w.do("POST", "/keypoints/", w.token, whole); r.status != 201 {
		t.Errorf("the next one: %d %s", r.status, r.body)
	}
	if answer, err := io.ReadAll(conn); err != nil || !bytes.HasPrefix(answer, []byte("HTTP/1.1 400")) {
		t.Errorf("the one that stopped: %s %v", answer, err)
	}
}

// told are blobs that tell the result of each Put.
type told struct {
	file.Blobs
	puts chan<- error
}

func (b told) Put(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) (storage.BlobInfo, error) {
	info, err := b.Blobs.Put(ctx, key, r, opt)
	b.puts <- err
	return info, err
}

// TestUnreadAnswers holds that clients that ask and never read an answer hold up nobody
// else, and are given up when nothing flows for so long.
func TestUnreadAnswers(t *testing.T) {
	w := newWorld(t, nil)
	key, _ := w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
	drawing, _ := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d}`, key))
	api, err := httpapi.New(w.service, httpapi.Options{Authenticator: anyone, Limits: httpapi.Limits{IdleTimeout: 200 * time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(api)
	defer server.Close() // waits for the connections
	d := w.do("GET", fmt.Sprintf("%s/drawings/%d/", server.URL, drawing), "", "").get(t)
	link, err := url.Parse(d["drawingUrl"].(string))
	if err != nil {
		t.Fatal(err)
	}
	// Requests without end, one behind the other, until no more fit on the way.
	for _, target := range []string{link.RequestURI(), fmt.Sprintf("/keypoints/%d/", key)} {
		conn := raw(t, server.URL, "GET", target)
		if tcp, ok := conn.(*net.TCPConn); ok {
			tcp.SetReadBuffer(4096) // which is full soon
		}
		request := bytes.Repeat(fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", target), 1000)
		for patience := time.Now().Add(20 * time.Second); err == nil || errors.Is(err, os.ErrDeadlineExceeded); {
			if time.Now().After(patience) {
				t.Fatalf("%s: the connection is still kept", target)
			}
			conn.SetWriteDeadline(time.Now().Add(time.Second))
			_, err = conn.Write(request)
		}
		err = nil
		if r := w.do("GET", server.URL+"/images/", "", ""); r.status != 200 {
			t.Errorf("beside a client that does not read: %d", r.status)
		}
	}
}
