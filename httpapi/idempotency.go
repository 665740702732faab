package httpapi

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"regexp"
	"time"

	"github.com/bodymotion/motion/storage"
)

// A POST with the header Idempotency-Key is executed once: repeating it with the same key,
// path and body returns the first response (draft-ietf-httpapi-idempotency-key-header), with a
// new link for the upload if there is one. The service keeps the responses: see
// motion.Service.Answers.

const (
	keepAnswer     = 24 * time.Hour
	defaultMaxKeys = 1000 // of one client

	// lease is how long a request may take before another one with its key is executed. It
	// ends only if the process has died, or could not store the response.
	lease = time.Minute
)

var validKey = regexp.MustCompile(`^[ -~]{1,255}$`)

// once executes a POST, or repeats the response to an earlier one with the same key. Only
// responses that created a record are kept; any other response frees the key.
func (c *call) once(do func(*call)) {
	header := c.r.Header.Values("Idempotency-Key")
	if c.opt.IdempotencyKeys < 0 || len(header) == 0 {
		do(c)
		return
	}
	if len(header) != 1 || !validKey.MatchString(header[0]) {
		c.problem(problem{Status: http.StatusBadRequest, Detail: "The Idempotency-Key has to be 1 to 255 visible ASCII characters."})
		return
	}
	body, bad := readJSON(c.w, c.r, maxBody, c.opt.IdleTimeout)
	if bad != nil {
		c.problem(problem{Status: bad.status, Detail: bad.detail})
		return
	}
	c.r.Body = io.NopCloser(bytes.NewReader(body))
	hash := sha256.New()
	io.WriteString(hash, c.path+"\n")
	hash.Write(body)
	request := storage.Request{Owner: c.client, Key: header[0], Hash: [32]byte(hash.Sum(nil))}
	found, err := c.service.Answers().ReserveAnswer(c.r.Context(), request, lease, c.opt.IdempotencyKeys)
	switch {
	case err != nil:
		c.fail(err)
	case found.ID != 0:
		c.reserved = found.ID
		defer c.release() // also where the request panics
		do(c)
	case found.Hash != request.Hash:
		c.problem(problem{Status: http.StatusUnprocessableEntity, Detail: "The Idempotency-Key was used with another request; use a new key."})
	case found.Answer == nil:
		c.w.Header().Set("Retry-After", "1")
		c.problem(problem{Status: http.StatusConflict, Detail: "The first request with this Idempotency-Key is still in progress; try again later."})
	default:
		c.w.Header().Set("Idempotent-Replayed", "true")
		c.answerCreated(found.Answer)
	}
}

// release frees the key of a request that has created nothing.
func (c *call) release() {
	if c.reserved == 0 {
		return
	}
	ctx, cancel := c.afterwards()
	defer cancel()
	if err := c.service.Answers().ReleaseAnswer(ctx, c.reserved); err != nil {
		c.log(slog.LevelError, "key not released", "error", err)
	}
}

// created answers that a record was created, and keeps the answer before the client gets it. v is
// the JSON form of the record, without a link.
func (c *call) created(v any) {
	answer, err := json.Marshal(v)
	if err != nil {
		c.fail(err)
		return
	}
	if c.reserved != 0 {
		ctx, cancel := c.afterwards()
		defer cancel()
		if err := c.service.Answers().KeepAnswer(ctx, c.reserved, answer, keepAnswer); err != nil {
			c.log(slog.LevelError, "answer not kept", "error", err)
		}
		c.reserved = 0
	}
	c.answerCreated(answer)
}

// answerCreated answers with the JSON form of a created record, to which it adds a new link for
// the upload.
func (c *call) answerCreated(answer []byte) {
	var record struct {
		ID int64 `json:"id"`
	}
	var media newMedia
	err := json.Unmarshal(answer, &record)
	if err == nil && isMedia(c.kind) {
		err = json.Unmarshal(answer, &media)
	}
	if err != nil {
		c.fail(fmt.Errorf("kept answer: %w", err))
		return
	}
	c.w.Header().Set("Location", c.public(fmt.Sprintf("/%s/%d/", c.kind, record.ID)).String())
	if !isMedia(c.kind) {
		c.answer(http.StatusCreated, json.RawMessage(answer))
		return
	}
	media.UploadURL = c.link(http.MethodPut, fmt.Sprintf("%s/%d", c.kind, media.ID))
	c.answer(http.StatusCreated, media)
}

// afterwards returns a context for what has to be stored even if the client is gone.
func (c *call) afterwards() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(c.r.Context()), 10*time.Second)
}
