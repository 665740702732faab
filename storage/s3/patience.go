package s3

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go/middleware"
)

// patience is how long a server may be silent in a call, retries included: neither take a byte of
// the request, nor answer, nor send a byte of the answer. A transfer that flows may take longer.
const patience = 10 * time.Second

// errSilent is the error of a call whose server was silent.
var errSilent = errors.New("the server does not answer")

// watch ends a call when its server is silent.
type watch struct {
	cancel context.CancelCauseFunc
	timer  *time.Timer
}

type watchKey struct{}

// watched returns a context that ends when the server is silent, with its watch.
func watched(ctx context.Context) (context.Context, *watch) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watch{cancel, time.AfterFunc(patience, func() { cancel(errSilent) })}
	return context.WithValue(ctx, watchKey{}, w), w
}

func (w *watch) heard() { w.timer.Reset(patience) }

// end frees the context.
func (w *watch) end() {
	w.timer.Stop()
	w.cancel(nil)
}

// patient returns a client that gives up on a silent server.
func patient(c *s3.Client) *s3.Client {
	o := c.Options()
	o.HTTPClient = listener{o.HTTPClient}
	o.APIOptions = append(o.APIOptions[:len(o.APIOptions):len(o.APIOptions)], func(s *middleware.Stack) error {
		return s.Initialize.Add(middleware.InitializeMiddlewareFunc("motionPatience", giveUp), middleware.Before)
	})
	return s3.New(o)
}

// giveUp watches a call. After GetObject only the reads of the body are watched.
func giveUp(ctx context.Context, in middleware.InitializeInput, next middleware.InitializeHandler) (out middleware.InitializeOutput, data middleware.Metadata, err error) {
	w, ok := ctx.Value(watchKey{}).(*watch)
	if !ok {
		ctx, w = watched(ctx)
		defer func() {
			if got, ok := out.Result.(*s3.GetObjectOutput); ok && err == nil {
				w.timer.Stop()
				got.Body = &content{got.Body, ctx, w}
			} else {
				w.end()
			}
		}()
	}
	if out, data, err = next.HandleInitialize(ctx, in); err != nil && context.Cause(ctx) == errSilent {
		err = errSilent
	}
	return out, data, err
}

// listener tells a watch when the server takes or sends something.
type listener struct{ next s3.HTTPClient }

func (l listener) Do(r *http.Request) (*http.Response, error) {
	w, ok := r.Context().Value(watchKey{}).(*watch)
	if !ok {
		return l.next.Do(r)
	}
	if r.Body != nil && r.Body != http.NoBody {
		r = r.WithContext(r.Context())
		r.Body = body{r.Body, w}
	}
	resp, err := l.next.Do(r)
	if err == nil {
		w.heard()
		resp.Body = body{resp.Body, w}
	}
	return resp, err
}

// body is that of a request, which is read as fast as the server takes it, or of an answer.
type body struct {
	io.ReadCloser
	watch *watch
}

func (b body) Read(p []byte) (int, error) {
	b.watch.heard()
	return b.ReadCloser.Read(p)
}

// content is the body of an object. The time between two reads does not count.
type content struct {
	io.ReadCloser
	ctx   context.Context
	watch *watch
}

func (c *content) Read(p []byte) (int, error) {
	n, err := c.ReadCloser.Read(p)
	c.watch.timer.Stop()
	if err != nil && context.Cause(c.ctx) == errSilent {
		err = errSilent
	}
	return n, err
}

func (c *content) Close() error {
	c.watch.end()
	return c.ReadCloser.Close()
}
