package storage

import "context"

// Sweeper is what Blobs of some drivers also are: those that crashes may leave something in
// that is no blob, such as half an upload.
type Sweeper interface {
	// Sweep removes what is of no use and old enough that no call is at it any more, as the
	// driver says. Other calls may go on meanwhile, in any process.
	Sweep(ctx context.Context) error
}
