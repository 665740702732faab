package house_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/quality"
)

// svg is a picture of a page. Its commands have whole pixels, so that it is the same on every machine.
type svg struct{ bytes.Buffer }

func (s *svg) line(x1, y1, x2, y2, width float64, style string) {
	fmt.Fprintf(s, `<path d="M%.0f %.0fL%.0f %.0f" stroke-width="%.0f" stroke="#444" %s/>`+"\n", x1, y1, x2, y2, width, style)
}

func (s *svg) rect(x, y, w, h float64, style string) {
	fmt.Fprintf(s, `<rect x="%.0f" y="%.0f" width="%.0f" height="%.0f" rx="5" %s/>`+"\n", x, y, w, h, style)
}

func (s *svg) text(x, y float64, size int, style, text string, args ...any) {
	fmt.Fprintf(s, `<text x="%.0f" y="%.0f" font-size="%d" %s>%s</text>`+"\n", x, y, size, style, fmt.Sprintf(text, args...))
}

// arrow draws a line with a head at its end.
func (s *svg) arrow(x1, y1, x2, y2 float64) {
	s.line(x1, y1, x2, y2, 2, `marker-end="url(#head)"`)
}

// same compares the picture with that of the pages, or with -update writes it.
func (s *svg) same(t *testing.T, name string, width, height int) {
	t.Helper()
	picture := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="sans-serif" fill="#222">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0L8 4L0 8z" fill="#444"/></marker></defs>
<rect width="%[1]d" height="%[2]d" fill="#fff"/>
%s</svg>
`, width, height, s.String())
	if *update {
		if err := os.WriteFile(name, []byte(picture), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if committed, err := os.ReadFile(name); err != nil || string(committed) != picture {
		t.Errorf("%s shows something else (%v): go test ./internal/house -run %s -update", name, err, t.Name())
	}
}

const center, accent = `text-anchor="middle"`, "#d03020"

// TestPlusMinusPicture: the picture of ± has the marks of the library, and the change that counts by the formula of package trend.
func TestPlusMinusPicture(t *testing.T) {
	const value, sigma, constant = 101.0, 13.0, 8.0
	if quality.TrustOf(sigma) != quality.TrustCare {
		t.Errorf("± %v is marked %s, the page says care", sigma, quality.TrustOf(sigma))
	}
	u := math.Sqrt(sigma*sigma - constant*constant + constant*constant/4)
	counts := 2.77 * u
	var s svg
	x := func(degrees float64) float64 { return 40 + (degrees-50)*5.2 }
	s.text(40, 26, 16, `font-weight="bold"`, "One value: left knee flexion %.0f° ± %.0f", value, sigma)
	s.rect(x(value-2*sigma), 62, 4*sigma*5.2, 26, `fill="#cfe3f7"`)
	s.rect(x(value-sigma), 62, 2*sigma*5.2, 26, `fill="#7db4e8"`)
	s.line(x(value), 56, x(value), 94, 3, `stroke-linecap="round"`)
	s.text(x(value), 50, 14, center, "%.0f°", value)
	for _, k := range []float64{-2, -1, 1, 2} {
		s.text(x(value+k*sigma), 108, 13, center, "%.0f°", value+k*sigma)
	}
	s.text(x(value), 128, 13, center, "dark: the true angle is here in two of three cases; light: in nearly all")
	s.text(40, 172, 16, `font-weight="bold"`, "Two recordings from the same side: a change counts from %.0f°", math.Round(counts))
	for i, c := range []struct {
		to   float64
		says string
	}{{value - 12, "12° less: may be error alone"}, {value + 38, "38° more: real"}} {
		y := 205 + 62*float64(i)
		for j, v := range []float64{value, c.to} {
			s.rect(x(v-sigma), y+16*float64(j), 2*sigma*5.2, 10, `fill="#7db4e8"`)
			s.line(x(v), y+16*float64(j)-2, x(v), y+16*float64(j)+12, 3, "")
		}
		s.text(x(170), y+20, 14, "", "%s", c.says)
		if (math.Abs(c.to-value) >= counts) != (i == 1) {
			t.Errorf("%q, but a change counts from %.0f°", c.says, counts)
		}
	}
	s.same(t, "docs/start/plusminus.svg", 900, 320)
}

// figure draws a stick figure whose hips are at a place.
func (s *svg) figure(f keypoint.Frame, x, y, scale float64) {
	hips, _ := keypoint.MidpointSelector(keypoint.LeftHip, keypoint.RightHip).At(&f)
	at := func(p keypoint.Part) (float64, float64) {
		pt, _ := f.At(p)
		return x + (pt[0]-hips[0])*scale, y + (pt[1]-hips[1])*scale
	}
	style := `stroke-linecap="round"`
	for _, bone := range [][2]keypoint.Part{
		{keypoint.LeftShoulder, keypoint.LeftElbow}, {keypoint.LeftElbow, keypoint.LeftWrist}, {keypoint.RightShoulder, keypoint.RightElbow},
		{keypoint.RightElbow, keypoint.RightWrist}, {keypoint.LeftHip, keypoint.LeftKnee}, {keypoint.LeftKnee, keypoint.LeftAnkle},
		{keypoint.RightHip, keypoint.RightKnee}, {keypoint.RightKnee, keypoint.RightAnkle}, {keypoint.LeftShoulder, keypoint.LeftHip},
		{keypoint.RightShoulder, keypoint.RightHip}, {keypoint.LeftShoulder, keypoint.RightShoulder}, {keypoint.LeftHip, keypoint.RightHip},
		{keypoint.LeftHeel, keypoint.LeftBigToe},
	} {
		if f.Has(bone[0]) && f.Has(bone[1]) {
			x1, y1 := at(bone[0])
			x2, y2 := at(bone[1])
			s.line(x1, y1, x2, y2, 7, style)
		}
	}
	ear, head := at(keypoint.LeftEar)
	other, _ := at(keypoint.RightEar)
	fmt.Fprintf(s, `<circle cx="%.0f" cy="%.0f" r="%.0f" fill="#444"/>`+"\n", (ear+other)/2, head, 15*scale)
}

// phone draws a phone seen from the side, or from above, that looks to a direction in degrees: 0 to the right, 90 down.
func (s *svg) phone(x, y, degrees float64) {
	fmt.Fprintf(s, `<g transform="translate(%.0f %.0f) rotate(%.0f)"><rect x="-5" y="-15" width="10" height="30" rx="3" fill="%s"/>`+
		`<path d="M8 -4L70 -34M8 4L70 34" stroke="%[4]s" stroke-dasharray="4 4"/></g>`+"\n", x, y, degrees, accent)
}

// TestFilmingPicture draws the picture of how to film.
func TestFilmingPicture(t *testing.T) {
	var s svg
	squat := stick{trunk: 30, hip: 95, knee: 90, ankle: 20, shoulder: 80, elbow: 5}
	title := func(x float64, text string) { s.text(x, 26, 16, `font-weight="bold"`, "%s", text) }
	title(20, "What the phone should see")
	s.rect(60, 45, 205, 205, `fill="#f6f8fa" stroke="`+accent+`" stroke-width="8"`)
	s.figure(squat.frame(false), 155, 150, 0.8)
	s.line(70, 150, 255, 150, 1, `stroke-dasharray="5 5"`)
	s.text(160, 275, 13, center, "the whole body with room, from the side,")
	s.text(160, 292, 13, center, "the phone as high as the hips (dashed)")

	title(345, "Seen from above: which way to turn")
	fmt.Fprintln(&s, `<ellipse cx="480" cy="150" rx="42" ry="20" fill="#444"/><circle cx="480" cy="150" r="15" fill="#999"/>`)
	s.arrow(480, 128, 480, 70)
	s.text(480, 62, 13, center, "the way the person faces")
	s.phone(370, 150, 0)
	s.phone(480, 245, -90)
	s.text(350, 190, 13, "", "side: knees,")
	s.text(350, 206, 13, "", "hips, trunk")
	s.text(520, 250, 13, "", "behind or front: left")
	s.text(520, 266, 13, "", "against right")

	title(690, "Two phones: any view")
	fmt.Fprintln(&s, `<ellipse cx="800" cy="120" rx="42" ry="20" fill="#444"/><circle cx="800" cy="120" r="15" fill="#999"/>`+
		`<circle cx="800" cy="120" r="58" fill="none" stroke="#444" stroke-dasharray="5 5"/>`)
	s.phone(715, 225, -51)
	s.phone(885, 225, -129)
	s.text(800, 215, 14, center, "60 to 120°")
	s.text(800, 275, 13, center, "walk a circle first, then move")
	s.same(t, "docs/start/filming.svg", 940, 305)
}
