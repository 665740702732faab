package httpapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/bodymotion/motion/storage"
)

// resource is the operations on a kind of record.
type resource struct {
	list   func(*call)
	make   func(*call)
	get    func(*call, int64)
	change func(*call, int64) // nil if records cannot be changed
}

var resources = map[storage.Kind]resource{
	storage.Movies: {(*call).listMedia, (*call).makeMedia, (*call).getMedia, (*call).changeMedia},
	storage.Images: {(*call).listMedia, (*call).makeMedia, (*call).getMedia, (*call).changeMedia},
	storage.Keypoints: {
		func(c *call) { listed(c, c.service.Extractions, listedKeypoint) }, (*call).makeKeypoint, (*call).getKeypoint, (*call).correctKeypoint,
	},
	storage.Comparisons: {
		func(c *call) { listed(c, c.service.Comparisons, comparisonItemOf) }, (*call).makeComparison, (*call).getComparison, nil,
	},
	storage.Analyses: {
		func(c *call) { listed(c, c.service.Analyses, analysisItemOf) }, (*call).makeAnalysis, (*call).getAnalysis, nil,
	},
	storage.Drawings: {
		func(c *call) { listed(c, c.service.Drawings, drawingItemOf) }, (*call).makeDrawing, (*call).getDrawing, nil,
	},
}

// route dispatches the request.
func (c *call) route() {
	if c.document() {
		return
	}
	if c.path == "/events/" {
		c.events()
		return
	}
	parts := strings.Split(strings.TrimPrefix(c.path, "/"), "/")
	if parts[0] == "files" && len(parts) == 3 {
		c.file(parts[1], parts[2])
		return
	}
	slash := len(parts) > 1 && parts[len(parts)-1] == ""
	if slash {
		parts = parts[:len(parts)-1]
	}
	res, ok := resources[storage.Kind(parts[0])]
	single := len(parts) == 1 && !slash && (parts[0] == "docs" || parts[0] == "events")
	if (!ok || len(parts) > 2) && !single {
		c.nothing()
		return
	}
	reading := c.r.Method == http.MethodGet || c.r.Method == http.MethodHead
	if !slash {
		u := c.public(c.path + "/")
		u.RawQuery = c.r.URL.RawQuery
		if reading {
			http.Redirect(c.w, c.r, u.String(), http.StatusPermanentRedirect)
			return
		}
		u.RawQuery = ""
		c.problem(problem{Status: http.StatusNotFound, Detail: "Addresses end with a slash: use " + u.String()})
		return
	}
	c.kind = storage.Kind(parts[0])
	if len(parts) == 1 {
		c.pattern = "/" + parts[0] + "/"
		if c.allow("GET", "HEAD", "POST") && c.authenticate(!reading) && c.knownQuery() {
			switch {
			case reading:
				res.list(c)
			case !c.refuse():
				c.once(func(c *call) {
					if !c.crowded() {
						res.make(c)
					}
				})
			}
		}
		return
	}
	c.pattern = "/" + parts[0] + "/{id}/"
	methods := []string{"GET", "HEAD", "DELETE"}
	if res.change != nil {
		methods = append(methods, "PATCH")
	}
	if c.allow(methods...) && c.authenticate(!reading) && c.knownQuery() {
		id, err := strconv.ParseInt(parts[1], 10, 64)
		if err != nil || id <= 0 || strconv.FormatInt(id, 10) != parts[1] {
			c.problem(problem{Status: http.StatusNotFound, Detail: "There is no " + parts[0] + " record " + strconv.Quote(parts[1]) + "."})
			return
		}
		switch c.r.Method {
		case http.MethodDelete:
			c.delete(id)
		case http.MethodPatch:
			res.change(c, id)
		default:
			res.get(c, id)
		}
	}
}

// delete deletes a record and everything made from it.
func (c *call) delete(id int64) {
	if err := c.service.Delete(c.r.Context(), c.client, c.kind, id); err != nil {
		c.fail(err)
		return
	}
	c.w.WriteHeader(http.StatusNoContent)
}

// allow answers 405 to all but the listed methods.
func (c *call) allow(methods ...string) bool {
	if slices.Contains(methods, c.r.Method) {
		return true
	}
	c.w.Header().Set("Allow", strings.Join(methods, ", "))
	c.problem(problem{
		Status: http.StatusMethodNotAllowed,
		Detail: "The method " + c.r.Method + " is not allowed here; allowed are " + strings.Join(methods, ", ") + ".",
	})
	return false
}
