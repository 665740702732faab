package formats

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/bodymotion/motion/keypoint"
)

// WriteCOCO writes keypoints as annotations in the JSON form of COCO: one image per frame, with
// ids from 1 and the file names "000000.jpg", "000001.jpg", …; one annotation per frame with a
// person, with keypoints in pixels of visibility 2, or 0 if absent, and bbox and area around
// the parts that were found; and the category person with the keypoints and the skeleton of
// COCO, whose indices start at 1.
//
// COCO has no confidences and no times: WriteCOCO adds the members keypoint_scores to the
// annotations and time (seconds) to the images, which other readers ignore. ReadCOCO reads
// everything back. An invalid sequence is a keypoint.ErrInvalid.
func WriteCOCO(w io.Writer, seq keypoint.Sequence) error {
	if err := seq.Validate(); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString(`{"images":[`)
	var b []byte
	for i := range seq.Frames {
		b = separate(b[:0], i)
		b = fmt.Appendf(b, `{"id":%d,"file_name":"%06d.jpg"`, i+1, i)
		if seq.Size.X > 0 || seq.Size.Y > 0 {
			b = fmt.Appendf(b, `,"width":%d,"height":%d`, seq.Size.X, seq.Size.Y)
		}
		if seq.Times != nil {
			b = appendNumber(append(b, `,"time":`...), seq.Times[i])
		}
		out.Write(append(b, '}'))
	}
	out.WriteString(`],"annotations":[`)
	n := 0
	for i := range seq.Frames {
		if f := &seq.Frames[i]; !f.Empty() {
			b = separate(b[:0], n)
			n++
			b = fmt.Appendf(b, `{"id":%d,"image_id":%d,"category_id":1,"iscrowd":0,"num_keypoints":%d`, n, i+1, f.Len())
			out.Write(append(appendCOCO(b, f), '}'))
		}
	}
	out.WriteString(`],"categories":[{"id":1,"name":"person","supercategory":"person","keypoints":[`)
	for i, name := range cocoNames {
		out.Write(strconv.AppendQuote(separate(b[:0], i), name))
	}
	out.WriteString(`],"skeleton":[`)
	for i, e := range keypoint.Skeleton() {
		out.Write(fmt.Appendf(separate(b[:0], i), "[%d,%d]", e[0]+1, e[1]+1))
	}
	out.WriteString("]}]}\n")
	return out.Flush()
}

// separate appends what stands before the i-th element of an array.
func separate(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// appendCOCO appends the members keypoints, keypoint_scores, bbox and area.
func appendCOCO(b []byte, f *keypoint.Frame) []byte {
	b = append(b, `,"keypoints":[`...)
	for p := range keypoint.Part(keypoint.NumParts) {
		b = separate(b, int(p))
		at, ok := f.At(p)
		b = appendNumber(b, at[0])
		b = appendNumber(append(b, ','), at[1])
		if ok {
			b = append(b, ",2"...)
		} else {
			b = append(b, ",0"...)
		}
	}
	b = append(b, `],"keypoint_scores":[`...)
	for p := range keypoint.Part(keypoint.NumParts) {
		b = appendNumber(separate(b, int(p)), f.Confidence(p))
	}
	low, high, _ := f.Bounds()
	b = append(b, `],"bbox":[`...)
	for i, v := range []float64{low[0], low[1], high[0] - low[0], high[1] - low[1]} {
		b = appendNumber(separate(b, i), min(v, math.MaxFloat64))
	}
	return appendNumber(append(b, `],"area":`...), area(low, high))
}
