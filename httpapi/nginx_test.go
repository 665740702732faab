package httpapi_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/storage"
)

// nginxConf serves the API at https://example.com, under two paths: with requests passed on
// as they come, and with requests kept until they are whole.
const nginxConf = `
daemon off;
master_process off;
pid %[1]s/pid;
error_log stderr error;
events {}
http {
	access_log off;
	client_max_body_size 0;
	client_body_temp_path %[1]s/body;
	proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi;
	scgi_temp_path %[1]s/scgi;
	uwsgi_temp_path %[1]s/uwsgi;
	proxy_http_version 1.1;
	server {
		listen unix:%[1]s/socket ssl;
		ssl_certificate %[1]s/cert.pem;
		ssl_certificate_key %[1]s/key.pem;
		location /stream/ {
			proxy_set_header X-Forwarded-Proto $scheme;
			proxy_set_header X-Forwarded-Host $http_host;
			proxy_set_header X-Forwarded-Prefix /stream;
			proxy_request_buffering off;
			proxy_pass %[2]s/;
		}
		location /whole/ {
			proxy_set_header X-Forwarded-Proto $scheme;
			proxy_set_header X-Forwarded-Host $http_host;
			proxy_set_header X-Forwarded-Prefix /whole;
			proxy_request_buffering on;
			proxy_pass %[2]s/;
		}
	}
}
`

// arrivals tells when the first bytes of a file arrive at the blobs.
type arrivals struct {
	storage.Blobs
	first chan struct{}
}

func (b arrivals) Put(ctx context.Context, key string, r io.Reader, opt storage.PutOptions) (storage.BlobInfo, error) {
	var once sync.Once
	return b.Blobs.Put(ctx, key, readerFunc(func(p []byte) (int, error) {
		n, err := r.Read(p)
		if n > 0 {
			once.Do(func() {
				select {
				case b.first <- struct{}{}:
				default:
				}
			})
		}
		return n, err
	}), opt)
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// TestNginx holds that the API works behind nginx, which speaks TLS with the clients and
// serves it under another path.
func TestNginx(t *testing.T) {
	program, err := exec.LookPath("nginx")
	if err != nil {
		testkit.Skip(t, "nginx")
	}
	first := make(chan struct{}, 1)
	w := newWorld(t, func(o *httpapi.Options, c *motion.Config) {
		o.TrustForwarded = true
		c.Decoder = decoder{info: inference.Info{Frames: 3}}
		c.Blobs = arrivals{c.Blobs, first}
	})
	client := startNginx(t, program, w.server.URL)
	do := func(t *testing.T, req *http.Request) reply {
		t.Helper()
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		b, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return reply{resp.StatusCode, resp.Header, b}
	}
	request := func(t *testing.T, method, address string, body io.Reader) *http.Request {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), method, address, body)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(address, "signature=") {
			return req
		}
		req.Header.Set("Authorization", "Bearer "+w.token)
		if body != nil {
			req.Header.Set("Content-Type", "application/json")
		}
		return req
	}
	for _, prefix := range []string{"stream", "whole"} {
		base := "https://example.com/" + prefix + "/anymotion/v1/"
		// register registers a file and returns its record's id and its link.
		register := func(t *testing.T, kind string, data []byte) (id, link string) {
			t.Helper()
			r := do(t, request(t, "POST", base+kind+"/", strings.NewReader(fmt.Sprintf(`{"contentMd5":%q}`, base64MD5(data)))))
			m := r.get(t)
			id, link = fmt.Sprint(m["id"]), fmt.Sprint(m["uploadUrl"])
			if r.status != 201 || r.header.Get("Location") != base+kind+"/"+id+"/" || !strings.HasPrefix(link, base+"files/"+kind+"/"+id+"?") {
				t.Fatalf("%d, Location %q, uploadUrl %q, want them below %s", r.status, r.header.Get("Location"), link, base)
			}
			return id, link
		}
		t.Run(prefix, func(t *testing.T) {
			t.Run("links and ranges", func(t *testing.T) {
				data := picture()
				id, link := register(t, "images", data)
				if r := do(t, request(t, "PUT", link, bytes.NewReader(data))); r.status != 200 {
					t.Fatalf("upload: %d %s", r.status, r.body)
				}
				register(t, "images", data)
				list := do(t, request(t, "GET", base+"images/?size=1", nil)).get(t)
				if list["next"] != base+"images/?page=2&size=1" {
					t.Errorf("next %v", list["next"])
				}
				key, _ := w.record(storage.Keypoints, w.token, `{"imageId":`+id+`}`)
				drawing, _ := w.record(storage.Drawings, w.token, fmt.Sprintf(`{"keypointId":%d}`, key))
				address := fmt.Sprint(do(t, request(t, "GET", fmt.Sprintf("%sdrawings/%d/", base, drawing), nil)).get(t)["drawingUrl"])
				if !strings.HasPrefix(address, base+"files/drawings/") {
					t.Fatalf("drawingUrl %s", address)
				}
				whole := do(t, request(t, "GET", address, nil))
				part := request(t, "GET", address, nil)
				part.Header.Set("Range", "bytes=10-19")
				part.Header.Set("If-Range", whole.header.Get("ETag"))
				r := do(t, part)
				if whole.status != 200 || r.status != 206 || !bytes.Equal(r.body, whole.body[10:20]) {
					t.Errorf("%d with %d bytes, and %d with %d", whole.status, len(whole.body), r.status, len(r.body))
				}
				if r := do(t, request(t, "GET", base+"images", nil)); r.status != 308 || r.header.Get("Location") != base+"images/" {
					t.Errorf("%d to %q", r.status, r.header.Get("Location"))
				}
			})
			t.Run("100-continue", func(t *testing.T) {
				data := picture()
				_, link := register(t, "images", data)
				continued := false
				req := request(t, "PUT", link, bytes.NewReader(data))
				req.Header.Set("Expect", "100-continue")
				req = req.WithContext(httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
					Got1xxResponse: func(code int, _ textproto.MIMEHeader) error {
						continued = continued || code == 100
						return nil
					},
				}))
				if r := do(t, req); r.status != 200 || !continued {
					t.Errorf("%d %s, continued: %v", r.status, r.body, continued)
				}
			})
			t.Run("big upload", func(t *testing.T) {
				data := make([]byte, 24<<20)
				rand.Read(data)
				_, link := register(t, "movies", data)
				select { // from an earlier file
				case <-first:
				default:
				}
				body, pipe := io.Pipe()
				go func() {
					half := len(data) / 2
					pipe.Write(data[:half])
					if prefix == "stream" { // the other half goes when the first has arrived
						select {
						case <-first:
						case <-t.Context().Done():
						}
					}
					pipe.Write(data[half:])
					pipe.Close()
				}()
				req := request(t, "PUT", link, body)
				req.ContentLength = int64(len(data))
				if r := do(t, req); r.status != 200 {
					t.Errorf("%d %s", r.status, r.body)
				}
			})
			t.Run("events", func(t *testing.T) {
				resp, err := client.Do(request(t, "GET", base+"events/", nil))
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				lines := bufio.NewScanner(resp.Body)
				wait := func(for_ string) {
					t.Helper()
					for lines.Scan() {
						if strings.Contains(lines.Text(), for_) {
							return
						}
					}
					t.Fatalf("no %q: %v", for_, lines.Err())
				}
				wait(": watching")
				w.record(storage.Keypoints, w.token, fmt.Sprintf(`{"imageId":%d}`, w.image(w.token)))
				wait("SUCCESS")
			})
		})
	}
}

// startNginx starts nginx in front of an address. All requests of the client go to it.
func startNginx(t *testing.T, program, upstream string) *http.Client {
	t.Helper()
	folder, err := os.MkdirTemp("", "nginx") // short, as the addresses of sockets have to be
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	// A certificate that the client of this server trusts for example.com.
	trusted := httptest.NewTLSServer(http.NotFoundHandler())
	defer trusted.Close()
	pair := trusted.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"conf":     fmt.Appendf(nil, nginxConf, folder, upstream),
		"cert.pem": pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: pair.Certificate[0]}),
		"key.pem":  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}),
	} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var log bytes.Buffer
	cmd := exec.Command(program, "-p", folder, "-c", filepath.Join(folder, "conf"), "-e", "stderr")
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		<-ended
		if t.Failed() {
			t.Logf("nginx: %s", &log)
		}
	})
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(folder, "socket"))
	}
	for patience := time.Now().Add(20 * time.Second); ; {
		c, err := dial(t.Context(), "", "")
		if err == nil {
			c.Close()
			break
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("nginx: %v\n%s", err, &log)
		case <-time.After(10 * time.Millisecond):
		}
		if time.Now().After(patience) {
			t.Fatal(err)
		}
	}
	transport := &http.Transport{
		DialContext: dial, ExpectContinueTimeout: time.Minute,
		TLSClientConfig: &tls.Config{RootCAs: trusted.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs},
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}
