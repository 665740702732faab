// Package kernels pins the versions of the notebook kernels. It is a module of its own, so
// that nobody who uses the library gets them.
package kernels
