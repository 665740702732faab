// Package routers shows, in its tests, how the API is mounted with the routers that hosts
// use. It is a module of its own, so that nobody who uses the library gets them.
package routers
