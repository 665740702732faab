// Package webhook notifies clients that their records are finished, by signed requests as https://www.standardwebhooks.com describes them:
//
//	sender, err := webhook.New(webhook.Options{Endpoints: endpoints})
//	if err != nil {
//		return err
//	}
//	service, err := motion.New(motion.Config{Finished: sender.Finished, …})
//	go sender.Run(ctx)
//
// Events are kept in memory, so a crash loses them: a webhook saves clients from polling, but does not replace reading the record.
package webhook

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/storage"
)

// Endpoint receives the events of a client.
type Endpoint struct {
	// URL receives a POST for each event. It must be https unless Options.AllowPrivate is set.
	URL string
	// Secrets sign the requests: "whsec_" and the base64 of 24 to 64 bytes, as NewSecret
	// returns. Each of them signs every request, so that a client can replace one.
	Secrets []string
}

// Options of a Sender. Endpoints is required; all other fields are optional.
type Options struct {
	// Endpoints returns the endpoints of a client, at most ten; none for a client that wants no events. It is called before every attempt.
	Endpoints func(ctx context.Context, client string) ([]Endpoint, error)

	// AllowPrivate allows http, and addresses that are not public: of this machine, of private networks, of clouds'
	// metadata services. Set it only if clients cannot choose their endpoints.
	AllowPrivate bool

	// Retries are the pauses before the second and later attempts; default 5 s, 5 min,
	// 30 min, 2 h, 5 h and 10 h, each longer by up to a tenth.
	Retries []time.Duration
	Timeout time.Duration // bounds an attempt; default 15 s
	// MaxQueued bounds the waiting events; one client may have a tenth of them. Events that do not fit are dropped. Default 10,000.
	MaxQueued int
	// Workers bounds the concurrent requests; one client may have two of them. Default 8.
	Workers int
	Logger  *slog.Logger // receives what could not be sent; default slog.Default()
}

// Sender sends events. Its methods may be called from many goroutines.
type Sender struct {
	opt       Options
	queue     *queue
	transport http.RoundTripper
}

// New returns a Sender. It sends nothing before Run is called.
func New(opt Options) (*Sender, error) {
	if opt.Endpoints == nil {
		return nil, errors.New("webhook: Options.Endpoints is missing")
	}
	if opt.Retries == nil {
		opt.Retries = []time.Duration{5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour}
	}
	opt.Timeout = cmp.Or(max(opt.Timeout, 0), 15*time.Second)
	opt.MaxQueued, opt.Workers = cmp.Or(max(opt.MaxQueued, 0), 10_000), cmp.Or(max(opt.Workers, 0), 8)
	opt.Logger = cmp.Or(opt.Logger, slog.Default())
	return &Sender{opt: opt, queue: newQueue(opt.MaxQueued), transport: newTransport(opt)}, nil
}

// payload is the body of a request.
type payload struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      record `json:"data"`
}

type record struct {
	Kind       storage.Kind   `json:"kind"`
	ID         int64          `json:"id"`
	ExecStatus storage.Status `json:"execStatus"`
	UpdatedAt  string         `json:"updatedAt"`
}

// Finished queues an event and returns at once. Use it as motion.Config.Finished.
func (s *Sender) Finished(f motion.Finished) {
	p := payload{Type: "record.succeeded", Timestamp: f.UpdatedAt.UTC().Format("2006-01-02T15:04:05.000000Z")}
	if f.Status == storage.Failure {
		p.Type = "record.failed"
	}
	p.Data = record{f.Record.Kind, f.Record.ID, f.Status, p.Timestamp}
	body, err := json.Marshal(p)
	if err == nil && !s.queue.push(&task{id: "msg_" + rand.Text(), client: f.Record.Owner, body: body, due: time.Now()}) {
		err = errors.New("too many wait")
	}
	if err != nil {
		s.opt.Logger.Error("webhook dropped", "client", f.Record.Owner, "kind", f.Record.Kind, "id", f.Record.ID, "error", err)
	}
}
