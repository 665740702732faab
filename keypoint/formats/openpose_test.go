package formats_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/formats"
)

// folder returns a file system with the given texts as files.
func folder(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

// frameFile is OpenPose's name for the file of a frame.
func frameFile(movie string, frame int) string {
	return fmt.Sprintf("%s_%012d_keypoints.json", movie, frame)
}

func TestOpenPoseRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := sequences(1e-6, false).Draw(t, "sequence") // a confidence of 0 is absent
		first := rapid.IntRange(0, 1000).Draw(t, "first")
		files := map[string]string{"readme.txt": "no frame"}
		for i := range want.Frames {
			files[frameFile("squat_2", first+i)] = written(t, func(b *bytes.Buffer) error {
				return formats.WriteOpenPose(b, &want.Frames[i])
			})
		}
		got, err := formats.ReadFolder(folder(files), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want.Size.X, want.Size.Y = 0, 0
		if d := diff(want, got); d != "" {
			t.Fatal(d)
		}
	})
}

// TestOpenPoseOfPose2Sim converts OpenPose's results for a movie, which the data have in another
// form, into OpenPose's files and reads them.
func TestOpenPoseOfPose2Sim(t *testing.T) {
	want := reference(t, "pose2sim_balance_cam01/openpose_keypoints.json")
	files := map[string]string{}
	for i := range want {
		list := strings.Split(strings.Repeat("0,0,0 ", 25), " ")[:25]
		for p, place := range []int{0, 16, 15, 18, 17, 5, 2, 6, 3, 7, 4, 12, 9, 13, 10, 14, 11} {
			if at, ok := want[i].At(keypoint.Part(p)); ok {
				list[place] = fmt.Sprintf("%v,%v,%v", at[0], at[1], want[i].Confidence(keypoint.Part(p)))
			}
		}
		text := `{"version":1.3,"people":[{"person_id":[-1],"pose_keypoints_2d":[` + strings.Join(list, ",") + `]}]}`
		files[frameFile("cam01", i)] = text
	}
	s, err := formats.ReadOpenPose(folder(files), formats.Options{Rate: 60})
	if err != nil {
		t.Fatal(err)
	}
	if d := diff(keypoint.Sequence{Frames: want}, keypoint.Sequence{Frames: s.Frames}); d != "" || len(want) != 100 {
		t.Errorf("%d frames: %s", len(want), d)
	}
}

// person writes n points, at (i, i+0.5) times a scale, with a confidence.
func person(n int, scale, confidence float64) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%v,%v,%v", float64(i)*scale, (float64(i)+0.5)*scale, confidence)
	}
	return `{"pose_keypoints_2d":[` + strings.Join(list, ",") + `]}`
}

// TestOpenPoseOrder compares the order of the parts with OpenPose's own list of names.
func TestOpenPoseOrder(t *testing.T) {
	names := map[int]string{
		25: "Nose Neck RShoulder RElbow RWrist LShoulder LElbow LWrist MidHip RHip RKnee RAnkle LHip LKnee LAnkle REye LEye REar LEar LBigToe LSmallToe LHeel RBigToe RSmallToe RHeel",
		18: "Nose Neck RShoulder RElbow RWrist LShoulder LElbow LWrist RHip RKnee RAnkle LHip LKnee LAnkle REye LEye REar LEar",
	}
	for n, list := range names {
		s, err := formats.ReadOpenPose(folder(map[string]string{"image.json": `{"people":[` + person(n, 1, 0.5) + `]}`}), formats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range strings.Fields(list) {
			if name == "Neck" || name == "MidHip" {
				continue
			}
			name = strings.NewReplacer("L", "left", "R", "right").Replace(name[:1]) + name[1:]
			p, err := keypoint.ParsePart(strings.Replace(name, "Nose", "nose", 1))
			if err != nil {
				t.Fatal(err)
			}
			if at, ok := s.Frames[0].At(p); !ok || at != (keypoint.Point{float64(i), float64(i) + 0.5}) || s.Frames[0].Confidence(p) != 0.5 {
				t.Errorf("%d points: %v is at %v, want point %d", n, p, at, i)
			}
		}
	}
}

func TestOpenPosePeople(t *testing.T) {
	far, near := person(25, 1, 0.9), person(25, 10, 0.8)
	vague := person(25, 11, 0.1)
	for name, c := range map[string]struct {
		people string
		want   float64 // y of the nose; 0 for nobody
	}{
		"nobody":                {``, 0},
		"only hands":            {`{"pose_keypoints_2d":[]},{}`, 0},
		"large before small":    {far + "," + near, 5},
		"clear before vague":    {vague + "," + near, 5},
		"absent points":         {person(25, 1, 0), 0},
		"the first of equals":   {person(25, 2, 1) + "," + person(25, -2, 1), 1},
		"one point is a person": {`{"pose_keypoints_2d":[3,4,1` + strings.Repeat(",0", 72) + `]}`, 4},
		"null is absent":        {`{"pose_keypoints_2d":[3,null,1` + strings.Repeat(",0", 72) + `]}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			text := `{"version":1.3,"people":[` + c.people + `]}`
			s, err := formats.ReadOpenPose(folder(map[string]string{"a_keypoints.json": text}), formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if at, ok := s.Frames[0].At(keypoint.Nose); ok != (c.want != 0) || at[1] != c.want || s.Times != nil {
				t.Errorf("the nose is at %v, want y %v", at, c.want)
			}
		})
	}
}

func TestOpenPoseWrong(t *testing.T) {
	none := `{"people":[]}`
	for name, c := range map[string]struct {
		files map[string]string
		opt   formats.Options
		want  string
	}{
		"no files":     {map[string]string{"a.txt": none}, formats.Options{}, "there is no file *.json"},
		"no number":    {map[string]string{"a.json": none, "b.json": none}, formats.Options{}, "a.json: there is no number in the name"},
		"huge number":  {map[string]string{"a_99999999999999999999.json": none, "b.json": none}, formats.Options{}, "too large"},
		"two movies":   {map[string]string{"a_1.json": none, "b_2.json": none}, formats.Options{}, `b_2.json: differs from "a_1.json"`},
		"gap":          {map[string]string{"a_9.json": none, "a_11.json": none}, formats.Options{}, "a_11.json: is frame 11, want 10"},
		"twice":        {map[string]string{"a_9.json": none, "a_09.json": none}, formats.Options{}, "is frame 9, want 10"},
		"no JSON":      {map[string]string{"a.json": "{,"}, formats.Options{}, "a.json: is not JSON"},
		"cut off":      {map[string]string{"a.json": `{"people":[`}, formats.Options{}, "the document ends too early"},
		"more":         {map[string]string{"a.json": none + "1"}, formats.Options{}, "there is more after the document"},
		"an array":     {map[string]string{"a.json": "[]"}, formats.Options{}, "is an array, want an object"},
		"no people":    {map[string]string{"a.json": `{"version":1}`}, formats.Options{}, "/people: is missing"},
		"people twice": {map[string]string{"a.json": `{"people":[],"people":[]}`}, formats.Options{}, "/people: appears twice"},
		"people":       {map[string]string{"a.json": `{"people":null}`}, formats.Options{}, "/people: is null, want an array"},
		"person":       {map[string]string{"a.json": `{"people":[1]}`}, formats.Options{}, "/people/0: is a number, want an object"},
		"points":       {map[string]string{"a.json": `{"people":[` + person(17, 1, 1) + `]}`}, formats.Options{}, "/people/0/pose_keypoints_2d: has 51 numbers, want 75 of BODY_25 or 54 of COCO"},
		"many points":  {map[string]string{"a.json": `{"people":[` + person(1001, 1, 1) + `]}`}, formats.Options{}, "/people/0/pose_keypoints_2d: has 3003 numbers"},
		"a text":       {map[string]string{"a.json": `{"people":[{"pose_keypoints_2d":["1"]}]}`}, formats.Options{}, "is a string, want a number"},
		"bytes":        {map[string]string{"a_1.json": none, "a_2.json": none}, formats.Options{Limits: formats.Limits{Bytes: 20}}, "a_2.json: the input is longer than 20 bytes"},
		"frames":       {map[string]string{"a_1.json": none, "a_2.json": none}, formats.Options{Limits: formats.Limits{Frames: 1}}, "more than 1 frames"},
		"frame rate":   {map[string]string{"a.json": none}, formats.Options{Rate: -1}, "Rate: is -1"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := formats.ReadOpenPose(folder(c.files), c.opt)
			if !errors.Is(err, keypoint.ErrInvalid) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q in it", err, c.want)
			}
		})
	}
	if err := formats.WriteOpenPose(broken{}, new(keypoint.Frame)); !errors.Is(err, errBroken) {
		t.Error(err)
	}
	if _, err := formats.ReadOpenPose(noFolder{}, formats.Options{}); !errors.Is(err, fs.ErrNotExist) || errors.Is(err, keypoint.ErrInvalid) {
		t.Errorf("no folder: %v", err)
	}
}

// noFolder is a file system without even a root.
type noFolder struct{}

func (noFolder) Open(string) (fs.File, error) { return nil, fs.ErrNotExist }

func FuzzReadOpenPose(f *testing.F) {
	frame := short().Frames[0]
	f.Add(written(f, func(b *bytes.Buffer) error { return formats.WriteOpenPose(b, &frame) }))
	f.Add(`{"people":[` + person(18, 1, 0.5) + `,{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		opt := formats.Options{Rate: 30}
		s, err := formats.ReadOpenPose(folder(map[string]string{"a_1.json": text}), opt)
		sound(t, s, err)
	})
}
