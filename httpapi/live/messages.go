package live

import (
	"context"
	"encoding/json"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion/httpapi/internal/wire"
)

// The messages of the service, apart from updates and the end: see inference/live.

type ready struct {
	Type            string `json:"type"`
	MaxPictureBytes int    `json:"maxPictureBytes"`
	MaxPixels       int    `json:"maxPixels"`
}

type problem struct {
	Type   string         `json:"type"`
	Detail string         `json:"detail"`
	Errors []wire.Mistake `json:"errors"`
}

func problemOf(mistakes []wire.Mistake) problem {
	return problem{"problem", wire.Detail(mistakes), mistakes}
}

type pictureProblem struct {
	Type   string   `json:"type"`
	Detail string   `json:"detail"`
	Time   *float64 `json:"time"` // of the picture, seconds; null: unknown
}

// write sends a message. A client that does not read in time is cut off.
func (c *connection) write(ctx context.Context, message any) error {
	data, err := json.Marshal(message)
	if err != nil {
		c.log("writing a message", err)
		return errInternal
	}
	inTime, stop := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer stop()
	return c.conn.Write(inTime, websocket.MessageText, data)
}
