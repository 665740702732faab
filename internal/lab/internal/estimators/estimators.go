// Package estimators opens the estimators that are measured, by name.
package estimators

import (
	"fmt"
	"io"
	"strings"

	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/blazepose/heavy"
	"github.com/bodymotion/motion/inference/movenet"
	"github.com/bodymotion/motion/inference/movenet/lightning"
	"github.com/bodymotion/motion/inference/movenet/multipose"
	"github.com/bodymotion/motion/inference/movenet/thunder"
	"github.com/bodymotion/motion/inference/pose"
)

// Estimator is an estimator that is closed by whoever opens it.
type Estimator interface {
	inference.Estimator
	io.Closer
}

// Names are those of package pose, and of MoveNets on the person that MultiPose finds.
var Names = []string{"balanced", "fast", "accurate", "thunder", "lightning"}

// Open opens the estimator of a name with the thresholds of persons and parts; 0 is the default, -1 none.
func Open(name string, person, part float64) (Estimator, error) {
	ready := pose.Options{PersonThreshold: person, PartThreshold: part}
	alone := movenet.Options{PersonThreshold: person, PartThreshold: part, People: multipose.Model()}
	switch name {
	case "balanced":
		return opened(pose.Balanced(ready))
	case "fast":
		return opened(pose.Fast(ready))
	case "accurate":
		return opened(pose.Accurate(ready, heavy.Model()))
	case "thunder":
		alone.Pose = thunder.Model()
		return opened(movenet.New(alone))
	case "lightning":
		alone.Pose = lightning.Model()
		return opened(movenet.New(alone))
	}
	return nil, fmt.Errorf("-estimator is %q, want one of %s", name, strings.Join(Names, ", "))
}

// opened returns no estimator with an error: a nil pointer in an interface is not nil.
func opened[E Estimator](e E, err error) (Estimator, error) {
	if err != nil {
		return nil, err
	}
	return e, nil
}
