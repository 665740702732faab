package yuv

// CopyLimited sets the picture, which is of limited range, to src, which is of full
// range, has the same matrix and fits: each plane for itself, without a way through RGB.
// A picture that is wider or higher than src repeats the last column and row of it.
func (m *Image) CopyLimited(src *Image) {
	m.copyPlanes(src)
	_, l, c := scales(false)
	var luma, chroma [256]uint8
	for v := range 256 {
		luma[v] = clamp(int32(v)*fix(l) + 16<<16 + half)
		chroma[v] = clamp(int32(v-128)*fix(c) + 128<<16 + half)
	}
	for i, v := range m.Y {
		m.Y[i] = luma[v]
	}
	for i, v := range m.Cb {
		m.Cb[i], m.Cr[i] = chroma[v], chroma[m.Cr[i]]
	}
}
