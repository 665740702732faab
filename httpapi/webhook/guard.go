package webhook

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"syscall"
	"time"
)

// newTransport returns a transport that connects to public addresses only. The address is
// checked when the connection is made, so that a name cannot lead elsewhere after a check.
func newTransport(opt Options) http.RoundTripper {
	dialer := &net.Dialer{Timeout: opt.Timeout}
	if !opt.AllowPrivate {
		dialer.Control = func(_, address string, _ syscall.RawConn) error {
			at, err := netip.ParseAddrPort(address)
			if err != nil {
				return fmt.Errorf("%w: %w", errEndpoint, err)
			}
			if !public(at.Addr()) {
				return fmt.Errorf("%w: %s is not a public address", errEndpoint, at.Addr())
			}
			return nil
		}
	}
	return &http.Transport{
		DialContext:         dialer.DialContext, // and no proxy, which would dial for us
		TLSHandshakeTimeout: opt.Timeout, MaxIdleConns: 100, MaxIdleConnsPerHost: perClient, IdleConnTimeout: time.Minute,
		MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true, DisableCompression: true,
	}
}

// special are ranges that are not public and that netip does not know (the registries of
// RFC 6890). Those that hold an IPv4 address in an IPv6 one are among them.
var special = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"),
	netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"), netip.MustParsePrefix("198.18.0.0/15"),
	netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"),
	netip.MustParsePrefix("3fff::/20"),
	// Public addresses at which a cloud answers its own machines: Azure's WireServer and the
	// metadata of Equinix Metal. Those of other clouds are private or link-local.
	netip.MustParsePrefix("168.63.129.16/32"), netip.MustParsePrefix("192.80.8.124/32"),
}

var globalUnicast = netip.MustParsePrefix("2000::/3")

// public reports whether an address is one of the internet.
func public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	return a.IsGlobalUnicast() && !a.IsPrivate() && (!a.Is6() || globalUnicast.Contains(a)) &&
		!slices.ContainsFunc(special, func(p netip.Prefix) bool { return p.Contains(a) })
}
