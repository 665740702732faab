// Package routers shows, in its tests, how to mount the API with common routers. It is a module of its
// own, so that users of the library do not fetch them.
package routers
