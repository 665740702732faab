package storage

import (
	"context"
	"time"
)

// LinkOptions say what a link to a blob answers.
type LinkOptions struct {
	TTL                time.Duration // how long the link is valid; 0: an hour
	ContentType        string        // the header of that name in the answer; "": the driver's
	ContentDisposition string        // the header of that name in the answer; "": none
}

// Linker is what a Blob of some drivers also is: one that others can read past this
// process. A blob whose driver gives no links does not implement it.
type Linker interface {
	// Link returns an address from which whoever has it can GET the open blob, with
	// ranges, until the TTL has passed.
	Link(ctx context.Context, o LinkOptions) (string, error)
}
