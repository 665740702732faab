//go:build !unix

package main

// lock does nothing: here nobody but the user takes care that a folder has one server.
func lock(string) (unlock func() error, err error) { return func() error { return nil }, nil }
