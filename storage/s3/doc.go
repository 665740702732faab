// Package s3 keeps blobs in a bucket of any server that speaks S3: AWS, Ceph, MinIO,
// Garage, SeaweedFS, versitygw. Many processes on many machines may share a bucket.
//
// # Layout
//
// A blob is two objects below its key and an exclamation mark:
//
//	media/movies/7!/data-3TUNAS…                  the content
//	media/movies/7!/187a…-9e107d9d…-1f4a-3TUNAS…  empty; its name tells when the blob was
//	                                              put, the MD5, the size and the content
//
// Content is uploaded under a name of its own and never written again; the second
// object makes it the blob, at once. So a blob is there whole or not at all, who has
// the former content open reads it to its end with ranges as it likes, and a list needs
// no request for each blob. The MD5 is part of a name and not metadata of the content,
// because S3 wants metadata before a streamed upload begins and does not list it.
// '!' sorts before every character of a key: the server's order is the order of keys,
// and no object's name is the folder of another's, which servers that keep objects as
// files need.
//
// Former content stays for the time Config.Keep says and is removed by a later Put of
// the same key, or by Sweep, which also removes what crashes have left, unfinished uploads
// among it: motion.Service.Run does so at its beginning and now and then.
//
// The server must list an object as soon as it is put, in the order of names. All of
// the above do; AWS's directory buckets do not, and List says so with an error. The
// bucket needs no versioning: one that has it keeps what was deleted.
//
// # Links
//
// Blobs give signed links to read them (storage.Linker), to which the API redirects
// downloads if httpapi.Options.RedirectDownloads is set. Uploads go through the API: a signed
// upload would need headers that the API's clients do not send, could not limit the size in
// advance, and would tell nobody that the file is there.
//
// # Speed
//
// A large blob reaches a versitygw on the same two cores in 0.84 of the speed of a curl that
// lets the server check nothing, 1.3 times of one that sends Content-MD5 and 2.2 times of one
// that signs the content (go run ./internal/lab/scale -only blobs).
//
// # Client
//
// The package uses AWS's own client: eleven modules, all of them AWS's, which take
// whatever http.Client and credentials the caller has, sign links, retry, and leave to
// the caller how parts are streamed. minio-go brings nineteen modules of a dozen
// authors along and reaches os/exec. Beyond plain PUT, GET, LIST and DELETE this
// package needs multipart uploads and nothing else of a server: no versioning, tags,
// conditions or copies. The server checks what it gets by Content-MD5, and parts of a large
// blob by CRC-32C if it says that it knows that, which saves it half of its CPU time.
package s3
