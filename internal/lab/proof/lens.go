package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"github.com/bodymotion/motion/keypoint"
)

// filmed reads the cameras of a real person, as Pose2Sim keeps them: folders NAME_CAMERA with calibration.qca.txt
// (millimetres, z up, sixty-fourths of a pixel). The points are those that a lens without distortion would see around the
// middle of the picture.
func filmed(folders []string, keypoints func(movie string) (keypoint.Sequence, error)) (g group, err error) {
	g.name = "real"
	for _, folder := range folders {
		name := filepath.Base(folder)
		v := view{name: name}
		if v.seq, err = keypoints(filepath.Join(folder, "video.mp4")); err != nil {
			return g, err
		}
		c, err := lensOf(folder, name[strings.LastIndex(name, "_")+1:])
		if err != nil {
			return g, err
		}
		v.camera = keypoint.Camera{Focal: c.In.FU / 64, Size: v.seq.Size}
		r, t := c.Transform, c.Transform
		v.camera.Rotation = mgl64.Mat3FromRows(mgl64.Vec3{r.R11, r.R12, r.R13}, mgl64.Vec3{-r.R21, -r.R22, -r.R23}, mgl64.Vec3{-r.R31, -r.R32, -r.R33}) // y down
		v.camera.Translation = v.camera.Rotation.Mul3x1(mgl64.Vec3{t.X, t.Y, t.Z}.Mul(-1e-3))
		upright := mgl64.Mat3FromRows(mgl64.Vec3{0, 1, 0}, mgl64.Vec3{0, 0, 1}, mgl64.Vec3{1, 0, 0}) // from z up to y up
		v.camera.Rotation = v.camera.Rotation.Mul3(upright.Transpose())
		for i := range v.seq.Frames {
			f := &v.seq.Frames[i]
			for _, p := range f.Present().List() {
				at, _ := f.At(p)
				f.Set(p, c.straight(at, v.seq.Size.X, v.seq.Size.Y), f.Confidence(p))
			}
		}
		g.views = append(g.views, v)
	}
	return g, nil
}

// lens is a camera of a file of Qualisys.
type lens struct {
	Serial    string `xml:"serial,attr"`
	Transform struct {
		X   float64 `xml:"x,attr"`
		Y   float64 `xml:"y,attr"`
		Z   float64 `xml:"z,attr"`
		R11 float64 `xml:"r11,attr"`
		R12 float64 `xml:"r12,attr"`
		R13 float64 `xml:"r13,attr"`
		R21 float64 `xml:"r21,attr"`
		R22 float64 `xml:"r22,attr"`
		R23 float64 `xml:"r23,attr"`
		R31 float64 `xml:"r31,attr"`
		R32 float64 `xml:"r32,attr"`
		R33 float64 `xml:"r33,attr"`
	} `xml:"transform"`
	In struct {
		U  float64 `xml:"centerPointU,attr"`
		V  float64 `xml:"centerPointV,attr"`
		FU float64 `xml:"focalLengthU,attr"`
		FV float64 `xml:"focalLengthV,attr"`
		K1 float64 `xml:"radialDistortion1,attr"`
		K2 float64 `xml:"radialDistortion2,attr"`
		P1 float64 `xml:"tangentalDistortion1,attr"`
		P2 float64 `xml:"tangentalDistortion2,attr"`
	} `xml:"intrinsic"`
}

// straight returns where a point would be without distortion, with the middle of the picture on the axis (the model of
// OpenCV, inverted by steps).
func (c *lens) straight(at keypoint.Point, width, height int) keypoint.Point {
	x0, y0 := (at[0]-c.In.U/64)/(c.In.FU/64), (at[1]-c.In.V/64)/(c.In.FV/64)
	x, y := x0, y0
	for range 8 {
		rr := x*x + y*y
		k := 1 + c.In.K1*rr + c.In.K2*rr*rr
		x, y = (x0-2*c.In.P1*x*y-c.In.P2*(rr+2*x*x))/k, (y0-c.In.P1*(rr+2*y*y)-2*c.In.P2*x*y)/k
	}
	return keypoint.Point{x, y}.Mul(c.In.FU / 64).Add(keypoint.Point{float64(width) / 2, float64(height) / 2})
}

func lensOf(folder, serial string) (*lens, error) {
	data, err := os.ReadFile(filepath.Join(folder, "calibration.qca.txt"))
	if err != nil {
		return nil, err
	}
	var file struct {
		Cameras []lens `xml:"cameras>camera"`
	}
	decoder := xml.NewDecoder(strings.NewReader(string(data)))
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // ASCII
	if err := decoder.Decode(&file); err != nil {
		return nil, err
	}
	for k := range file.Cameras {
		if file.Cameras[k].Serial == serial {
			return &file.Cameras[k], nil
		}
	}
	return nil, fmt.Errorf("%s: there is no camera %q", folder, serial)
}
