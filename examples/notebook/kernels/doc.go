// Package kernels pins the versions of the notebook kernels. It is a module of its own, so that users
// of the library do not fetch them.
package kernels
