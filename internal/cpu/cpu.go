// Package cpu tells what the processor can do, for the few inner loops that have a faster
// form in its own instructions. Built with the tag purego, nothing is assumed.
package cpu
