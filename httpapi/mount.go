package httpapi

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/bodymotion/motion/storage"
)

// mount returns the path under which the API is mounted: the part removed by
// http.StripPrefix, and Options.Prefix.
func (c *call) mount() string {
	if u, err := url.ParseRequestURI(c.r.RequestURI); err == nil {
		if before, ok := strings.CutSuffix(u.Path, strings.TrimPrefix(c.path, "/")); ok {
			return strings.TrimSuffix(before, "/")
		}
	}
	return c.opt.Prefix
}

// nothing answers 404 to an unknown path. If it looks like an address of the API under
// another prefix, it says how a handler is mounted, once in the log too.
func (c *call) nothing() {
	want, ok := c.misplaced()
	if !ok {
		c.problem(problem{Status: http.StatusNotFound, Detail: "There is nothing at this address; openapi.json lists all addresses."})
		return
	}
	c.mounting.Do(func() {
		c.log(slog.LevelWarn, "request at a wrong prefix: if the API is mounted there, wrap the handler in http.StripPrefix or set Options.Prefix, not both",
			"path", c.r.URL.Path, "want", want)
	})
	c.problem(problem{
		Status: http.StatusNotFound,
		Detail: fmt.Sprintf("There is nothing at this address: the handler got the path %q and expects %q. If the API is mounted here, the host has to wrap the handler in http.StripPrefix or set Options.Prefix, not both.", c.r.URL.Path, want),
	})
}

// misplaced returns the path at which a handler expects what was requested under another
// prefix.
func (c *call) misplaced() (want string, ok bool) {
	segments := strings.Split(strings.TrimPrefix(c.r.URL.Path, "/"), "/")
	i := slices.IndexFunc(segments, func(s string) bool {
		return resources[storage.Kind(s)].list != nil || s == "files" || s == "events" || s == "docs" || s == "openapi.json"
	})
	if i < 0 {
		return "", false
	}
	want = c.opt.Prefix + "/" + strings.Join(segments[i:], "/")
	return want, want != "/"+strings.Join(segments, "/")
}
