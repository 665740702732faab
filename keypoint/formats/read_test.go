package formats_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// landmarks writes the 33 landmarks of a person as objects, standing at a share x of the picture.
func landmarkList(x float64) string {
	return pose(func(i int) string {
		return fmt.Sprintf(`{"x":%g,"y":%g,"z":-0.1,"visibility":0.5,"presence":0.9}`, x+0.001*float64(i), 0.2+0.02*float64(i))
	})
}

// TestReadForms reads the forms in which programs write what MediaPipe finds, each of two frames: nobody, and a person.
// The format is told from the input.
func TestReadForms(t *testing.T) {
	one, small := landmarkList(0.5), pose(func(i int) string { return fmt.Sprintf(`{"x":0.5,"y":%g}`, 0.5+0.001*float64(i)) })
	world := pose(func(i int) string { return fmt.Sprintf(`{"x":-0.1,"y":%g,"z":0}`, 0.1*float64(i)-1) })
	android := strings.NewReplacer(`"visibility":0.5`, `"inFrameLikelihood":0.5,"type":1`, `"x":0.5`, `"position":{"x":0.5`, `,"z":-0.1`, `}`).Replace(one)
	if !strings.Contains(android, `"position":{"x":0.5,"y":0.2}`) {
		t.Fatal(android)
	}
	for name, c := range map[string]struct {
		text  string
		timed bool
	}{
		"landmarks":            {`[null, ` + one + `]`, false},
		"Python Tasks":         {`[{"pose_landmarks":[],"pose_world_landmarks":[]},{"pose_landmarks":[` + one + `],"pose_world_landmarks":[` + world + `],"segmentation_masks":null}]`, false},
		"several people":       {`[{"pose_landmarks":[]},{"pose_landmarks":[` + small + `,` + one + `]}]`, false},
		"Python solutions":     {`[{"pose_landmarks":null},{"pose_landmarks":{"landmark":` + one + `}}]`, false},
		"JSON Lines":           {`{"timestamp_ms":500,"pose_landmarks":[]}` + "\n" + `{"timestamp_ms":600,"pose_landmarks":[` + one + `]}` + "\n", true},
		"JavaScript Tasks":     {`[{"landmarks":[],"worldLandmarks":[]},{"landmarks":[` + one + `],"worldLandmarks":[` + world + `]}]`, false},
		"JavaScript solutions": {`[{"poseLandmarks":[]},{"poseLandmarks":` + one + `,"poseWorldLandmarks":` + world + `}]`, false},
		"Android":              {`[{"timestampMs":0,"landmarks":[]},{"timestampMs":100,"landmarks":[` + one + `]}]`, true},
		"iOS":                  {`[{"timestampInMilliseconds":0,"landmarks":[]},{"timestampInMilliseconds":100,"landmarks":[` + one + `]}]`, true},
		"lists of people":      {`[[],[` + one + `]]`, false},
	} {
		t.Run(name, func(t *testing.T) {
			opt := formats.Options{Size: image.Pt(1000, 500)}
			if _, err := formats.Read(strings.NewReader(c.text), "", opt); c.timed != (err == nil) {
				t.Errorf("without a rate: %v", err)
			}
			opt.Rate = 10
			s, err := formats.Read(strings.NewReader(c.text), "", opt)
			if err != nil {
				t.Fatal(err)
			}
			if s.Len() != 2 || !s.Frames[0].Empty() || s.Times[0] != 0 || s.Times[1] != 0.1 || s.Size != opt.Size {
				t.Fatalf("%d frames at %v of %v", s.Len(), s.Times, s.Size)
			}
			knee := s.Frames[1]
			if at, ok := knee.At(keypoint.LeftKnee); !ok || at.Sub(keypoint.Point{525, 350}).Len() > 1e-9 || knee.Confidence(keypoint.LeftKnee) != 0.5 {
				t.Errorf("the left knee is at %v with %v", at, knee.Confidence(keypoint.LeftKnee))
			}
			if _, err := formats.Read(strings.NewReader(c.text), "", formats.Options{Rate: 10}); err == nil || !strings.Contains(err.Error(), "Size: is") {
				t.Errorf("without a size: %v", err)
			}
		})
	}
	if s, err := formats.Read(strings.NewReader(`[`+android+`]`), "mediapipe", formats.Options{Size: image.Pt(1000, 500)}); err != nil || s.Times != nil {
		t.Errorf("ML Kit: %v", err)
	} else if at, _ := s.Frames[0].At(keypoint.Nose); at != (keypoint.Point{500, 100}) || s.Frames[0].Confidence(keypoint.Nose) != 0.5 {
		t.Errorf("ML Kit: the nose is at %v", at)
	}
}

// result writes a person of an array of COCO results, with n keypoints at (i + shift, i).
func result(id string, n int, shift float64) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf("%g,%d,0.5", float64(i)+shift, i))
	}
	return fmt.Sprintf(`{"image_id":%s,"category_id":1,"keypoints":[%s],"score":0.9}`, id, strings.Join(list, ","))
}

// TestReadResults reads the arrays of results that detectors write for COCO.
func TestReadResults(t *testing.T) {
	pairs := func(frame int) string {
		var points, scores []string
		for i := range 17 {
			points, scores = append(points, fmt.Sprintf("[%d,%d]", i, i)), append(scores, "0.5")
		}
		return fmt.Sprintf(`{"frame_id":%d,"instances":[{"keypoints":[%s],"keypoint_scores":[%s],"bbox":[[1,2,3,4]],"bbox_score":1}]}`,
			frame, strings.Join(points, ","), strings.Join(scores, ","))
	}
	for name, text := range map[string]string{
		"pycocotools":  `[` + result("7", 17, 0) + `,` + result("5", 17, 0) + `]`,
		"AlphaPose":    `[` + result(`"005.jpg"`, 26, 0) + `,` + result(`"007.jpg"`, 26, 0) + `]`,
		"whole body":   `[` + result(`5`, 133, 0) + `,` + result(`7`, 133, 0) + `]`,
		"MMPose":       `[` + pairs(5) + `,{"frame_id":6,"instances":[]},` + pairs(7) + `]`,
		"MMPose, demo": `{"meta_info":{"dataset_name":"coco"},"instance_info":[` + pairs(5) + `,` + pairs(7) + `]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s, err := formats.Read(strings.NewReader(text), "", formats.Options{Rate: 25})
			if err != nil {
				t.Fatal(err)
			}
			if s.Len() != 3 || !s.Frames[1].Empty() || s.Times[2] != 0.08 {
				t.Fatalf("%d frames at %v", s.Len(), s.Times)
			}
			for _, i := range []int{0, 2} {
				if at, _ := s.Frames[i].At(keypoint.RightAnkle); at != (keypoint.Point{16, 16}) || s.Frames[i].Confidence(keypoint.RightAnkle) != 0.5 {
					t.Errorf("frame %d: the right ankle is at %v", i, at)
				}
			}
			heel := map[string]float64{"AlphaPose": 25, "whole body": 22}[name]
			if at, ok := s.Frames[0].At(keypoint.RightHeel); ok != (heel > 0) || at[0] != heel {
				t.Errorf("the right heel is at %v", at)
			}
		})
	}
}

// TestReadWritten reads what the writers write, of a format that is told from the file, and a sequence's own JSON.
func TestReadWritten(t *testing.T) {
	f, err := os.Open(testkit.Data(t, "videos/tfjs_squats/blazepose_33_px.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want, err := formats.Read(f, "", formats.Options{Size: image.Pt(720, 1280), Rate: 5})
	if err != nil {
		t.Fatal(err)
	}
	knee, _ := want.Frames[30].At(keypoint.LeftKnee)
	files := map[string]string{}
	for _, name := range formats.Names() {
		files[name] = written(t, func(b *bytes.Buffer) error { return formats.Write(b, name, want) })
	}
	if err := formats.Write(io.Discard, "fbx", want); err == nil || !strings.Contains(err.Error(), `format: is "fbx", want one of bvh, c3d, coco`) {
		t.Error(err)
	}
	if own, err := want.MarshalJSON(); err != nil || files["json"] != string(own)+"\n" {
		t.Error("json is not the JSON of the sequence", err)
	}
	var frame bytes.Buffer
	for i := range want.Frames {
		frame.WriteString(map[bool]string{true: "[", false: ","}[i == 0])
		if err := formats.WriteOpenPose(&frame, &want.Frames[i]); err != nil {
			t.Fatal(err)
		}
	}
	files["openpose, an array"] = frame.String() + "]"
	for name, text := range files {
		opt := formats.Options{Size: want.Size}
		if strings.HasPrefix(name, "openpose") || name == "mediapipe" {
			opt.Rate = 5
		}
		for _, format := range []string{"", strings.Split(name, ",")[0]} {
			s, err := formats.Read(strings.NewReader(text), format, opt)
			if err != nil {
				t.Errorf("%s as %q: %v", name, format, err)
				continue
			}
			if at, _ := s.Frames[30].At(keypoint.LeftKnee); s.Len() != 65 || s.Times[64] != 12.8 || s.Size != want.Size || at.Sub(knee).Len() > 0.01 {
				t.Errorf("%s: %d frames, %v, the knee is at %v, want %v", name, s.Len(), s.Size, at, knee)
			}
		}
	}
	if names := strings.Join(formats.Names(), " "); names != "c3d coco csv json jsonl mediapipe openpose trc" {
		t.Error(names)
	}
}

// TestReadMetres: markers in metres stand upright, with their scale; those that only say so are pixels.
func TestReadMetres(t *testing.T) {
	head := "PathFileType\t4\t(X/Y/Z)\ta.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n" +
		"10\t10\t1\t2\t%s\t10\t0\t1\nFrame#\tTime\tLHip\t\t\tLKnee\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"
	for name, c := range map[string]struct {
		unit, row string
		hip       keypoint.Point
		scale     float64
	}{
		"metres":                   {"m", "0\t0\t1\t0.9\t0\t1\t0.5\t0\n", keypoint.Point{1000, -900}, 0.001},
		"millimetres":              {"mm", "0\t0\t1000\t900\t0\t1000\t500\t0\n", keypoint.Point{1000, -900}, 0.001},
		"in space":                 {"mm", "0\t0\t1000\t900\t50\t1000\t500\t60\n", keypoint.Point{1000, -900}, 0},
		"pixels that are metres":   {"m", "0\t0\t100\t90\t0\t100\t150\t0\n", keypoint.Point{100, 90}, 0},
		"pixels that say that too": {"px", "0\t0\t100\t90\t0\t100\t150\t0\n", keypoint.Point{100, 90}, 0},
	} {
		s, err := formats.Read(strings.NewReader(fmt.Sprintf(head, c.unit)+c.row), "trc", formats.Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if at, _ := s.Frames[0].At(keypoint.LeftHip); at.Sub(c.hip).Len() > 1e-9 || s.World.MetresPerPixel != c.scale || (s.Space != nil) != (name == "in space") {
			t.Errorf("%s: the hip is at %v, %+v", name, at, s.World)
		}
	}
}

func TestReadWrong(t *testing.T) {
	two := `{"width":640,"height":480,"timestamps":[0,0.1],"keypoint":[{"nose":[1,2]},{"nose":[1,2]}]}`
	normal := `[{"people":[{"pose_keypoints_2d":[` + strings.Repeat("0.5,0.4,0.9,", 24) + `0.5,0.5,0.9]}]}]`
	still := `{"keypoint":[{"nose":[3000,2]},{"nose":[2900,5]}]}`
	for name, c := range map[string]struct {
		text, format string
		opt          formats.Options
		member, want string
	}{
		"format":           {"1", "bvh", formats.Options{}, "format", `is "bvh", want one of c3d, coco, csv, json`},
		"nothing known":    {"hello", "", formats.Options{}, "format", `begins with "hello", which is none of c3d, coco`},
		"rate":             {two, "", formats.Options{Rate: -1}, "Rate", "is -1, want"},
		"size":             {two, "", formats.Options{Size: image.Pt(640, 0)}, "Size", "want width and height"},
		"another rate":     {two, "", formats.Options{Rate: 240}, "Rate", "the file has times of 10 frames per second"},
		"another size":     {two, "", formats.Options{Size: image.Pt(480, 640)}, "Size", "that in the file is (640,480)"},
		"no rate":          {still, "", formats.Options{}, "Rate", "there are 2 frames without times"},
		"a small size":     {still, "", formats.Options{Rate: 10, Size: image.Pt(640, 480)}, "Size", "2 of 2 parts are far away"},
		"normalised":       {normal, "", formats.Options{Size: image.Pt(640, 480)}, "", "in 1 of 1 frames: they look normalised, want pixels"},
		"milliseconds":     {strings.Replace(two, "[0,0.1]", "[0,33]", 1), "", formats.Options{}, "Times", "33 s apart: want seconds"},
		"kiloseconds":      {strings.Replace(two, "[0,0.1]", "[0,3e-5]", 1), "", formats.Options{}, "Times", "3e-05 s apart"},
		"no frame":         {`{"keypoint":[]}`, "", formats.Options{}, "", "there is no frame"},
		"too many frames":  {two, "", formats.Options{Limits: formats.Limits{Frames: 1}}, "", "more than 1 frames"},
		"too long":         {two, "", formats.Options{Limits: formats.Limits{Bytes: 20}}, "", "longer than 20 bytes"},
		"no archive":       {"PK\x03\x04", "", formats.Options{}, "", "the ZIP archive cannot be read"},
		"a wrong member":   {`{"keypoint":[],"fps":30}`, "", formats.Options{}, "", `unknown field "fps"`},
		"pictures":         {`[` + result("139", 17, 0) + `,` + result("285", 17, 0) + `]`, "", formats.Options{Rate: 30}, "", "in 2 images, whose ids span 147"},
		"far apart":        {`[` + result("-9223372036854775808", 17, 0) + `,` + result("9223372036854775807", 17, 0) + `]`, "", formats.Options{}, "/1/image_id", "makes more than 100000 frames"},
		"no number":        {`[` + result(`"a.jpg"`, 17, 0) + `]`, "", formats.Options{}, "/0/image_id", "want the number of the frame"},
		"no id":            {`[{"category_id":1,"keypoints":[]}]`, "", formats.Options{}, "/0/image_id", "is missing"},
		"no keypoints":     {`[{"image_id":1}]`, "", formats.Options{}, "/0/keypoints", "is missing"},
		"few keypoints":    {`[` + result("1", 16, 0) + `]`, "", formats.Options{}, "/0/keypoints", "has 16 keypoints, want 17"},
		"two numbers more": {`[{"image_id":1,"keypoints":[1,2]}]`, "", formats.Options{}, "/0/keypoints", "has 2 numbers"},
		"no scores":        {`[{"frame_id":1,"instances":[{"keypoints":[` + strings.Repeat("[1,2],", 16) + `[1,2]]}]}]`, "", formats.Options{}, "/0/instances/0/keypoints/0", "has 2 numbers, want x, y and score, or keypoint_scores"},
		"few scores":       {`[{"frame_id":1,"instances":[{"keypoints":[` + strings.Repeat("[1,2],", 16) + `[1,2]],"keypoint_scores":[1]}]}]`, "", formats.Options{}, "/0/instances/0/keypoint_scores", "has 1 numbers, want 17"},
		"a text":           {`[{"image_id":1,"keypoints":["1"]}]`, "", formats.Options{}, "/0/keypoints", "is a string, want a number"},
		"some times":       {`[{"timestamp_ms":1,"landmarks":[]},{"landmarks":[]}]`, "", formats.Options{}, "/1", "want timestamp_ms in all frames or in none"},
		"times":            {`[{"timestamp_ms":1,"landmarks":[]},{"timestamp_ms":1,"landmarks":[]}]`, "", formats.Options{}, "/1/timestamp_ms", "is 1 ms, want more than the 1 ms"},
		"a time":           {`[{"timestamp_ms":"1","landmarks":[]}]`, "", formats.Options{}, "/0/timestamp_ms", "is a string, want a number"},
		"a landmark":       {`[{"landmarks":[` + strings.Replace(landmarkList(0.5), `{"x":0.5,`, `{`, 1) + `]}]`, "", formats.Options{}, "/0/landmarks/0/0", "lacks x or y"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := formats.Read(strings.NewReader(c.text), c.format, c.opt)
			var bad *formats.Error
			if !errors.As(err, &bad) || bad.Member != c.member || !strings.Contains(bad.Detail, c.want) {
				t.Errorf("%v, want %q at %q", err, c.want, c.member)
			}
		})
	}
}

// TestReadHostile: what is much once read in few bytes is refused before it is read.
func TestReadHostile(t *testing.T) {
	const size = 2 << 20
	for name, c := range map[string][4]string{
		"frames":    {"json", `{"keypoint":[`, `{}`, `]}`},
		"scores":    {"json", `{"keypoint":[],"scores":[`, `{}`, `]}`},
		"landmarks": {"mediapipe", `[[`, `[]`, `]]`},
		"instances": {"coco", `[{"frame_id":1,"instances":[`, `{}`, `]}]`},
		"points":    {"coco", `[{"frame_id":1,"keypoints":[`, `[]`, `]}]`},
		"names":     {"coco", `{"categories":[{"id":1,"keypoints":[`, `""`, `]}]}`},
	} {
		text := c[1] + strings.Repeat(c[2]+",", size/(len(c[2])+1)) + c[2] + c[3]
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := formats.Read(strings.NewReader(text), c[0], formats.Options{Size: image.Pt(640, 480)})
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; err == nil || used > 30*size {
			t.Errorf("%s: %d MB for %d, %v", name, used>>20, size>>20, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`[{"timestamp_ms":1,"pose_landmarks":[` + landmarkList(0.5) + `]}]`)
	f.Add(`[` + result(`"5.jpg"`, 26, 0) + `]`)
	f.Add(`[[],[null,[[1,2]]]]`)
	f.Fuzz(func(t *testing.T, text string) {
		opt := formats.Options{Size: image.Pt(640, 480), Rate: 30, Limits: formats.Limits{Frames: 1000}}
		s, err := formats.Read(strings.NewReader(text), "", opt)
		sound(t, s, err)
	})
}
