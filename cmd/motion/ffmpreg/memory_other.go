//go:build !linux && !darwin

package ffmpreg

func reserve(size int) []byte { return make([]byte, size) }

func commit([]byte) error { return nil }

func free([]byte) {}
