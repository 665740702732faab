package decode

import "math"

// Refine is how a heatmap's maximum is located within its cell.
type Refine int

const (
	// Quarter moves it a quarter of a cell towards the larger neighbour on each axis.
	Quarter Refine = iota
	// Dark moves it to the peak of the Gaussian through the cells around it.
	Dark
	// Cell leaves it at the cell.
	Cell
)

// Heat holds the parameters of Heatmaps.
type Heat struct {
	Width, Height int // of the input in pixels
	Refine        Refine
	Kernel        int  // for Dark: width of the smoothing Gaussian in cells, odd; 1: no smoothing
	Corners       bool // the first and last cells lie on the first and last pixels (UDP)
}

// Heatmaps decodes one heatmap per point and appends one Spot each: t is [1, points, rows, columns]. The score is the maximum, at least 0.
//
// Cell c is at the centre of pixel c·width/columns, as HRNet and its kin are trained, or with Corners at that of
// pixel c·(width−1)/(columns−1), as ViTPose and others with unbiased data processing are. Rows are placed likewise.
//
// Sources: Sun et al., Deep High-Resolution Representation Learning, CVPR 2019; Huang et
// al., The Devil is in the Details: Delving into Unbiased Data Processing, CVPR 2020.
func Heatmaps(spots []Spot, t Tensor, h Heat) ([]Spot, error) {
	shape, ok := t.unbatched(3)
	if !ok || shape[1] < 2 || shape[2] < 2 {
		return spots, t.wrong("[1, points, rows, columns] with at least 2 rows and columns")
	}
	rows, columns := shape[1], shape[2]
	perX, perY := float64(h.Width)/float64(columns), float64(h.Height)/float64(rows)
	if h.Corners {
		perX, perY = float64(h.Width-1)/float64(columns-1), float64(h.Height-1)/float64(rows-1)
	}
	var kernel []float64
	if h.Refine == Dark {
		kernel = gaussian(h.Kernel)
	}
	for k := range shape[0] {
		m := heatmap{t.Data[k*rows*columns : (k+1)*rows*columns], rows, columns}
		at, value := largest(m.cells)
		if at < 0 {
			spots = append(spots, Spot{})
			continue
		}
		x, y := at%columns, at/columns
		var dx, dy float64
		switch h.Refine {
		case Quarter:
			dx, dy = m.quarter(x, y)
		case Dark:
			var ok bool
			if dx, dy, ok = m.dark(x, y, kernel); !ok {
				dx, dy = m.quarter(x, y)
			}
		}
		spots = append(spots, Spot{(float64(x)+dx)*perX + 0.5, (float64(y)+dy)*perY + 0.5, max(value, 0)})
	}
	return spots, nil
}

// heatmap is the heatmap of one point.
type heatmap struct {
	cells         []float32
	rows, columns int
}

func (m *heatmap) at(x, y int) float64 { return float64(m.cells[y*m.columns+x]) }

// quarter returns a quarter of a cell towards the larger neighbour on each axis; 0 at the edges and between equal neighbours.
func (m *heatmap) quarter(x, y int) (dx, dy float64) {
	if x > 0 && x < m.columns-1 {
		dx = towards(m.at(x-1, y), m.at(x+1, y))
	}
	if y > 0 && y < m.rows-1 {
		dy = towards(m.at(x, y-1), m.at(x, y+1))
	}
	return dx, dy
}

func towards(before, after float64) float64 {
	switch {
	case after > before:
		return 0.25
	case before > after:
		return -0.25
	}
	return 0
}

// gaussian returns the weights of a Gaussian kernel of n cells with a standard deviation of 0.3·((n−1)/2 − 1) + 0.8 cells.
func gaussian(n int) []float64 {
	sigma := 0.3*(float64(n-1)/2-1) + 0.8
	w, sum := make([]float64, n), 0.0
	for i := range w {
		d := (float64(i) - float64(n-1)/2) / sigma
		w[i] = math.Exp(-d * d / 2)
		sum += w[i]
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}
