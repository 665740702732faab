package file

// SetFree makes the disk tell what free returns.
func (b *Blobs) SetFree(free func() int64) {
	b.space = func() (int64, error) { return free(), nil }
}
