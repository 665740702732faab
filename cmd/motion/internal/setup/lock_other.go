//go:build !unix

package setup

// Lock does nothing: here nobody but the user takes care that a folder has one process.
func Lock(string, string) (unlock func() error, err error) {
	return func() error { return nil }, nil
}
