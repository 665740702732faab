package s3

import (
	"context"
	"crypto/md5"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// checksum sets the checksum with which the server checks a part, in the request and, if the
// server wants it again when the upload is completed, in done.
type checksum func(in *s3.UploadPartInput, done *types.CompletedPart, body []byte)

// begin begins a multipart upload and returns how the server checks its parts: by CRC-32C, which
// is cheap for both sides, if it supports that, else by Content-MD5, which all servers support.
func (b *Blobs) begin(ctx context.Context, name string) (upload *string, check checksum, err error) {
	in := &s3.CreateMultipartUploadInput{Bucket: &b.bucket, Key: &name}
	if !b.onlyMD5.Load() {
		in.ChecksumAlgorithm = types.ChecksumAlgorithmCrc32c
	}
	made, err := b.client.CreateMultipartUpload(ctx, in)
	if s := statusOf(err); in.ChecksumAlgorithm != "" && (s == http.StatusBadRequest || s == http.StatusNotImplemented) {
		// Some servers refuse an algorithm that they do not support. If there was another
		// reason, this request fails too, or parts are checked by MD5 from now on.
		in.ChecksumAlgorithm = ""
		made, err = b.client.CreateMultipartUpload(ctx, in)
	}
	if err != nil {
		return nil, nil, err
	}
	if in.ChecksumAlgorithm != "" && made.ChecksumAlgorithm == in.ChecksumAlgorithm {
		return made.UploadId, byCRC, nil
	}
	b.onlyMD5.Store(true) // others ignore the algorithm
	return made.UploadId, byMD5, nil
}

func byMD5(in *s3.UploadPartInput, _ *types.CompletedPart, body []byte) {
	in.ContentMD5 = contentMD5(md5.Sum(body))
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func byCRC(in *s3.UploadPartInput, done *types.CompletedPart, body []byte) {
	sum := binary.BigEndian.AppendUint32(nil, crc32.Checksum(body, castagnoli))
	in.ChecksumCRC32C = aws.String(base64.StdEncoding.EncodeToString(sum))
	done.ChecksumCRC32C = in.ChecksumCRC32C
}

// contentMD5 returns the value of the header Content-MD5.
func contentMD5(sum [md5.Size]byte) *string {
	return aws.String(base64.StdEncoding.EncodeToString(sum[:]))
}
