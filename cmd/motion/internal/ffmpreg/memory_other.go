//go:build !unix

package ffmpreg

func reserve(size int) []byte { return make([]byte, size) }

func free([]byte) {}
