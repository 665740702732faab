// Package notebook contains a Jupyter notebook in two versions, for gophernotes and GoNB, and the tests
// that execute them. See README.md.
package notebook
