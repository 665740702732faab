package inferencetest

import "time"

// SetPatience sets how long the suites wait for events that must happen soon.
func SetPatience(d time.Duration) { patience = d }
