package yuv

// Matrix converts Y, Cb and Cr to red, green and blue, all 0 to 255:
//
//	R = Luma·(Y−Black) + RV·(Cr−128)
//	G = Luma·(Y−Black) − GU·(Cb−128) − GV·(Cr−128)
//	B = Luma·(Y−Black) + BU·(Cb−128)
type Matrix struct {
	Black, Luma, RV, GU, GV, BU float64
}

// NewMatrix returns the matrix of ITU-R BT.601 or BT.709 for full range, or else 16 to 235 in Y and 16 to 240 in chroma.
func NewMatrix(full, bt709 bool) Matrix {
	kr, kb := coefficients(bt709)
	kg := 1 - kr - kb
	black, luma, chroma := scales(full)
	return Matrix{
		Black: float64(black), Luma: 1 / luma,
		RV: 2 * (1 - kr) / chroma, BU: 2 * (1 - kb) / chroma,
		GU: 2 * (1 - kb) * kb / kg / chroma, GV: 2 * (1 - kr) * kr / kg / chroma,
	}
}

// coefficients returns the weights of red and blue in luma, ITU-R BT.601 or BT.709.
func coefficients(bt709 bool) (kr, kb float64) {
	if bt709 {
		return 0.2126, 0.0722
	}
	return 0.299, 0.114
}

// scales returns the luma of black, and the factors of luma and chroma relative to RGB of 0 to 255.
func scales(full bool) (offset int32, luma, chroma float64) {
	if full {
		return 0, 1, 1
	}
	return 16, 219.0 / 255, 224.0 / 255
}

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
