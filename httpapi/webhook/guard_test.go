package webhook_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bodymotion/motion/httpapi/webhook"
)

func TestPublicAddresses(t *testing.T) {
	for _, a := range []string{"8.8.8.8", "1.1.1.1", "198.17.255.255", "2606:4700:4700::1111", "::ffff:8.8.8.8"} {
		if !webhook.Public(netip.MustParseAddr(a)) {
			t.Errorf("%s is public", a)
		}
	}
	for _, a := range []string{
		"127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1",
		"192.0.0.8", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
		"::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "::ffff:127.0.0.1", "::ffff:169.254.169.254",
		"64:ff9b::7f00:1", "2002:7f00:1::", "2001:db8::1", "2001::1", "::7f00:1",
	} {
		if webhook.Public(netip.MustParseAddr(a)) {
			t.Errorf("%s is not public", a)
		}
	}
}

// give sends one event to an endpoint with the real transport, and returns the log.
func give(t *testing.T, address string, allowPrivate bool) string {
	t.Helper()
	var log bytes.Buffer
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	s, err := webhook.New(webhook.Options{
		AllowPrivate: allowPrivate, Retries: []time.Duration{}, Logger: slog.New(cancelling{slog.NewTextHandler(&log, nil), cancel}),
		Endpoints: func(context.Context, string) ([]webhook.Endpoint, error) {
			return []webhook.Endpoint{{URL: address, Secrets: []string{webhook.NewSecret()}}}, nil
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	s.Finished(finished("alice", 1))
	if err := s.Run(ctx); err != nil {
		t.Error(err)
	}
	return log.String()
}

// cancelling is a log that ends Run with its first line.
type cancelling struct {
	slog.Handler
	cancel context.CancelFunc
}

func (c cancelling) Handle(ctx context.Context, r slog.Record) error {
	defer c.cancel()
	return c.Handler.Handle(ctx, r)
}

func (c cancelling) WithAttrs(a []slog.Attr) slog.Handler {
	return cancelling{c.Handler.WithAttrs(a), c.cancel}
}

// TestGuard holds that endpoints do not reach into the host's own network, by address or by
// name, and that the log does not show their addresses.
func TestGuard(t *testing.T) {
	var reached atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0"} {
		log := give(t, "https://"+host+":"+port+"/secret-path", false)
		if !strings.Contains(log, "webhook given up") || strings.Contains(log, "secret-path") {
			t.Errorf("%s: %s", host, log)
		}
	}
	if log := give(t, server.URL, false); !strings.Contains(log, "https") {
		t.Errorf("http: %s", log)
	}
	for _, address := range []string{"", "file:///etc/passwd", "gopher://x", "https://", "::"} {
		if log := give(t, address, true); !strings.Contains(log, "webhook given up") {
			t.Errorf("%q: %s", address, log)
		}
	}
	if reached.Load() != 0 {
		t.Errorf("%d requests came through", reached.Load())
	}
}

// TestRedirections holds that an endpoint cannot send a request elsewhere.
func TestRedirections(t *testing.T) {
	var reached atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
	}))
	defer server.Close()
	if log := give(t, server.URL, true); !strings.Contains(log, "answered 307") || reached.Load() != 1 {
		t.Errorf("%d requests, %s", reached.Load(), log)
	}
}
