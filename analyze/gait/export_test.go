package gait

// Band is what curves are made of.
var Band = (*Gait).band
