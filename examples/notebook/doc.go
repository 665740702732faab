// Package notebook holds two Jupyter notebooks of the same story, for gophernotes and for
// GoNB, and the tests that execute them. README.md says how to run them.
package notebook
