package httpapi

import "net/http"

// limits are what the service accepts; 0 means no limit. Those of pixels and frames are strict.
type limits struct {
	ImagePixels int   `json:"imagePixels"`
	FramePixels int   `json:"framePixels"`
	Frames      int   `json:"frames"`
	UploadBytes int64 `json:"uploadBytes"`
}

// getLimits answers with them, so that clients can say before an upload what is too much.
func getLimits(c *call) error {
	l := c.service.Limits()
	return c.answer(http.StatusOK, limits{l.ImagePixels, l.FramePixels, l.Frames, l.UploadBytes})
}
