package say

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Amount is a value with its uncertainty, which is written in one way everywhere: "93° ± 8", "31.6 cm ± 2.5", "−0.80 m".
type Amount struct {
	Value float64
	Sigma float64 // one standard deviation, in the unit; it is rounded up. 0: none is written
	Unit  string  // the Name of one of Units; with any other unit, values are whole numbers before it
}

// Unit is how the amounts of a unit are written: Value × Factor with some Digits, then After.
type Unit struct {
	Name   string  `json:"name"`
	Digits int     `json:"digits"`
	Factor float64 `json:"factor"`
	After  Text    `json:"after"` // " × torso"
}

// Units returns the units of results; "cm" and "mm" are of values in metres, "%" is of shares.
func Units() []Unit {
	list := []Unit{
		{"°", 0, 1, nil}, {"°/s", 0, 1, nil}, {"m", 2, 1, nil}, {"cm", 1, 100, nil}, {"m/s", 2, 1, nil}, {"torso", 2, 1, nil}, {"torso/s", 2, 1, nil},
		{"s", 2, 1, nil}, {"%", 0, 100, nil}, {"steps/min", 0, 1, nil}, {"px", 0, 1, nil}, {"px/s", 0, 1, nil}, {"", 0, 1, nil},
	}
	for k := range list {
		list[k].After = after(list[k].Name)
	}
	return list
}

func after(unit string) Text {
	if t, ok := texts["unit."+unit]; ok {
		return t
	}
	return Text{English: " " + unit, Japanese: " " + unit}
}

// unitOf returns how a unit is written.
func unitOf(name string) Unit {
	all := Units()
	if k := slices.IndexFunc(all, func(u Unit) bool { return u.Name == name }); k >= 0 {
		return all[k]
	}
	return Unit{name, 0, 1, after(name)}
}

// In returns the amount in a language.
func (a Amount) In(l Language) string {
	u := unitOf(a.Unit)
	text := u.number(a.Value, math.Round) + u.After.In(l)
	if a.Sigma > 0 {
		text += " " + a.PlusMinus()
	}
	return text
}

// Text returns the amount in all languages.
func (a Amount) Text() Text {
	t := Text{}
	for _, l := range Languages() {
		t[l] = a.In(l)
	}
	return t
}

// String returns the amount in English.
func (a Amount) String() string { return a.In(English) }

// Number returns the value alone: "0.80".
func (a Amount) Number() string { return unitOf(a.Unit).number(a.Value, math.Round) }

// PlusMinus returns the uncertainty alone: "± 8".
func (a Amount) PlusMinus() string {
	return "± " + unitOf(a.Unit).number(a.Sigma, func(steps float64) float64 { return math.Ceil(steps - 1e-9) })
}

// Step returns the smallest difference that is written: 1 of degrees, 0.001 of metres that are said in centimetres.
func (a Amount) Step() float64 {
	u := unitOf(a.Unit)
	return 1 / (u.Factor * math.Pow10(u.Digits))
}

// number writes a value in the digits of the unit, from the four decimals that JSON has, as its readers do. There is no −0.
func (u Unit) number(v float64, round func(steps float64) float64) string {
	steps := math.Pow10(u.Digits)
	rounded := round(math.Round(v*1e4)/1e4*u.Factor*steps)/steps + 0
	return strings.Replace(strconv.FormatFloat(rounded, 'f', u.Digits, 64), "-", "−", 1)
}

// Measured returns the amount of a measure in the unit of its result. Heights and widths of the body in metres are in centimetres.
func Measured(measure string, value, sigma float64, unit string) Amount {
	if unit == "m" && centimetres[measure] {
		unit = "cm"
	}
	return Amount{value, sigma, unit}
}

// centimetres are the measures in metres that are small: types of analysis, and numbers of jumps and tests.
var centimetres = map[string]bool{
	"hipHeight": true, "handHeight": true, "stepWidth": true, "kneeSeparation": true, "height": true, "rise": true, "drop": true, "sway": true,
}
