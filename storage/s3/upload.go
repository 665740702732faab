package s3

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/bodymotion/motion/storage"
)

// Upload is the permission to put one content of a blob at the server, past this
// process.
type Upload struct {
	URL    string      // where to PUT the content
	Header http.Header // what the request must carry, Content-MD5 among it
	ID     string      // for Commit; whoever has it may know the rest
}

// md5Meta is the metadata in which an upload keeps the MD5 that was signed.
const md5Meta = "md5"

// SignUpload returns a link by which a client puts content of that MD5, 5 GiB at most,
// as a new content of the blob. The server refuses any other content. The blob is what
// it was until Commit is called; what is never committed is removed by Sweep. ttl is how
// long the link is valid; 0: an hour; at most 7 days. ErrInvalid for a bad key or MD5.
func (b *Blobs) SignUpload(ctx context.Context, key string, sum []byte, ttl time.Duration) (Upload, error) {
	if err := storage.CheckBlobKey(key); err != nil {
		return Upload{}, err
	}
	if len(sum) != md5.Size {
		return Upload{}, fmt.Errorf("blob %s: %w MD5 of %d bytes", key, storage.ErrInvalid, len(sum))
	}
	id := newID()
	name := b.dataName(key, id)
	req, err := b.signer.PresignPutObject(ctx, &s3.PutObjectInput{
		Bucket: &b.bucket, Key: &name, ContentMD5: contentMD5([md5.Size]byte(sum)),
		Metadata: map[string]string{md5Meta: hex.EncodeToString(sum)},
	}, valid(ttl))
	if err != nil {
		return Upload{}, fault(ctx, "sign "+name, err)
	}
	header := req.SignedHeader.Clone()
	for _, own := range []string{"Host", "Content-Length"} { // the client's HTTP sets them
		header.Del(own)
	}
	return Upload{URL: req.URL, Header: header, ID: id}, nil
}

// Commit makes uploaded content the blob, as Put does. It returns ErrNotFound when
// nothing was uploaded by that ID, and ErrInvalid or ErrTooLarge when it is not what
// opt says; the content is left to Sweep then.
func (b *Blobs) Commit(ctx context.Context, key, id string, opt storage.PutOptions) (storage.BlobInfo, error) {
	if err := storage.CheckBlobKey(key); err != nil {
		return storage.BlobInfo{}, err
	}
	if id == "" || strings.ContainsAny(id, "-/!") {
		return storage.BlobInfo{}, fmt.Errorf("upload of blob %s: %w", key, storage.ErrNotFound)
	}
	name := b.dataName(key, id)
	head, err := b.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.bucket, Key: &name})
	if missing(err) {
		return storage.BlobInfo{}, fmt.Errorf("upload of blob %s: %w", key, storage.ErrNotFound)
	}
	if err != nil {
		return storage.BlobInfo{}, fault(ctx, "head "+name, err)
	}
	e := entry{id: id}
	if head.ContentLength != nil {
		e.size = *head.ContentLength
	}
	sum, err := hex.DecodeString(head.Metadata[md5Meta])
	if err != nil || len(sum) != md5.Size { // content of a Put, which is no upload
		return storage.BlobInfo{}, fmt.Errorf("upload of blob %s: %w", key, storage.ErrNotFound)
	}
	e.sum = [md5.Size]byte(sum)
	switch {
	case opt.MD5 != nil && string(opt.MD5) != string(sum):
		err = fmt.Errorf("blob %s: %w content: its MD5 is %x, want %x", key, storage.ErrInvalid, sum, opt.MD5)
	case opt.MaxSize > 0 && e.size > opt.MaxSize:
		err = fmt.Errorf("blob %s: %w: more than %d bytes", key, storage.ErrTooLarge, opt.MaxSize)
	}
	if err != nil {
		return storage.BlobInfo{}, err
	}
	// Where this fails the content stays, and Commit may be called again.
	if e, err = b.show(ctx, key, e); err != nil {
		return storage.BlobInfo{}, err
	}
	return e.info(key), nil
}
