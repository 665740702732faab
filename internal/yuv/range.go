package yuv

// CopyLimited sets the picture, of limited range, to src, of full range, the same matrix and at most the same size,
// without conversion to RGB. If the picture is larger, it repeats the last column and row.
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
