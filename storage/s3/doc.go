// Package s3 keeps blobs in a bucket of any server that speaks S3: AWS, Ceph, MinIO, Garage, SeaweedFS, versitygw.
// Many processes on many machines may share a bucket:
//
//	blobs, err := s3.Open(ctx, s3.Config{
//		Endpoint:  "https://s3.example.com",
//		Bucket:    "movies",
//		AccessKey: os.Getenv("AWS_ACCESS_KEY_ID"),
//		SecretKey: os.Getenv("AWS_SECRET_ACCESS_KEY"),
//	})
//
// # Layout
//
// A blob is two objects below its key and an exclamation mark:
//
//	media/movies/7!/data-3TUNAS…                  the content
//	media/movies/7!/187a…-9e107d9d…-1f4a-3TUNAS…  empty; its name tells when the blob was
//	                                              put, the MD5, the size and the content
//
// Content is uploaded under a name of its own and never overwritten; the second object makes it the blob in one step,
// and a list needs no request for each blob. The MD5 is in a name because S3 wants metadata before a streamed upload
// begins and does not list it. '!' sorts before every character of a key: the server's order is the order of keys.
//
// Former content stays for Config.Keep. A later Put of the same key removes it, or Sweep, which also removes what
// crashes have left, such as unfinished uploads. The bucket needs no versioning; one that has it keeps what was deleted.
//
// # Server
//
// Beyond plain PUT, GET, LIST and DELETE, a server needs multipart uploads and nothing else. It must list an object as
// soon as it is put, in the order of names: AWS's directory buckets do not, and List returns an error. It checks
// content by Content-MD5, and the parts of large blobs by CRC-32C if it announces that it can.
//
// A server that neither takes a byte of a request, nor answers, nor sends a byte of the answer for 10 seconds is given
// up with storage.ErrUnavailable; transfers that flow may take as long as they like. A server that refuses connections
// is tried three times, in about a second.
package s3
