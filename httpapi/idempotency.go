package httpapi

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"time"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi/internal/wire"
	"github.com/bodymotion/motion/internal/catalog"
	"github.com/bodymotion/motion/storage"
)

// A POST with the header Idempotency-Key is executed once: repeating it with the same key, path and body returns the
// first response (draft-ietf-httpapi-idempotency-key-header), with a new link for the upload if there is one. The
// service keeps the responses: see motion.Service.Answers.

const (
	keepAnswer = 24 * time.Hour

	// lease is how long a request may take before another one with its key is executed. It ends only if the process
	// has died, or could not store the response: the record that it may have made is looked for then.
	lease = time.Minute
)

var validKey = regexp.MustCompile(`^[ -~]{1,255}$`)

// once executes a POST, or repeats the response to an earlier one with the same key. Only
// responses that created a record are kept; any other response frees the key.
func once(do handler) handler {
	return func(c *call) error {
		header := c.r.Header.Values("Idempotency-Key")
		if c.opt.Limits.IdempotencyKeys < 0 || len(header) == 0 {
			return do(c)
		}
		if len(header) != 1 || !validKey.MatchString(header[0]) {
			return wire.Refuse(http.StatusBadRequest, "The Idempotency-Key has to be 1 to 255 visible ASCII characters.")
		}
		body, err := c.document()
		if err != nil {
			return err
		}
		hash := sha256.New()
		io.WriteString(hash, c.path+"\n")
		hash.Write(body)
		// Keys may be names of people, and are kept a day after the answer is erased with a person: not as text, therefore.
		request := storage.Request{Owner: c.client, Key: fmt.Sprintf("%x", sha256.Sum256([]byte(header[0]))), Hash: [32]byte(hash.Sum(nil))}
		found, err := c.service.Answers().ReserveAnswer(c.r.Context(), request, lease, c.opt.Limits.IdempotencyKeys)
		switch {
		case err != nil:
			return err
		case found.ID != 0:
			name := sha256.Sum256(append(request.Hash[:], header[0]...))
			c.reserved, c.key = found.ID, motion.Key{Name: hex.EncodeToString(name[:16]), Again: found.Lapsed}
			defer release(c) // also where the request panics
			return do(c)
		case found.Hash != request.Hash:
			return wire.Refuse(http.StatusUnprocessableEntity, "The Idempotency-Key was used with another request; use a new key.")
		case found.Answer == nil:
			return wire.Problem{
				Status: http.StatusConflict, RetryAfter: 1,
				Detail: "The first request with this Idempotency-Key is still in progress; try again later.",
			}
		}
		var made struct{ ID int64 }
		if err := json.Unmarshal(found.Answer, &made); err != nil {
			return fmt.Errorf("kept answer: %w", err)
		}
		switch _, err := c.service.GetStatus(c.r.Context(), c.client, c.kind, made.ID); {
		case errors.Is(err, motion.ErrNotFound):
			return wire.Refuse(http.StatusConflict, "The record %d that the first request with this Idempotency-Key created has been deleted; use a new key.", made.ID)
		case err != nil:
			return err
		}
		c.w.Header().Set("Idempotent-Replayed", "true")
		return answerCreated(c, found.Answer)
	}
}

// release frees the key of a request that has created nothing.
func release(c *call) {
	if c.reserved == 0 || c.doubt {
		return
	}
	ctx, cancel := afterwards(c)
	defer cancel()
	if err := c.service.Answers().ReleaseAnswer(ctx, c.reserved); err != nil {
		c.log(slog.LevelError, "key not released", "error", err)
	}
}

// create creates a record of the client. It answers with the JSON form that form returns and with the
// address of the record, and keeps the answer before the client gets it.
func create[Q, R any](c *call, b *body, req Q, do func(context.Context, string, Q) (R, error), form func(R) any) error {
	if err := b.err(); err != nil {
		return err
	}
	record, err := do(c.r.Context(), c.client, req)
	if err != nil {
		c.doubt = errors.Is(err, motion.ErrDoubt)
		return b.placed(err)
	}
	answer, err := json.Marshal(form(record))
	if err != nil {
		return err
	}
	if c.reserved != 0 {
		ctx, cancel := afterwards(c)
		defer cancel()
		if err := c.service.Answers().KeepAnswer(ctx, c.reserved, answer, keepAnswer); err != nil {
			c.log(slog.LevelError, "answer not kept", "error", err)
		}
		c.reserved = 0
	}
	return answerCreated(c, answer)
}

// answerCreated answers with the JSON form of a created record, to which it adds a new link for the upload.
func answerCreated(c *call, answer []byte) error {
	var media newMedia
	if err := json.Unmarshal(answer, &media); err != nil {
		return fmt.Errorf("kept answer: %w", err)
	}
	c.w.Header().Set("Location", c.public(fmt.Sprintf("/%s/%d/", c.kind, media.ID)).String())
	if !catalog.Of(c.kind).Media() {
		return c.answer(http.StatusCreated, json.RawMessage(answer))
	}
	media.UploadURL = link(c, http.MethodPut, fmt.Sprintf("%s/%d", c.kind, media.ID))
	return c.answer(http.StatusCreated, media)
}

// afterwards returns a context for what has to be stored even if the client is gone.
func afterwards(c *call) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(c.r.Context()), 10*time.Second)
}
