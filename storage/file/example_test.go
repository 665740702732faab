package file_test

import (
	"context"
	"crypto/md5"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/file"
)

// A blob is kept only when it has the MD5 that was announced.
func ExampleOpen() {
	dir, err := os.MkdirTemp("", "blobs-")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	blobs, err := file.Open(dir, file.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer blobs.Close()

	ctx := context.Background()
	sum := md5.Sum([]byte("a movie"))
	opt := storage.PutOptions{MD5: sum[:], MaxSize: 500 << 20}
	_, err = blobs.Put(ctx, "media/movies/7", strings.NewReader("another movie"), opt)
	fmt.Println(err)
	if _, err := blobs.Put(ctx, "media/movies/7", strings.NewReader("a movie"), opt); err != nil {
		fmt.Println(err)
		return
	}

	blob, err := blobs.Open(ctx, "media/movies/7")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer blob.Close()
	content, err := io.ReadAll(blob)
	fmt.Printf("%d bytes, %q %v\n", blob.Info().Size, content, err)
	// Output:
	// blob media/movies/7: invalid content: its MD5 is 4fe153d4cc64053d710a2f9946f398d4, want cebf83ab8f292bea10c1ce5d3564f2b5
	// 7 bytes, "a movie" <nil>
}
