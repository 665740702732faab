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

// fault gives an error of the client its kind: that of ctx if ctx has ended, storage.ErrUnavailable if trying again may help.
func fault(ctx context.Context, what string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("s3: %s: %w", what, context.Cause(ctx))
	case transient(err):
		return fmt.Errorf("s3: %s: %w: %w", what, storage.ErrUnavailable, err)
	}
	return fmt.Errorf("s3: %s: %w", what, err)
}

// transient reports whether trying again may help: the server is down, overloaded or broken, or the connection broke.
func transient(err error) bool {
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
	return errors.Is(err, errSilent) || errors.As(err, &sending) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF)
}

// statusOf returns the HTTP status of an error response; 0 if there was no response, or one that could not be read.
func statusOf(err error) int {
	var resp *smithyhttp.ResponseError
	if !errors.As(err, &resp) || resp.HTTPStatusCode() < 300 {
		return 0
	}
	return resp.HTTPStatusCode()
}

// missing reports whether the server has no such object or upload.
func missing(err error) bool {
	var api smithy.APIError
	if errors.As(err, &api) && api.ErrorCode() == "NoSuchBucket" {
		return false
	}
	return statusOf(err) == http.StatusNotFound
}
