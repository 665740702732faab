package webhook

import (
	"net/http"
	"net/netip"
)

// SetTransport lets a test answer requests without a network.
func (s *Sender) SetTransport(t http.RoundTripper) { s.transport = t }

// Public is the guard's judgement of an address.
func Public(a netip.Addr) bool { return public(a) }
