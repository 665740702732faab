package live

import (
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/inference/live"
)

// Start returns the mistakes of a first message, and the error of a session that it starts.
func Start(est inference.Estimator, data []byte) (mistakes []string, err error) {
	opt, _, wrong := parseStart(data)
	for _, m := range wrong {
		mistakes = append(mistakes, m.String())
	}
	if wrong == nil {
		_, err = live.New(est, opt)
	}
	return mistakes, err
}
