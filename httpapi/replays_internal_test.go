package httpapi

// SetReplayBytes bounds the memory of the answers that are kept, for a test.
func (h *Handler) SetReplayBytes(n int) { h.replays.maxBytes = n }

// ReplayBytes is how much memory they take.
func (h *Handler) ReplayBytes() int { return h.replays.bytes }
