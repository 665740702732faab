package httpapi

import (
	"net/http"

	"github.com/bodymotion/motion/storage"
)

// delete removes a record and everything made from it.
func (c *call) delete(kind storage.Kind, id int64) {
	if err := c.service.Delete(c.r.Context(), c.client, kind, id); err != nil {
		c.fail(err, asIs)
		return
	}
	c.w.WriteHeader(http.StatusNoContent)
}
