package inferencetest

import "time"

// SetPatience sets how long the suites wait for what must happen soon.
func SetPatience(d time.Duration) { patience = d }
