package webhook_test

import (
	"bytes"
	"context"
	"fmt"
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

// TestMetadataAddresses holds that the addresses at which clouds give credentials and facts to their
// machines are refused, in each form of IPv6 that carries an IPv4 address.
func TestMetadataAddresses(t *testing.T) {
	for _, c := range []struct{ address, source string }{
		{"169.254.169.254", "AWS, Azure, Google, Oracle, IBM, OpenStack, DigitalOcean, Hetzner: docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html"},
		{"169.254.170.2", "AWS ECS: docs.aws.amazon.com/AmazonECS/latest/developerguide/task-iam-roles.html"},
		{"169.254.170.23", "AWS EKS Pod Identity: docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html"},
		{"fd00:ec2::254", "AWS: docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-data-retrieval.html"},
		{"fd00:ec2::23", "AWS EKS Pod Identity: docs.aws.amazon.com/eks/latest/userguide/pod-id-how-it-works.html"},
		{"168.63.129.16", "Azure WireServer: learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16"},
		{"fd20:ce::254", "Google: cloud.google.com/compute/docs/metadata/querying-metadata"},
		{"100.100.100.200", "Alibaba: www.alibabacloud.com/help/en/ecs/user-guide/view-instance-metadata"},
		{"192.0.0.192", "Oracle Cloud at Customer: docs.oracle.com/en/cloud/cloud-at-customer/occ-get-started/retrieve-predefined-instance-metadata.html"},
		{"fd00:c1::a9fe:a9fe", "Oracle: github.com/oracle/oci-python-sdk, instance_principals_security_token_signer.py"},
		{"169.254.0.23", "Tencent: www.tencentcloud.com/document/product/213/4934"},
		{"169.254.42.42", "Scaleway: docs.cloud-init.io/en/latest/reference/datasources/scaleway.html"},
		{"fd00:42::42", "Scaleway: docs.cloud-init.io/en/latest/reference/datasources/scaleway.html"},
		{"fd00:a9fe:a9fe::1", "Akamai: docs.cloud-init.io/en/latest/reference/datasources/akamai.html"},
		{"192.80.8.124", "Equinix Metal, metadata.packet.net: www.packet.com/developers/docs/servers/key-features/metadata"},
		{"fe80::a9fe:a9fe", "OpenStack: docs.openstack.org/nova/latest/user/metadata.html"},
	} {
		address := netip.MustParseAddr(c.address)
		forms := []netip.Addr{address}
		if address.Is4() {
			v4 := address.As4()
			in := func(prefix string, at int, flip byte) netip.Addr {
				v6 := netip.MustParseAddr(prefix).As16()
				for i, b := range v4 {
					v6[at+i] = b ^ flip
				}
				return netip.AddrFrom16(v6)
			}
			forms = append(forms,
				in("::ffff:0:0", 12, 0),               // IPv4-mapped, RFC 4291
				in("::", 12, 0),                       // IPv4-compatible, RFC 4291
				in("::ffff:0:0:0", 12, 0),             // IPv4-translated, RFC 2765
				in("64:ff9b::", 12, 0),                // NAT64, RFC 6052
				in("64:ff9b:1::", 12, 0),              // local NAT64, RFC 8215
				in("2002::1", 2, 0),                   // 6to4, RFC 3056
				in("2001:0:4136:e378::", 12, 0xff),    // Teredo, RFC 4380: the client
				in("2001::8000:63bf:3fff:fdd2", 4, 0), // Teredo: the server
			)
		}
		for _, form := range forms {
			if webhook.Public(form) {
				t.Errorf("%s is not public: %s", form, c.source)
			}
		}
	}
	for _, neighbour := range []string{"168.63.129.15", "168.63.129.17", "192.80.8.123"} {
		if !webhook.Public(netip.MustParseAddr(neighbour)) {
			t.Errorf("%s is public", neighbour)
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

// TestRedirections holds that an endpoint cannot send a request elsewhere, such as into the host's own network.
func TestRedirections(t *testing.T) {
	var reached atomic.Int64
	inside := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("%s %s came through", r.Method, r.URL)
	}))
	defer inside.Close()
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, to := range []string{"/elsewhere", inside.URL, "//" + strings.TrimPrefix(inside.URL, "http://"), "http://169.254.169.254/latest/meta-data/", "file:///etc/passwd"} {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				reached.Add(1)
				w.Header().Set("Location", to)
				w.Header().Set("Refresh", "0; url="+inside.URL)
				w.WriteHeader(status)
			}))
			reached.Store(0)
			if log := give(t, server.URL, true); !strings.Contains(log, fmt.Sprint("answered ", status)) || reached.Load() != 1 {
				t.Errorf("%d to %s: %d requests, %s", status, to, reached.Load(), log)
			}
			server.Close()
		}
	}
}
