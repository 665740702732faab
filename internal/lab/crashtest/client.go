package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"
)

// client uses the API as a persistent program does: it repeats requests without an answer, and notes in the history what
// it was told.
type client struct {
	url     string
	http    *http.Client
	history *history
	name    string        // of its keys
	prefix  string        // of the paths of the API
	token   atomic.Value  // string
	keys    atomic.Int64  // used
	busy    time.Duration // how long it asks again while its first request is said to be in progress
	broken  atomic.Int64  // requests without an answer, or told to come again
}

func newClient(url, name string, transport http.RoundTripper, h *history) *client {
	return &client{url: url, http: &http.Client{Transport: transport, Timeout: 30 * time.Second}, history: h, name: name, prefix: "/v1", busy: 2 * time.Second}
}

// retryPause is how long a client waits before it tries again.
const retryPause = 50 * time.Millisecond

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// errRefused is a status that says that asking again is of no use.
type errRefused struct {
	event *event
	text  string
}

func (e errRefused) Error() string { return fmt.Sprintf("%v: %s", e.event, e.text) }

// ask sends a request until it is answered, and notes each attempt.
func (c *client) ask(ctx context.Context, e event, method, path string, body []byte) (answer map[string]any, err error) {
	until := time.Now().Add(c.busy)
	for {
		attempt := c.history.begin(e)
		status, text, err := c.once(ctx, method, path, e.key, body)
		answer, got := read_(status, text, e)
		c.history.end(attempt, got)
		inProgress := e.op == make_ && status == http.StatusConflict && time.Now().Before(until)
		switch {
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%v: %w (last: %v)", attempt, ctx.Err(), err)
		case status == http.StatusUnauthorized:
			if err := c.login(ctx); err != nil {
				return nil, err
			}
			continue
		case !attempt.unanswered() && !inProgress:
			if !attempt.done() {
				return answer, errRefused{attempt, string(text)}
			}
			return answer, nil
		}
		c.broken.Add(1)
		if inProgress {
			pause(ctx, 10*retryPause)
		}
		pause(ctx, retryPause)
	}
}

// read_ reads what an answer tells.
func read_(status int, text []byte, e event) (answer map[string]any, told event) {
	told.code = status
	if json.Unmarshal(text, &answer) != nil && len(bytes.TrimSpace(text)) > 0 && status < 300 {
		told.code = 0 // half an answer
	}
	if status == http.StatusUnauthorized {
		told.code = 0
	}
	told.of = e.of
	if id, ok := answer["id"].(float64); ok && e.op == make_ {
		told.of.id = int64(id)
	}
	told.state, _ = answer["execStatus"].(string)
	told.told = map[string]string{}
	told.told["name"], _ = answer["name"].(string)
	told.told["file"], _ = answer["mediaUrl"].(string)
	if who, ok := answer["subjectId"].(float64); ok {
		told.told[person] = fmt.Sprint(int64(who))
	}
	edits, _ := answer["edits"].([]any)
	for _, x := range edits {
		edit, _ := x.(map[string]any)
		point, _ := edit["point"].([]any)
		if part, ok := edit["part"].(string); ok && len(point) == 2 {
			told.told[part] = fmt.Sprint(point[0])
		}
	}
	return answer, told
}

func (c *client) once(ctx context.Context, method, path, key string, body []byte) (status int, text []byte, err error) {
	address := path
	if strings.HasPrefix(path, "/") {
		address = c.url + path
	}
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, err
	}
	if t, _ := c.token.Load().(string); t != "" && address != path {
		req.Header.Set("Authorization", "Bearer "+t)
	}
	if method == http.MethodPost || method == http.MethodPatch {
		req.Header.Set("Content-Type", "application/json")
	}
	if method == http.MethodPost && key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return 0, nil, err
	}
	defer resp.Body.Close()
	if text, err = io.ReadAll(resp.Body); err != nil {
		return 0, nil, err
	}
	return resp.StatusCode, text, nil
}

// login gets a new token: tokens do not survive their server.
func (c *client) login(ctx context.Context) error {
	body := fmt.Appendf(nil, `{"grantType":"client_credentials","clientId":%q,"clientSecret":%q}`, clientID, clientSecret)
	for ctx.Err() == nil {
		if status, text, err := c.once(ctx, http.MethodPost, "/oauth/v1/accesstokens", "", body); err == nil && status < 300 {
			var answer struct{ AccessToken string }
			err = json.Unmarshal(text, &answer)
			c.token.Store(answer.AccessToken)
			return err
		}
		pause(ctx, retryPause)
	}
	return ctx.Err()
}

// make makes a record of others. what is its request without their IDs.
func (c *client) make(ctx context.Context, kind string, body map[string]any, what string, from ...record) (record, map[string]any, error) {
	e := event{op: make_, of: record{kind: kind}, from: from, what: what, key: fmt.Sprintf("%s-%d", c.name, c.keys.Add(1))}
	if of := e.of; of.media() || of.kind == "subjects" {
		body["name"] = e.key
	}
	text, err := json.Marshal(body)
	if err != nil {
		return record{}, nil, err
	}
	answer, err := c.ask(ctx, e, http.MethodPost, c.prefix+"/"+kind+"/", text)
	id, _ := answer["id"].(float64)
	return record{kind, int64(id)}, answer, err
}

// subject makes the record of a person.
func (c *client) subject(ctx context.Context) (record, error) {
	at, _, err := c.make(ctx, "subjects", map[string]any{}, "")
	return at, err
}

// register makes the record of a recording, of the people who are given: one or none.
func (c *client) register(ctx context.Context, r recording, of ...record) (at record, link string, err error) {
	sum := fmt.Sprintf("%x", md5.Sum(r.data))
	body := map[string]any{"contentMd5": sum}
	for _, who := range of {
		body["subjectId"] = who.id
	}
	at, answer, err := c.make(ctx, r.kind, body, sum, of...)
	link, _ = answer["uploadUrl"].(string)
	return at, link, err
}

// put uploads a recording.
func (c *client) put(ctx context.Context, at record, link string, r recording) error {
	_, err := c.ask(ctx, event{op: upload, of: at}, http.MethodPut, link, r.data)
	return err
}

// extract makes keypoints of a recording.
func (c *client) extract(ctx context.Context, from record) (record, error) {
	member := map[string]string{"movies": "movieId", "images": "imageId"}[from.kind]
	at, _, err := c.make(ctx, "keypoints", map[string]any{member: from.id}, "", from)
	return at, err
}

// rules are those of analyses.
var rules = []any{
	map[string]any{"analysisType": "vectorAngle", "points": []string{"leftShoulder", "leftElbow", "leftWrist"}},
	map[string]any{"analysisType": "euclideanDistance", "points": []string{"nose", "leftKnee"}},
}

// derive makes an analysis or a drawing of keypoints, or the drawing of a comparison.
func (c *client) derive(ctx context.Context, kind string, from record) (record, error) {
	body := map[string]any{"keypointId": from.id}
	switch {
	case kind == "analyses":
		body["rule"] = rules
	case from.kind == "comparisons":
		body = map[string]any{"comparisonId": from.id, "backgroundRule": map[string]any{"skeletonOnly": true}}
	}
	at, _, err := c.make(ctx, kind, body, "", from)
	return at, err
}

// compare makes a comparison.
func (c *client) compare(ctx context.Context, source, target record) (record, error) {
	at, _, err := c.make(ctx, "comparisons", map[string]any{"sourceId": source.id, "targetId": target.id}, "", source, target)
	return at, err
}

func (c *client) path(r record) string { return fmt.Sprintf("%s/%s/%d/", c.prefix, r.kind, r.id) }

// rename gives a movie or image a new name.
func (c *client) rename(ctx context.Context, r record) error {
	e := event{op: write, of: r, set: [2]string{"name", fmt.Sprintf("%s-%d", c.name, c.keys.Add(1))}}
	_, err := c.ask(ctx, e, http.MethodPatch, c.path(r), fmt.Appendf(nil, `{"name":%q}`, e.set[1]))
	return err
}

// person is the field of a recording that says whose it is.
const person = "subject"

// give makes a recording that of a person.
func (c *client) give(ctx context.Context, r, who record) error {
	e := event{op: write, of: r, set: [2]string{person, fmt.Sprint(who.id)}}
	_, err := c.ask(ctx, e, http.MethodPatch, c.path(r), fmt.Appendf(nil, `{"subjectId":%d}`, who.id))
	return err
}

// giveBeside makes a recording that of a person who is erased at the same time, which may be refused.
func (c *client) giveBeside(ctx context.Context, r, who record) error {
	given := make(chan error, 1)
	go func() { given <- c.give(ctx, r, who) }()
	err := c.delete(ctx, who)
	var refused errRefused
	if late := <-given; !errors.As(late, &refused) {
		err = errors.Join(err, late)
	}
	return err
}

// correct corrects a part in the first frame. x is any number, another one each time.
func (c *client) correct(ctx context.Context, r record, part string, x float64) error {
	e := event{op: write, of: r, set: [2]string{part, fmt.Sprint(x)}}
	_, err := c.ask(ctx, e, http.MethodPatch, c.path(r), fmt.Appendf(nil, `{"edits":[{"frame":0,"part":%q,"point":[%v,1]}]}`, part, x))
	return err
}

// get reads a record.
func (c *client) get(ctx context.Context, r record) (map[string]any, error) {
	return c.getAs(ctx, r, "")
}

// getAs reads a record and notes the read under a name.
func (c *client) getAs(ctx context.Context, r record, name string) (map[string]any, error) {
	path := c.path(r)
	if r.media() {
		path += "?include=media"
	}
	return c.ask(ctx, event{op: read, of: r, key: name}, http.MethodGet, path, nil)
}

func (r record) media() bool { return r.kind == "movies" || r.kind == "images" }

// wait waits until a record is SUCCESS or FAILURE.
func (c *client) wait(ctx context.Context, records ...record) error {
	for _, r := range records {
		for done := false; !done; {
			answer, err := c.ask(ctx, event{op: read, of: r}, http.MethodGet, c.path(r)+"?wait=5", nil)
			if err != nil {
				return err
			}
			done = answer["execStatus"] == "SUCCESS" || answer["execStatus"] == "FAILURE"
		}
	}
	return nil
}

// delete deletes a record, and with a person everything of theirs.
func (c *client) delete(ctx context.Context, r record) error {
	path := c.path(r)
	if r.kind == "subjects" {
		path += "?all=true"
	}
	_, err := c.ask(ctx, event{op: remove, of: r}, http.MethodDelete, path, nil)
	return err
}
