// Package local keeps local files visible in decorated blobs.
package local

import (
	"context"

	"github.com/bodymotion/motion/storage"
)

// Blobs are Blobs whose files, if they are local, have the method File of storage.Local, even if a
// decorator hides it. Decoders and encoders look for that method in what they read.
type Blobs struct{ storage.Blobs }

// Unwrap returns the decorated Blobs.
func (b Blobs) Unwrap() storage.Blobs { return b.Blobs }

// Open implements storage.Blobs.
func (b Blobs) Open(ctx context.Context, key string) (storage.Blob, error) {
	file, err := b.Blobs.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	if l, ok := storage.As[storage.Local](file); ok {
		return blob{file, l}, nil
	}
	return file, nil
}

// blob is a local file.
type blob struct {
	storage.Blob
	storage.Local
}

// Unwrap returns the decorated file.
func (b blob) Unwrap() storage.Blob { return b.Blob }
