package storage

import "context"

// Sweeper is an optional interface of Blobs in which crashes may leave what is no blob, such
// as half an upload.
type Sweeper interface {
	// Sweep removes what is of no use and so old, as the driver documents, that no call
	// works on it any more. Other calls may go on meanwhile, in any process.
	Sweep(ctx context.Context) error
}
