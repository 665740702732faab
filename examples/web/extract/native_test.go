//go:build !js

package main_test

const native = true
