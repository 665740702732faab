package decode

import "math"

// dark returns the offset from the cell of the maximum to the peak of a Gaussian through the smoothed
// cells around it: −H⁻¹·g, where g and H are the first and second differences of the map's logarithm.
// ok is false at the edges, without a peak, and if the offset is longer than a cell.
//
// Source: Zhang et al., Distribution-Aware Coordinate Representation for Human Pose Estimation, CVPR 2020.
func (m *heatmap) dark(x, y int, kernel []float64) (dx, dy float64, ok bool) {
	if x < 1 || y < 1 || x > m.columns-2 || y > m.rows-2 {
		return 0, 0, false
	}
	var l [3][3]float64
	for j := range l {
		for i := range l[j] {
			l[j][i] = math.Log(max(m.smoothed(x+i-1, y+j-1, kernel), 1e-10))
		}
	}
	gx, gy := (l[1][2]-l[1][0])/2, (l[2][1]-l[0][1])/2
	xx, yy := l[1][2]-2*l[1][1]+l[1][0], l[2][1]-2*l[1][1]+l[0][1]
	xy := (l[2][2] - l[0][2] - l[2][0] + l[0][0]) / 4
	det := xx*yy - xy*xy
	if !(det > 0) || !(xx < 0) {
		return 0, 0, false
	}
	dx, dy = (xy*gy-yy*gx)/det, (xy*gx-xx*gy)/det
	return dx, dy, math.Abs(dx) <= 1 && math.Abs(dy) <= 1
}

// smoothed returns the weighted mean around a cell. Cells outside of the map count as 0.
func (m *heatmap) smoothed(x, y int, kernel []float64) float64 {
	half := len(kernel) / 2
	sum := 0.0
	for j, wy := range kernel {
		v := y + j - half
		if v < 0 || v >= m.rows {
			continue
		}
		row := m.cells[v*m.columns : (v+1)*m.columns]
		line := 0.0
		for i, wx := range kernel {
			if u := x + i - half; u >= 0 && u < m.columns {
				line += wx * float64(row[u])
			}
		}
		sum += wy * line
	}
	return sum
}
