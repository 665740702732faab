package httpapi

import "time"

// RequestStats describes a completed request.
type RequestStats struct {
	Method   string        // "other" where it is none of the API's
	Route    string        // as in the OpenAPI document, such as "/movies/{id}/"; "" where nothing is there
	Status   int           // 0 where the connection broke before an answer
	Duration time.Duration // from the request header to the end of the response
	Sent     int64         // bytes of the answer's body
}
