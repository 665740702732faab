package ort

var bound Binding

// Bind sets what runs networks in a browser, before the first one is opened.
func Bind(b Binding) { bound = b }
