package jump_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/bodymotion/motion/analyze/jump"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
)

func TestZZ(t *testing.T) {
	name := "jump_90_120fps"
	m := rendered.Read(t, name)
	b, _ := os.ReadFile("/tmp/s/moves/cleaned/" + name + ".json")
	x := keypoint.Sequence{}
	if err := json.Unmarshal(b, &x); err != nil {
		t.Fatal(err)
	}
	nofeet := m.Seq.Clone()
	for i := range nofeet.Frames {
		for p := keypoint.Part(17); p < keypoint.NumParts; p++ {
			nofeet.Frames[i].Unset(p)
		}
	}
	fmt.Println(m.Events, m.Motion)
	for _, every := range []int{1, 2, 4, 5} {
		for k, s := range []keypoint.Sequence{m.Seq, nofeet, x} {
			for off := 0; off < every; off++ {
				q := keypoint.Sequence{Size: s.Size}
				for i := off; i < s.Len(); i += every {
					q.Frames, q.Times = append(q.Frames, s.Frames[i]), append(q.Times, s.Times[i])
				}
				j, err := jump.Analyze(q, jump.Options{MetresPerPixel: m.AtHips})
				if err != nil {
					t.Fatal(err)
				}
				for _, j := range j {
					fmt.Printf("%d fps %d: off %+.1f ms land %+.1f ms flight %.3f height %.1f rise %.1f drop %.1f\n", k, 120/every, 1000*(j.TakeOff-m.Events[0].Time), 1000*(j.Landing-m.Events[1].Time), j.FlightTime, 100*j.Height, 100*j.Rise.X, 100*j.Drop.X)
				}
				if len(j) != 1 {
					fmt.Println(k, every, len(j))
				}
			}
		}
	}
	for _, name := range []string{"squat_60", "lunge_90", "walk_across_90", "run_treadmill_90", "side_step_0", "push_up_90", "walk_leave_return", "hinge_90", "sit_to_stand_90"} {
		j, err := jump.Analyze(rendered.Read(t, name).Seq, jump.Options{})
		fmt.Println(name, len(j), err)
	}
}
