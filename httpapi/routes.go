package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/storage"
)

// recordHandler serves a request about one record.
type recordHandler func(c *call, id int64) error

// callKey is the context key of the call that a request belongs to.
type callKey struct{}

// routes are the addresses of the API.
type routes struct {
	mux   *http.ServeMux // its handlers are of the type handler
	roots []string       // the first segments of the addresses
}

func newRoutes(opt Options) *routes {
	s := &routes{mux: http.NewServeMux()}
	for _, x := range []struct {
		kind       storage.Kind
		list, make handler
		get        recordHandler
		change     recordHandler // nil if records cannot be changed
		erase      recordHandler
	}{
		{storage.Subjects, listSubjects, makeSubject, getSubject, changeSubject, deleteSubject},
		{storage.Movies, listMedia, makeMedia, getMedia, changeMedia, deleteRecord},
		{storage.Images, listMedia, makeMedia, getMedia, changeMedia, deleteRecord},
		{storage.Keypoints, listKeypoints, makeKeypoint, getKeypoint, changeKeypoint, deleteRecord},
		{storage.Comparisons, listComparisons, makeComparison, getComparison, nil, deleteRecord},
		{storage.Analyses, listAnalyses, makeAnalysis, getAnalysis, nil, deleteRecord},
		{storage.Drawings, listDrawings, makeDrawing, getDrawing, nil, deleteRecord},
	} {
		s.handle(x.kind, "/"+string(x.kind)+"/", action{"GET", authorized(x.list)}, action{"POST", authorized(newWork(once(notCrowded(x.make))))})
		one := []action{{"GET", authorized(numbered(x.get))}, {"DELETE", authorized(numbered(x.erase))}}
		if x.change != nil {
			one = append(one, action{"PATCH", authorized(numbered(x.change))})
		}
		s.handle(x.kind, "/"+string(x.kind)+"/{id}/", one...)
	}
	for _, kind := range []storage.Kind{storage.Movies, storage.Images} {
		file := []action{{"GET", signed(downloadMedia)}, {"PUT", signed(upload)}}
		if !opt.OriginalMedia {
			file = file[1:]
		}
		s.handle(kind, "/files/"+string(kind)+"/{id}", file...)
	}
	s.handle(storage.Drawings, "/files/drawings/{file}", action{"GET", signed(downloadDrawing)})
	s.handle(storage.Keypoints, "/files/reports/{file}", action{"GET", openReport})
	s.handle(storage.Keypoints, "/keypoints/{id}/links/", action{"GET", authorized(numbered(listShared))}, action{"POST", authorized(numbered(makeShared))})
	s.handle(storage.Keypoints, "/keypoints/{id}/links/{link}/", action{"DELETE", authorized(numbered(withdraw))})
	s.handle(storage.Subjects, "/subjects/{id}/trend/", action{"GET", authorized(numbered(getTrend))})
	s.handle(storage.Exercises, "/exercises/", action{"GET", authorized(listExercises)}, action{"POST", authorized(newWork(once(notCrowded(makeExercise))))})
	s.handle(storage.Exercises, "/exercises/{id}/", action{"DELETE", authorized(numbered(deleteRecord))})
	s.handle("", "/limits/", action{"GET", authorized(getLimits)})
	s.handle("", "/events/", action{"GET", authorized(events)})
	if opt.Tokens != nil {
		s.handle("", "/oauth/v1/accesstokens", action{"POST", func(c *call) error { opt.Tokens.ServeHTTP(c.w, c.r); return nil }})
	}
	s.handle("", "/openapi.json", action{"GET", documents})
	s.handle("", "/docs/", action{"GET", documents})
	return s
}

// action is what a method of an address does. GET serves HEAD too.
type action struct {
	method string
	do     handler
}

// handle adds an address: its pattern in the OpenAPI document, the kind of the records that it is about, and
// its methods in the order of the header Allow.
func (s *routes) handle(kind storage.Kind, pattern string, actions ...action) {
	do, names := map[string]handler{}, []string(nil)
	for _, a := range actions {
		do[a.method], names = a.do, append(names, a.method)
		if a.method == http.MethodGet {
			do[http.MethodHead], names = a.do, append(names, http.MethodHead)
		}
	}
	allowed := strings.Join(names, ", ")
	served := handler(func(c *call) error {
		c.kind, c.pattern = kind, pattern
		if header, ok := documentHeaders[pattern]; ok {
			c.w.Header().Set(header[0], header[1])
		}
		if h := do[c.r.Method]; h != nil {
			return h(c)
		}
		c.w.Header().Set("Allow", allowed)
		return wire.Refuse(http.StatusMethodNotAllowed, "The method %s is not allowed here; allowed are %s.", c.r.Method, allowed)
	})
	exact := pattern
	if bare, slash := strings.CutSuffix(pattern, "/"); slash {
		s.mux.Handle(bare, handler(withoutSlash))
		exact += "{$}"
	} else if strings.HasPrefix(pattern, "/files/") {
		s.mux.Handle(path.Dir(pattern)+"/{$}", served) // which no signature is valid for
	}
	s.mux.Handle(exact, served)
	s.roots = append(s.roots, strings.Split(pattern, "/")[1])
}

func (s *routes) serve(c *call) error {
	inside, ok := strings.CutPrefix(c.r.URL.Path, c.opt.Prefix)
	if !ok || inside != "" && inside[0] != '/' && c.opt.Prefix != "" {
		return s.nothing(c)
	}
	c.path = "/" + strings.TrimPrefix(inside, "/")
	r := c.r.WithContext(context.WithValue(c.r.Context(), callKey{}, c))
	address := *r.URL
	address.Path, address.RawPath = c.path, ""
	r.URL = &address
	// Redirects of the mux itself would lack the prefix.
	h, _ := s.mux.Handler(r)
	if _, ok := h.(handler); !ok {
		return s.nothing(c)
	}
	s.mux.ServeHTTP(c.w, r)
	return nil
}

// withoutSlash redirects readers to the address with a slash at its end.
func withoutSlash(c *call) error {
	u := c.public(c.path + "/")
	if !c.reading() {
		return wire.Refuse(http.StatusNotFound, "Addresses end with a slash: use %s", u)
	}
	u.RawQuery = c.r.URL.RawQuery
	http.Redirect(c.w, c.r, u.String(), http.StatusPermanentRedirect)
	return nil
}

// nothing refuses an unknown path. If it looks like an address of the API under another prefix, it says
// how a handler is mounted, once in the log too.
func (s *routes) nothing(c *call) error {
	segments := strings.Split(strings.TrimPrefix(c.r.URL.Path, "/"), "/")
	i := slices.IndexFunc(segments, func(name string) bool { return slices.Contains(s.roots, name) })
	want := c.opt.Prefix + "/" + strings.Join(segments[max(i, 0):], "/")
	if i < 0 || want == "/"+strings.Join(segments, "/") {
		return wire.Refuse(http.StatusNotFound, "There is nothing at this address; openapi.json lists all addresses.")
	}
	c.mounting.Do(func() {
		c.log(slog.LevelWarn, "request at a wrong prefix: if the API is mounted there, "+
			"wrap the handler in http.StripPrefix or set Options.Prefix, not both", "path", c.r.URL.Path, "want", want)
	})
	return wire.Refuse(http.StatusNotFound, "There is nothing at this address: the handler got the path %q and expects %q. "+
		"If the API is mounted here, the host has to wrap the handler in http.StripPrefix or set Options.Prefix, not both.", c.r.URL.Path, want)
}

// authorized serves the requests of clients with an access token.
func authorized(do handler) handler {
	return func(c *call) error {
		if err := authenticate(c); err != nil {
			return err
		}
		if err := knownQuery(c); err != nil {
			return err
		}
		return do(c)
	}
}

// numbered serves requests about the record that the path names.
func numbered(do recordHandler) handler {
	return func(c *call) error {
		id, err := jsonappend.Int(c.name)
		if err != nil || id <= 0 || !json.Valid([]byte(c.name)) { // 007 is no number
			return wire.Refuse(http.StatusNotFound, "There is no %s record %q.", c.kind, c.name)
		}
		return do(c, id)
	}
}

// newWork serves requests for new records until the handler drains.
func newWork(do handler) handler {
	return func(c *call) error {
		if err := c.drained(); err != nil {
			return err
		}
		return do(c)
	}
}

// deleteRecord deletes a record and everything made from it.
func deleteRecord(c *call, id int64) error {
	if err := c.service.DeleteRecord(c.r.Context(), c.client, c.kind, id); err != nil {
		return err
	}
	c.w.WriteHeader(http.StatusNoContent)
	return nil
}

func (do handler) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	c := r.Context().Value(callKey{}).(*call)
	c.name, c.link = cmp.Or(r.PathValue("id"), r.PathValue("file")), r.PathValue("link")
	if err := do(c); err != nil {
		c.fail(err)
	}
}

// notCrowded serves requests for results of clients without too many unfinished records. Concurrent requests may exceed the limit slightly.
func notCrowded(do handler) handler {
	return func(c *call) error {
		if c.opt.Limits.MaxUnfinished <= 0 || !catalog.Of(c.kind).Worked() {
			return do(c)
		}
		total, s, ctx := 0, c.service, c.r.Context()
		for _, status := range []storage.Status{storage.Unprocessed, storage.Processing} {
			page := motion.Page{Status: status, Limit: 1}
			_, extractions, err1 := s.ListExtractions(ctx, c.client, page)
			_, comparisons, err2 := s.ListComparisons(ctx, c.client, page)
			_, analyses, err3 := s.ListAnalyses(ctx, c.client, page)
			_, drawings, err4 := s.ListDrawings(ctx, c.client, page)
			if err := errors.Join(err1, err2, err3, err4); err != nil {
				return err
			}
			total += extractions + comparisons + analyses + drawings
		}
		if total < c.opt.Limits.MaxUnfinished {
			return do(c)
		}
		return wire.Later(http.StatusServiceUnavailable, "%d records of the client are not finished yet, at most %d are allowed; try again later.",
			total, c.opt.Limits.MaxUnfinished)
	}
}
