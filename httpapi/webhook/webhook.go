// Package webhook tells clients that their records are finished, by requests to addresses
// of theirs, signed as https://www.standardwebhooks.com describes:
//
//	sender, err := webhook.New(webhook.Options{Endpoints: endpoints})
//	service, err := motion.New(motion.Config{Finished: sender.Finished, …})
//	go sender.Run(ctx)
//
// What is to be sent is kept in memory, so a crash loses it: a webhook saves clients from
// asking again and again, but what counts is the record.
package webhook

import (
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

// Endpoint is where the events of a client go.
type Endpoint struct {
	// URL gets a POST for each event. It has to be https unless Options.AllowPrivate.
	URL string
	// Secrets sign the requests: "whsec_" and the base64 of 24 to 64 bytes, as NewSecret
	// makes them. All sign, so that a client can go from one to the next.
	Secrets []string
}

// Options say where events go and how. Endpoints is required.
type Options struct {
	// Endpoints returns where the events of a client go, none for a client that wants
	// none. It is asked before every try.
	Endpoints func(ctx context.Context, client string) ([]Endpoint, error)

	// AllowPrivate allows http, and addresses that are not public: of this machine, of
	// private networks, of clouds' metadata services. Only where clients cannot choose
	// their endpoints.
	AllowPrivate bool

	// Retries are the pauses before the second try and those after it; default 5 s, 5 min,
	// 30 min, 2 h, 5 h and 10 h, each longer by up to a tenth.
	Retries []time.Duration
	// Timeout is how long a try may take; default 15 s.
	Timeout time.Duration
	// MaxQueued is how many events wait at most, and of one client a tenth of them; default
	// 10,000. What does not fit is dropped.
	MaxQueued int
	// Workers is how many requests are under way at a time, of one client at most two;
	// default 8.
	Workers int
	// Logger gets what could not be sent; default slog.Default().
	Logger *slog.Logger
}

// Sender sends events. It is safe for many goroutines at once.
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
	if opt.Timeout <= 0 {
		opt.Timeout = 15 * time.Second
	}
	if opt.MaxQueued <= 0 {
		opt.MaxQueued = 10_000
	}
	if opt.Workers <= 0 {
		opt.Workers = 8
	}
	if opt.Logger == nil {
		opt.Logger = slog.Default()
	}
	return &Sender{opt: opt, queue: newQueue(opt.MaxQueued), transport: newTransport(opt)}, nil
}

// payload is the body of a request.
type payload struct {
	Type      string `json:"type"`
	Timestamp string `json:"timestamp"`
	Data      data   `json:"data"`
}

type data struct {
	Kind       storage.Kind   `json:"kind"`
	ID         int64          `json:"id"`
	ExecStatus storage.Status `json:"execStatus"`
	UpdatedAt  string         `json:"updatedAt"`
}

// Finished takes an event to be sent, and returns at once. It is for motion.Config.Finished.
func (s *Sender) Finished(f motion.Finished) {
	p := payload{Type: "record.succeeded", Timestamp: f.UpdatedAt.UTC().Format("2006-01-02T15:04:05.000000Z")}
	if f.Status == storage.Failure {
		p.Type = "record.failed"
	}
	p.Data = data{f.Record.Kind, f.Record.ID, f.Status, p.Timestamp}
	body, err := json.Marshal(p)
	if err == nil && !s.queue.push(&task{id: "msg_" + rand.Text(), client: f.Record.Owner, body: body, due: time.Now()}) {
		err = errors.New("too many wait")
	}
	if err != nil {
		s.opt.Logger.Error("webhook dropped", "client", f.Record.Owner, "kind", f.Record.Kind, "id", f.Record.ID, "error", err)
	}
}
