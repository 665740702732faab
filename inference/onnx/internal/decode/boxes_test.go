package decode_test

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/bodymotion/motion/inference/onnx/internal/decode"
)

var approx = cmpopts.EquateApprox(0, 1e-3)

func drawBoxes(t *rapid.T) []decode.Box {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) decode.Box {
		x, y := rapid.Float64Range(0, 50).Draw(t, "x"), rapid.Float64Range(0, 50).Draw(t, "y")
		w, h := rapid.Float64Range(1, 30).Draw(t, "w"), rapid.Float64Range(1, 30).Draw(t, "h")
		return decode.Box{X0: x, Y0: y, X1: x + w, Y1: y + h, Score: float64(rapid.IntRange(0, 9).Draw(t, "score")) / 10}
	}), 0, 40).Draw(t, "boxes")
}

// TestNMSProperties: kept boxes do not overlap, each dropped box overlaps with a better kept one,
// and a second pass drops nothing.
func TestNMSProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		boxes := drawBoxes(t)
		limit := rapid.Float64Range(0, 1).Draw(t, "limit")
		kept := decode.NMS(boxes, limit)
		for n, i := range kept {
			if n > 0 && boxes[i].Score > boxes[kept[n-1]].Score {
				t.Fatal("not best first")
			}
			for _, k := range kept[:n] {
				if boxes[i].Overlap(boxes[k]) > limit {
					t.Fatalf("boxes %d and %d overlap", i, k)
				}
			}
		}
		var again []decode.Box
		for _, i := range kept {
			again = append(again, boxes[i])
		}
		if got := decode.NMS(again, limit); len(got) != len(kept) {
			t.Fatalf("of %d kept boxes %d are kept", len(kept), len(got))
		}
		for i, b := range boxes {
			if !slices.Contains(kept, i) && !slices.ContainsFunc(kept, func(k int) bool {
				return boxes[k].Score >= b.Score && boxes[k].Overlap(b) > limit
			}) {
				t.Fatalf("box %d is dropped for nothing", i)
			}
		}
	})
}

func TestOverlap(t *testing.T) {
	a := decode.Box{X1: 10, Y1: 10}
	for want, b := range map[float64]decode.Box{1: a, 0: {X0: 10, X1: 20, Y1: 10}, 1.0 / 3: {X0: 5, X1: 15, Y1: 10}, 0.25: {X1: 5, Y1: 5}} {
		if got := a.Overlap(b); math.Abs(got-want) > 1e-12 || got != b.Overlap(a) {
			t.Errorf("overlap %g, want %g", got, want)
		}
	}
}

var grid = decode.Grid{Width: 64, Height: 96, Strides: []int{8, 16, 32}, MinScore: 0.3, Overlap: 0.5}

// encode writes a box into the raw output of a YOLOX network, at the cell of its centre.
func encode(t decode.Tensor, g decode.Grid, level int, b decode.Box, class int) {
	first := 0
	for _, s := range g.Strides[:level] {
		first += g.Width / s * (g.Height / s)
	}
	s := float64(g.Strides[level])
	x, y := (b.X0+b.X1)/2/s, (b.Y0+b.Y1)/2/s
	i, j := math.Floor(x), math.Floor(y)
	row := t.Data[(first+int(j)*(g.Width/g.Strides[level])+int(i))*t.Shape[2]:]
	row[0], row[1] = float32(x-i), float32(y-j)
	row[2], row[3] = float32(math.Log((b.X1-b.X0)/s)), float32(math.Log((b.Y1-b.Y0)/s))
	row[4], row[5+class] = 0.9, float32(b.Score/0.9)
}

func boxesOf(people []decode.Person) (boxes []decode.Box) {
	for _, p := range people {
		boxes = append(boxes, p.Box)
	}
	return boxes
}

func TestYOLOX(t *testing.T) {
	const cells = 8*12 + 4*6 + 2*3
	m := zeros("output", 1, cells, 7)
	a, b := decode.Box{X0: 10, Y0: 12, X1: 30, Y1: 61, Score: 0.8}, decode.Box{X0: 33, Y0: 40, X1: 63, Y1: 95, Score: 0.6}
	encode(m, grid, 0, b, 0)
	encode(m, grid, 1, a, 0)
	encode(m, grid, 2, decode.Box{X0: 11, Y0: 13, X1: 31, Y1: 61, Score: 0.5}, 0) // a again
	encode(m, grid, 0, decode.Box{X0: 2, Y0: 80, X1: 12, Y1: 90, Score: 0.8}, 1)  // another class
	encode(m, grid, 0, decode.Box{X0: 40, Y0: 2, X1: 60, Y1: 22, Score: 0.2}, 0)  // unsure
	m.Data[4], m.Data[5], m.Data[2] = 1, 1, 1000                                  // infinitely wide
	m.Data[7+4], m.Data[7+5], m.Data[7+0] = 1, 1, nan                             // nowhere
	m.Data[14+4], m.Data[14+5] = nan, 1                                           // nothing
	got, err := decode.YOLOX(m, grid)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]decode.Box{a, b}, boxesOf(got), approx); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, shape := range [][]int{{1, cells - 1, 7}, {1, cells, 5}, {1, 7, cells}, {cells * 7}, {2, cells, 7}} {
		_, err := decode.YOLOX(zeros("output", shape...), grid)
		refuses(t, err, `"output"`, "[1, 126, 5 + classes]", "64×96", "[8 16 32]")
	}
}

// TestYOLOXProperty: a box that is encoded in a cell is decoded again.
func TestYOLOXProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := zeros("output", 1, 126, 6)
		x, y := rapid.Float64Range(0, 63.9).Draw(t, "x"), rapid.Float64Range(0, 95.9).Draw(t, "y")
		w, h := rapid.Float64Range(1, 64).Draw(t, "w"), rapid.Float64Range(1, 96).Draw(t, "h")
		want := decode.Box{X0: x - w/2, Y0: y - h/2, X1: x + w/2, Y1: y + h/2, Score: rapid.Float64Range(0.31, 0.9).Draw(t, "score")}
		encode(m, grid, rapid.IntRange(0, 2).Draw(t, "level"), want, 0)
		got, err := decode.YOLOX(m, grid)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff([]decode.Box{want}, boxesOf(got), approx); d != "" {
			t.Error(d)
		}
	})
}

func TestBoxes(t *testing.T) {
	dets, labels := zeros("dets", 1, 6, 5), zeros("labels", 1, 6)
	copy(dets.Data, []float32{
		1, 2, 30, 40, 0.5,
		5, 5, 20, 20, 0.9,
		1, 1, 9, 9, 0.8, // of class 2
		1, 1, 9, 9, 0.1, // unsure
		nan, 1, 9, 9, 0.9,
		9, 9, 1, 1, 0.9, // turned inside out
	})
	labels.Data[2] = 2
	first, second := decode.Box{X0: 5, Y0: 5, X1: 20, Y1: 20, Score: 0.9}, decode.Box{X0: 1, Y0: 2, X1: 30, Y1: 40, Score: 0.5}
	third := decode.Box{X0: 1, Y0: 1, X1: 9, Y1: 9, Score: 0.8}
	for _, c := range []struct {
		name   string
		labels decode.Tensor
		class  int
		want   []decode.Box
	}{
		{"people", labels, 0, []decode.Box{first, second}},
		{"another class", labels, 2, []decode.Box{third}},
		{"without labels", decode.Tensor{}, 0, []decode.Box{first, third, second}},
	} {
		got, err := decode.Boxes(dets, c.labels, c.class, 0.3)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, boxesOf(got), approx); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
	if got, err := decode.Boxes(zeros("dets", 1, 0, 5), zeros("labels", 1, 0), 0, 0.3); err != nil || len(got) != 0 {
		t.Errorf("nothing found: %v, %v", got, err)
	}
	_, err := decode.Boxes(zeros("dets", 1, 6, 4), labels, 0, 0.3)
	refuses(t, err, `"dets"`, "[1, boxes, 5]")
	_, err = decode.Boxes(dets, zeros("labels", 1, 5), 0, 0.3)
	refuses(t, err, `"labels"`, "[1, 6]")
	_, err = decode.Boxes(dets, zeros("labels", 1, 6, 2), 0, 0.3)
	refuses(t, err, `"labels"`, "[1, 6]")
}

func TestYOLOPose(t *testing.T) {
	const points, anchors = 2, 20
	rows := zeros("output0", 1, anchors, 11)
	set := func(i int, values ...float32) { copy(rows.Data[11*i:], values) }
	set(3, 20, 30, 10, 20, 0.9, 18, 25, 0.8, 22, 35, 0.7)
	set(4, 21, 30, 10, 20, 0.8, 1, 1, 1, 1, 1, 1) // the same person
	set(9, 60, 30, 10, 20, 0.6, 58, 25, 0.5, nan, 35, 0.9)
	set(12, 60, 70, 10, 20, 0.2) // unsure
	set(13, 60, 70, nan, 20, 0.9)
	set(14, 60, 70, 10, 20, nan)
	want := []decode.Person{
		{Box: decode.Box{X0: 15, Y0: 20, X1: 25, Y1: 40, Score: 0.9}, Spots: []decode.Spot{{X: 18, Y: 25, Score: 0.8}, {X: 22, Y: 35, Score: 0.7}}},
		{Box: decode.Box{X0: 55, Y0: 20, X1: 65, Y1: 40, Score: 0.6}, Spots: []decode.Spot{{X: 58, Y: 25, Score: 0.5}, {}}},
	}
	columns := zeros("output0", 1, 11, anchors)
	for i := range anchors {
		for j := range 11 {
			columns.Data[j*anchors+i] = rows.Data[i*11+j]
		}
	}
	final := zeros("output0", 1, 4, 12)
	copy(final.Data, []float32{55, 20, 65, 40, 0.6, 0, 58, 25, 0.5, nan, 35, 0.9})
	copy(final.Data[12:], []float32{15, 20, 25, 40, 0.9, 0, 18, 25, 0.8, 22, 35, 0.7})
	copy(final.Data[24:], []float32{15, 20, 25, inf, 0.9, 0, 18, 25, 0.8, 22, 35, 0.7})
	for name, m := range map[string]decode.Tensor{"rows": rows, "columns": columns, "end to end": final} {
		got, err := decode.YOLOPose(m, points, 0.3, 0.5)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, got, approx); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	for _, shape := range [][]int{{1, 10, 20}, {1, 12, 20}, {11}, {3, 11, 20}} {
		_, err := decode.YOLOPose(zeros("output0", shape...), points, 0.3, 0.5)
		refuses(t, err, `"output0"`, "[1, 11, anchors]", "[1, people, 12]", "2 points")
	}
}

func TestYOLO(t *testing.T) {
	const anchors, classes = 126, 3
	g := grid
	g.Class = 1
	rows := zeros("output0", 1, anchors, 4+classes)
	set := func(i int, values ...float32) { copy(rows.Data[(4+classes)*i:], values) }
	set(3, 20, 30, 10, 20, 0.1, 0.9, 0)
	set(4, 21, 30, 10, 20, 0, 0.8, 0)    // the same person
	set(9, 50, 30, 10, 20, 0.7, 0.6, 0)  // a person, though another class is likelier
	set(12, 50, 70, 10, 20, 0.9, 0.2, 0) // another class
	set(13, 50, 70, nan, 20, 0, 0.9, 0)
	set(14, 50, 70, 10, 20, 0, nan, 0)
	set(15, 50, 70, -10, 20, 0, 0.9, 0)
	columns := zeros("output0", 1, 4+classes, anchors)
	for i := range anchors {
		for j := range 4 + classes {
			columns.Data[j*anchors+i] = rows.Data[i*(4+classes)+j]
		}
	}
	final := zeros("output0", 1, 7, 6)
	copy(final.Data, []float32{
		45, 20, 55, 40, 0.6, 1,
		15, 20, 25, 40, 0.9, 1,
		15, 20, 25, 40, 0.9, 0, // another class
		15, 20, 25, 40, 0.2, 1, // unsure
		15, 20, inf, 40, 0.9, 1,
		25, 20, 15, 40, 0.9, 1, // turned inside out
	})
	want := []decode.Box{{X0: 15, Y0: 20, X1: 25, Y1: 40, Score: 0.9}, {X0: 45, Y0: 20, X1: 55, Y1: 40, Score: 0.6}}
	unbatched := columns
	unbatched.Shape = columns.Shape[1:]
	for name, m := range map[string]decode.Tensor{"rows": rows, "columns": columns, "without a batch": unbatched, "end to end": final} {
		got, err := decode.YOLO(m, g)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, boxesOf(got), approx); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	// A raw output of 2 classes is as wide as an end-to-end one.
	two := zeros("output0", 1, anchors, 6)
	copy(two.Data, []float32{20, 30, 10, 20, 0.1, 0.9})
	if got, err := decode.YOLO(two, g); err != nil || len(got) != 1 || got[0].X0 != 15 {
		t.Errorf("two classes: %v, %v", got, err)
	}
	for _, shape := range [][]int{
		{1, 7, anchors - 1}, {1, anchors + 1, 7}, {1, 5, anchors}, // no class 1
		{1, 300, 57}, {1, 300, 38}, // end-to-end outputs for poses and masks
		{6}, {2, 7, anchors},
	} {
		_, err := decode.YOLO(zeros("output0", shape...), g)
		refuses(t, err, `"output0"`, "[1, 4 + classes, 126]", "at least 2 classes", "64×96", "[8 16 32]", "[1, boxes, 6]")
	}
}

// TestBoxesAreFinite: boxes and points are finite for any tensor.
func TestBoxesAreFinite(t *testing.T) {
	finite := func(t *rapid.T, b decode.Box) {
		for _, v := range []float64{b.X0, b.Y0, b.X1, b.Y1, b.Score} {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("a box is %v", b)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		fill := func(shape ...int) decode.Tensor {
			m := zeros("t", shape...)
			for i := range m.Data {
				m.Data[i] = numbers.Draw(t, "t")
			}
			return m
		}
		boxes, err := decode.Boxes(fill(1, 4, 5), fill(1, 4), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		more, err := decode.YOLOX(fill(1, 5, 6), decode.Grid{Width: 16, Height: 16, Strides: []int{8, 16}})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []decode.Tensor{fill(1, 6, 5), fill(1, 5, 6), fill(1, 7, 6)} {
			some, err := decode.YOLO(m, decode.Grid{Width: 16, Height: 16, Strides: []int{8, 16}, Overlap: 0.5})
			if err != nil {
				t.Fatal(err)
			}
			more = append(more, some...)
		}
		for _, b := range append(boxes, more...) {
			finite(t, b.Box)
		}
		for _, m := range []decode.Tensor{fill(1, 8, 3), fill(1, 3, 8), fill(1, 3, 9)} {
			people, err := decode.YOLOPose(m, 1, 0, 0.5)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range people {
				finite(t, p.Box)
				finite(t, decode.Box{X0: p.Spots[0].X, Y0: p.Spots[0].Y, Score: p.Spots[0].Score})
			}
		}
	})
}

func BenchmarkNMS(b *testing.B) {
	for _, n := range []int{1, 100, 1000, 8400} {
		boxes := make([]decode.Box, n)
		for i := range boxes {
			x, y := float64(i*37%600), float64(i*53%600)
			boxes[i] = decode.Box{X0: x, Y0: y, X1: x + 40, Y1: y + 80, Score: float64(i*71%n) / float64(n)}
		}
		b.Run(map[int]string{1: "1", 100: "100", 1000: "1000", 8400: "8400"}[n], func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				decode.NMS(boxes, 0.45)
			}
		})
	}
}

func BenchmarkYOLOX(b *testing.B) {
	g := decode.Grid{Width: 640, Height: 640, Strides: []int{8, 16, 32}, MinScore: 0.3, Overlap: 0.45}
	m := zeros("output", 1, 8400, 85)
	encode(m, g, 1, decode.Box{X0: 100, Y0: 100, X1: 200, Y1: 400, Score: 0.8}, 0)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode.YOLOX(m, g); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkYOLO(b *testing.B) {
	g := decode.Grid{Width: 640, Height: 640, Strides: []int{8, 16, 32}, MinScore: 0.3, Overlap: 0.45}
	m := zeros("output0", 1, 84, 8400)
	for i, v := range []float32{100, 200, 50, 90, 0.9} {
		m.Data[i*8400+77] = v
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode.YOLO(m, g); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkYOLOPose(b *testing.B) {
	m := zeros("output0", 1, 56, 8400)
	for i, v := range []float32{100, 200, 50, 90, 0.9} {
		m.Data[i*8400+77] = v
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decode.YOLOPose(m, 17, 0.3, 0.45); err != nil {
			b.Fatal(err)
		}
	}
}
