// Package exchange notes what the tests of the API send and get, so that a package with a validator of
// OpenAPI, which would cost hosts seven modules, can hold it against the document.
package exchange

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Folder is the environment variable with the folder in which Record and Value write their notes: files of
// Exchanges as JSON, one a line.
const Folder = "MOTION_EXCHANGES"

// Exchange is a request and its response, or a value of a schema.
type Exchange struct {
	Test string

	Method, Target string
	Header         http.Header
	Body           []byte // of POST and PATCH
	Requests       bool   // whether the document has to tell good requests from bad ones
	Status         int    // 0: the connection broke before a response
	Answer         http.Header
	Content        []byte // if it is JSON

	Schema string // its name
	Value  any
}

// Beyond matches the reasons for a 400 that the document cannot tell in its schemas.
var Beyond = regexp.MustCompile(`more after the JSON document|, with another value|is for movies only|` +
	`excludes movieId|want an integer|left out together with format|for an image, which has no times|which the font cannot write|` +
	`(page|wait) is \\"(\+1)?\\"|The query|valid UTF-8|lone surrogate|given twice|a pixel or more apart|want 0 to \d+|` +
	`point in the picture|keypoints do not have|there is no correction of|corrections, want at most|with these edits|` +
	`/frame is \d+, which is out of range|of different people|has no person|is of one person|` +
	`/(from|to) is out of range|want more seconds than from|given together with (rule|from or to)|/layout is for drawing|` +
	`is of the whole repetition|has no side|want min or more|which no font has|` +
	`want a time from 1890|want 1850 to|/name is missing|have an empty text|without spaces around|characters that are seen|have \\?".*\\?" twice|` +
	`/(rate|prominence|minDuration) is out of range|no more parts of one side than of the other|no frame shows the person from the head|` +
	`want the last frame of|all there is of a single point|but for scale|these keypoints are in space|want the size of the picture, of which|is found in space|alone makes metres in space|the recording is in a plane|an analysis of other keypoints|no finished movie of these keypoints|` +
	`"pointer":"/(keypoints|scores|timestamps|data|format|size|frameRate)`)

// Handler calls done for each exchange with a handler.
func Handler(next http.Handler, done func(Exchange)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := Exchange{Method: r.Method, Target: r.URL.String(), Header: r.Header.Clone()}
		if r.Method == http.MethodPost || r.Method == http.MethodPatch {
			x.Body, _ = io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(x.Body))
		}
		rec := &recorder{ResponseWriter: w}
		next.ServeHTTP(rec, r)
		x.Status, x.Answer, x.Content = rec.status, rec.Header().Clone(), rec.body.Bytes()
		if z, err := gzip.NewReader(&rec.body); err == nil && x.Answer.Get("Content-Encoding") == "gzip" {
			x.Content, _ = io.ReadAll(z) // which does not fit the document if it is cut
		}
		done(x)
	})
}

// Record notes the exchanges with a handler, if the environment asks for it.
func Record(t testing.TB, next http.Handler, requests bool) http.Handler {
	if os.Getenv(Folder) == "" {
		return next
	}
	return Handler(next, func(x Exchange) {
		x.Test, x.Requests = t.Name(), requests
		write(t, x)
	})
}

// Value notes a JSON value that has to fit a schema, if the environment asks for it.
func Value(t testing.TB, schema string, value any) {
	if os.Getenv(Folder) != "" {
		write(t, Exchange{Test: t.Name(), Schema: schema, Value: value})
	}
}

var (
	mu   sync.Mutex
	file *os.File
)

func write(t testing.TB, x Exchange) {
	line, err := json.Marshal(x)
	mu.Lock()
	defer mu.Unlock()
	if err == nil && file == nil {
		file, err = os.CreateTemp(os.Getenv(Folder), filepath.Base(os.Args[0])+"-*.jsonl")
	}
	if err == nil {
		_, err = file.Write(append(line, '\n'))
	}
	if err != nil {
		t.Error(err)
	}
}

// recorder keeps the status of a response, and its body if it is JSON.
type recorder struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (r *recorder) WriteHeader(status int) {
	if status >= 200 && r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(p []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	if IsJSON(r.Header()) {
		r.body.Write(p)
	}
	return r.ResponseWriter.Write(p)
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// IsJSON reports whether a response is JSON.
func IsJSON(h http.Header) bool { return strings.HasSuffix(h.Get("Content-Type"), "json") }
