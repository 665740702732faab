package gait_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/bodymotion/motion/analyze/gait"
	"github.com/bodymotion/motion/internal/testkit/rendered"
	"github.com/bodymotion/motion/keypoint"
)

var all = []string{"walk_across_90", "walk_treadmill_90", "run_treadmill_90", "walk_leave_return", "x_walk_90_25", "x_walk_60", "x_walk_dark_50", "x_walk_tm_90_60", "x_run_tm_90_30", "x_sprint_90_30", "x_held_walk_30", "x_held_sprint_25"}

func TestZZ(t *testing.T) {
	for _, kind := range []string{"truth", "no feet", "extracted"} {
		fmt.Println("=====", kind)
		for _, name := range all {
			dir := ""
			if name[0] == 'x' {
				dir = "../../../../tmp/s/gen/out/"
			}
			m := rendered.Read(t, dir+name)
			seq := m.Seq
			if kind == "no feet" {
				seq = seq.Clone()
				for i := range seq.Frames {
					for p := keypoint.Part(17); p < keypoint.NumParts; p++ {
						seq.Frames[i].Unset(p)
					}
				}
			}
			if kind == "extracted" {
				b, err := os.ReadFile("/tmp/s/moves/cleaned/" + name + ".json")
				if err != nil {
					t.Fatal(err)
				}
				seq = keypoint.Sequence{}
				if err := json.Unmarshal(b, &seq); err != nil {
					t.Fatal(err)
				}
			}
			g, err := gait.Analyze(seq, gait.Options{MetresPerPixel: m.AtFeet})
			if err != nil {
				t.Fatal(err)
			}
			fps, _ := seq.FrameRate()
			report := ""
			used := 0
			for _, k := range []gait.EventKind{gait.HeelStrike, gait.ToeOff} {
				what := map[gait.EventKind]string{gait.HeelStrike: "heel strike", gait.ToeOff: "toe off"}[k]
				n, miss, sum, abs, mx := 0.0, 0, 0.0, 0.0, 0.0
				for _, e := range m.Events {
					if e.What != what {
						continue
					}
					best := math.Inf(1)
					for _, x := range g.Events {
						if x.Kind == k && string(x.Side) == e.Side && math.Abs(x.Time-e.Time) < math.Abs(best) {
							best = x.Time - e.Time
						}
					}
					if math.Abs(best) > .2 {
						miss++
						continue
					}
					used++
					n++
					sum += best * fps
					abs += math.Abs(best * fps)
					mx = max(mx, math.Abs(best*fps))
				}
				report += fmt.Sprintf("%+.2f |%.2f| max %.2f miss %d; ", sum/n, abs/n, mx, miss)
			}
			mo := m.Motion
			fmt.Printf("%-18s %s/%s %s extra %d cad %+.2f%% speed %+.2f%% stride %+.2f%% step %+.2f%% stance %.3f/%.3f flight %.3f/%.3f dbl %.3f n %d passes %d\n", name, g.Mode, g.Surface, report, len(g.Events)-used,
				100*(g.Cadence/mo.Cadence-1), 100*(g.Speed/mo.Speed-1), 100*(g.StrideLength.Both.Mean/mo.Stride-1), 100*(g.StepLength.Both.Mean/mo.Stride*2-1), g.StanceShare.Both.Mean, mo.Stance, g.FlightTime.Mean, mo.Flight, g.DoubleSupport.Mean, g.StrideTime.Both.Count, len(g.Passes))
		}
	}
	for _, name := range []string{"squat_60", "squat_90_slow", "lunge_90", "jump_90_120fps", "side_step_0", "stand_180", "push_up_90", "curl_60", "sit_to_stand_90", "hinge_90"} {
		m := rendered.Read(t, name)
		g, err := gait.Analyze(m.Seq, gait.Options{})
		fmt.Println(name, len(g.Events), err)
	}
}
