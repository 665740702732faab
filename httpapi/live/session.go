package live

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"math"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/live"
	"github.com/bodymotion/motion/internal/jsonappend"
	"github.com/bodymotion/motion/internal/panics"
	"github.com/bodymotion/motion/keypoint"
)

// closing is the end of a connection that the service wants.
type closing struct {
	code   websocket.StatusCode
	reason string // at most 123 bytes
}

func (c closing) Error() string { return c.reason }

// The ends of a connection. Further ones have a reason of their own.
var (
	errDone     = closing{websocket.StatusNormalClosure, "the end, as asked for"}
	errShutdown = closing{websocket.StatusGoingAway, "the service is shutting down"}
	errIdle     = closing{websocket.StatusPolicyViolation, "nothing was received for 30 s"}
	errToken    = closing{websocket.StatusPolicyViolation, "the access token is no longer valid"}
	errStart    = closing{websocket.StatusPolicyViolation, "the start message is wrong"}
	errText     = closing{websocket.StatusPolicyViolation, `want binary messages with pictures, or the text {"type":"end"}`}
	errLarge    = closing{websocket.StatusMessageTooBig, "the message is too large"}
	errPictures = closing{websocket.StatusPolicyViolation, "too many pictures in a row cannot be looked at"}
	errWatched  = closing{websocket.StatusPolicyViolation, "too many pictures before the person is chosen"}
	errInternal = closing{websocket.StatusInternalError, "there is a problem on the service"}
)

// connection is one that is being served.
type connection struct {
	*Handler
	conn    *websocket.Conn
	client  string
	request *http.Request // for the Authenticator
	session *live.Session
	rules   []analyze.Rule
	of      *grader     // nil without an exercise
	heard   *time.Timer // ends the connection after silence

	newest  chan picture // holds one; closed after the last one
	watch   float64      // how long everybody is looked at before a person is chosen, seconds
	first   float64      // the time of the first picture
	looks   int          // pictures that were looked at
	dropped int          // pictures, since the update before
	lost    int          // pictures dropped in all
	wrong   int          // pictures in a row that could not be looked at
}

// serve serves a connection until it ends.
func (h *Handler) serve(conn *websocket.Conn, raw net.Conn, client string, request *http.Request) {
	ctx, end := context.WithCancelCause(h.drain)
	c := &connection{Handler: h, conn: conn, client: client, request: request.WithContext(ctx), newest: make(chan picture, 1)}
	c.heard = time.AfterFunc(idle, func() { end(errIdle) })
	conn.SetReadLimit(int64(h.opt.MaxPictureBytes + timeBytes))
	var running sync.WaitGroup
	safely := func(work func(context.Context) error) {
		err := panics.Call(func() error { return work(ctx) })
		if errors.As(err, new(*panics.Error)) {
			h.log("a connection ends", err)
			err = errInternal
		}
		end(err)
	}
	started := make(chan []byte, 1)
	running.Go(func() { safely(func(ctx context.Context) error { return c.receive(ctx, started) }) })
	running.Go(func() { safely(c.authenticated) })
	safely(func(ctx context.Context) error { return c.look(ctx, started) })
	c.heard.Stop()
	wanted, why := errShutdown, context.Cause(ctx)
	if errors.As(why, &wanted) || h.drain.Err() != nil {
		raw.SetDeadline(time.Now().Add(closeTimeout)) // Close alone waits for the rest of a message
		conn.Close(wanted.code, wanted.reason)
	}
	conn.CloseNow()
	running.Wait()
}

// authenticated returns an error when the token is no longer valid.
func (c *connection) authenticated(ctx context.Context) error {
	ticks := time.NewTicker(recheck)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticks.C:
		}
		id, err := c.identify(c.request)
		switch {
		case errors.Is(err, httpapi.ErrUnauthenticated), errors.Is(err, httpapi.ErrForbidden), err == nil && id.Client != c.client:
			return errToken
		case err != nil && ctx.Err() == nil: // that of the service, which may pass
			c.log("authentication failed", err)
		}
	}
}

// timeBytes is the length of the time before each picture.
const timeBytes = 8

// receive reads the messages: the first one, then pictures, then perhaps the end.
func (c *connection) receive(ctx context.Context, started chan<- []byte) error {
	for first := true; ; first = false {
		// Without the end of ctx, which would cut the connection off before the reason is told.
		kind, data, err := c.conn.Read(context.WithoutCancel(ctx))
		switch {
		case errors.Is(err, websocket.ErrMessageTooBig):
			return errLarge
		case err != nil: // the client has gone
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		c.heard.Reset(idle)
		switch {
		case first && kind == websocket.MessageText:
			started <- data
		case first:
			return closing{errStart.code, "the first message has to be text"}
		case kind == websocket.MessageBinary:
			c.put(data)
		case !isEnd(data):
			return errText
		default:
			close(c.newest)
			<-ctx.Done() // after the pictures that came before
			return ctx.Err()
		}
	}
}

// look answers the first message, and then each of the newest pictures, until ctx ends.
func (c *connection) look(ctx context.Context, started <-chan []byte) error {
	select {
	case data := <-started:
		opt, of, mistakes := parseStart(data)
		c.rules, c.of = opt.Rules, of
		c.watch, _ = opt.Choose.Watch()
		if mistakes == nil {
			var err error
			if c.session, err = live.New(c.est, opt); err != nil {
				mistakes = wrongStart(err)
			}
		}
		if mistakes != nil {
			return errors.Join(c.write(ctx, problemOf(mistakes)), errStart)
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := c.write(ctx, ready{"ready", c.opt.MaxPictureBytes, c.opt.MaxPixels}); err != nil {
		return err
	}
	for {
		var p picture
		select {
		case <-ctx.Done():
			return ctx.Err()
		case p = <-c.newest:
		}
		if p.received.IsZero() { // the end
			return errors.Join(c.write(ctx, end{live.EndOf(c.looks, c.lost, c.session.Counts(), c.rules), c.graded(math.Inf(1))}), errDone)
		}
		answer, err := c.next(ctx, p)
		if err != nil {
			return err
		}
		if err := c.write(ctx, answer); err != nil {
			return err
		}
		if c.wrong >= maxWrong {
			return errPictures
		}
	}
}

const (
	maxWrong   = 10  // pictures in a row that are impossible to look at
	maxWatched = 600 // pictures before a person is chosen; everybody in them is kept
)

// next looks at a picture. The clients take turns; what comes meanwhile replaces it.
func (c *connection) next(ctx context.Context, p picture) (answer any, err error) {
	leave, err := c.places.Take(ctx, c.client)
	if err != nil {
		return nil, err
	}
	defer leave()
	select {
	case newer, ok := <-c.newest:
		if ok {
			newer.dropped += p.dropped + 1
			p = newer
		}
	default:
	}
	data := p.data
	c.dropped, c.lost = c.dropped+p.dropped, c.lost+p.dropped
	if len(data) < timeBytes {
		c.wrong++
		return pictureProblem{"problem", fmt.Sprintf("The message has %d bytes, want 8 with the time and then a JPEG picture.", len(data)), nil}, nil
	}
	seconds := float64(binary.BigEndian.Uint64(data)) / 1e6
	img, err := decode(ctx, data[timeBytes:], c.opt.MaxPixels)
	var u live.Update
	if err == nil {
		u, err = c.session.Next(ctx, img, seconds)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.As(err, new(*panics.Error)):
		return nil, err
	case err == nil:
		if c.looks == 0 {
			c.first = seconds
		}
		if c.looks++; c.looks > maxWatched && seconds-c.first < c.watch {
			return nil, errWatched
		}
		c.wrong = 0
		u.Dropped, c.dropped = c.dropped, 0
		m := update{u.Message(img.Bounds().Size(), c.rules), c.graded(seconds)}
		took := jsonappend.Rounded(time.Since(p.received).Seconds())
		m.Took = &took
		return m, nil
	}
	c.wrong++
	detail := err.Error()
	if !blamed(err) {
		c.log("looking at a picture failed", err)
		detail = "There is a problem on the service."
	}
	return pictureProblem{"problem", detail, &seconds}, nil
}

// decodeTime is how long a picture may take to be decoded, which keeps others waiting.
const decodeTime = time.Second

// decode decodes a JPEG picture of at most that many pixels.
func decode(ctx context.Context, data []byte, maxPixels int) (image.Image, error) {
	if inference.ImageFormat(data[:min(len(data), 16)]) != "jpeg" {
		return nil, fmt.Errorf("%w: the content is not a JPEG picture", inference.ErrFormat)
	}
	inTime, stop := context.WithTimeoutCause(ctx, decodeTime, inference.ErrTooSlow)
	defer stop()
	img, err := inference.DecodeImage(inTime, nil, bytes.NewReader(data), maxPixels+1)
	if err != nil && errors.Is(context.Cause(inTime), inference.ErrTooSlow) {
		err = fmt.Errorf("%w: the picture needs more than %v", inference.ErrTooSlow, decodeTime)
	}
	return img, err
}

// blamed reports whether an error is that of the client's picture.
func blamed(err error) bool {
	kinds := []error{inference.ErrFormat, inference.ErrTooManyPixels, inference.ErrTooManyScans, inference.ErrTooSlow, keypoint.ErrInvalid}
	return slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(err, kind) })
}

// picture is a message with a picture, which is decoded only when it is looked at.
type picture struct {
	data     []byte
	received time.Time
	dropped  int // pictures that it has replaced
}

// put replaces the newest picture.
func (c *connection) put(data []byte) {
	p := picture{data: data, received: time.Now()}
	select {
	case old := <-c.newest:
		p.dropped = old.dropped + 1
	default:
	}
	c.newest <- p // which has room: only put sends
}
