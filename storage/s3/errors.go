package s3

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/bodymotion/motion/storage"
)

// fault gives an error of the client its kind: that of the context where it has ended,
// ErrUnavailable where trying again may help.
func fault(ctx context.Context, what string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("s3: %s: %w", what, context.Cause(ctx))
	case passes(err):
		return fmt.Errorf("s3: %s: %w: %w", what, storage.ErrUnavailable, err)
	}
	return fmt.Errorf("s3: %s: %w", what, err)
}

// passes reports whether an error may pass: the server is away, overloaded or broken,
// or the connection was.
func passes(err error) bool {
	var api smithy.APIError
	if errors.As(err, &api) {
		switch api.ErrorCode() {
		case "SlowDown", "RequestTimeout", "InternalError", "ServiceUnavailable", "BadDigest":
			return true
		}
	}
	if status := statusOf(err); status != 0 {
		return status >= 500 || status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
	}
	if refused := new(tls.CertificateVerificationError); errors.As(err, &refused) {
		return false
	}
	var sending *smithyhttp.RequestSendError
	var network net.Error
	return errors.As(err, &sending) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF)
}

// statusOf is the HTTP status of the server's refusal; 0 where there was no answer, or
// one that could not be read.
func statusOf(err error) int {
	var resp *smithyhttp.ResponseError
	if !errors.As(err, &resp) || resp.HTTPStatusCode() < 300 {
		return 0
	}
	return resp.HTTPStatusCode()
}

// missing reports whether the server says that there is no such object, or no such
// upload.
func missing(err error) bool {
	var api smithy.APIError
	if errors.As(err, &api) && api.ErrorCode() == "NoSuchBucket" {
		return false
	}
	return statusOf(err) == http.StatusNotFound
}

// noBlob is the error for a blob that is not there.
func noBlob(key string) error { return fmt.Errorf("blob %q: %w", key, storage.ErrNotFound) }
