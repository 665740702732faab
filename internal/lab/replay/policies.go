package main

import (
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/ensemble"
)

// policy is an ensemble of members by name.
type policy struct {
	name               string
	finding, following []string
	ask                ensemble.When
}

// policies are those that are replayed; the first one is followed while looks are recorded.
var policies = []policy{
	{"Balanced", []string{"thunder", "thunder-mirrored", "full"}, []string{"full", "lightning", "thunder"}, ensemble.InDoubt},
	{"Fast", []string{"lightning", "lightning-mirrored", "full"}, []string{"full", "lightning"}, ensemble.Turned},
	{"full", []string{"thunder", "thunder-mirrored", "full"}, []string{"full"}, ensemble.InDoubt},
	{"lightning", []string{"thunder", "thunder-mirrored", "full"}, []string{"full", "lightning"}, ensemble.InDoubt},
	{"always thunder", []string{"thunder", "thunder-mirrored", "full"}, []string{"full", "thunder"}, ensemble.Always},
	{"always lightning", []string{"thunder", "thunder-mirrored", "full"}, []string{"full", "lightning"}, ensemble.Always},
	{"all three", []string{"thunder", "thunder-mirrored", "full"}, []string{"full", "lightning", "thunder"}, ensemble.Always},
}

func (p policy) network(f *film, asked *count) (inference.Network, error) {
	members := func(names []string) (list []inference.Network) {
		for _, name := range names {
			list = append(list, member{name, f, asked})
		}
		return list
	}
	return ensemble.New(ensemble.Options{Finding: members(p.finding), Following: members(p.following), Ask: p.ask})
}
