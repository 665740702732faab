package httpapi

import "net/http"

// getLimits answers with what the service accepts, so that clients can say before an upload what is too much.
func getLimits(c *call) error {
	l := c.service.Limits()
	return c.answer(http.StatusOK, map[string]any{"imagePixels": l.ImagePixels, "framePixels": l.FramePixels, "frames": l.Frames, "uploadBytes": l.UploadBytes})
}
