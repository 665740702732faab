package httpapi

import (
	"fmt"
	"net/http"

	"github.com/bodymotion/motion/storage"
)

// crowded answers 503 to a client that has too many unfinished records already. Requests
// that come at the same moment may pass together.
func (c *call) crowded(kind storage.Kind) bool {
	if c.opt.MaxUnfinished <= 0 || kind == storage.Movies || kind == storage.Images {
		return false
	}
	total, err := unfinished(c.r.Context(), c.service, c.client)
	if err != nil {
		c.fail(err, asIs)
		return true
	}
	if total < c.opt.MaxUnfinished {
		return false
	}
	c.w.Header().Set("Retry-After", "5")
	c.problem(problem{
		Status: http.StatusServiceUnavailable,
		Detail: fmt.Sprintf("%d records of the client are not finished yet, at most %d are allowed; try again later.", total, c.opt.MaxUnfinished),
	})
	return true
}
