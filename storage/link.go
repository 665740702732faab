package storage

import (
	"context"
	"time"
)

// LinkOptions are the options of a link to a blob.
type LinkOptions struct {
	TTL                time.Duration // how long the link is valid; 0: an hour
	ContentType        string        // the Content-Type of the response; "": the driver's
	ContentDisposition string        // the Content-Disposition of the response; "": none
}

// Linker is an optional interface of a Blob that clients can read without this process.
type Linker interface {
	// Link returns a URL from which anybody who has it can GET the blob, with ranges, until
	// the TTL has passed.
	Link(ctx context.Context, o LinkOptions) (string, error)
}
