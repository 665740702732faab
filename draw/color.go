package draw

import (
	"cmp"
	"fmt"
	"image/color"
	"strings"
)

// Color is the name of one of the 15 colours of the API.
type Color string

// Colours; the others are written as their names, such as "purple". The zero value means the default of whatever has the colour.
const (
	White   Color = "white"
	Black   Color = "black"
	grey    Color = "grey"
	Yellow  Color = "yellow"
	Red     Color = "red"
	Blue    Color = "blue"
	SkyBlue Color = "skyBlue"
)

// palette is the colours in the order of the API.
var palette = [...]struct {
	name Color
	rgb  uint32
}{
	{White, 0xFFFFFF}, {Black, 0x000000}, {grey, 0x808080}, {Yellow, 0xFFFF00}, {"green", 0x008000},
	{Red, 0xFF0000}, {Blue, 0x0000FF}, {"cyan", 0x00FFFF}, {"orange", 0xFFA500}, {"pink", 0xFFC0CB},
	{"magenta", 0xFF00FF}, {"purple", 0x800080}, {SkyBlue, 0x87CEEB}, {"blueGreen", 0x0D98BA}, {"limeGreen", 0x32CD32},
}

// Colors returns the names of all colours.
func Colors() []Color {
	names := make([]Color, len(palette))
	for i, c := range palette {
		names[i] = c.name
	}
	return names
}

func list[T ~string](names []T) string { return join(names, ", ") }

func join(names any, separator string) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(names), "[]"), " ", separator)
}

// RGBA returns the opaque colour; ok is false for a name that does not exist.
func (c Color) RGBA() (rgba color.RGBA, ok bool) {
	for _, p := range palette {
		if p.name == c {
			return color.RGBA{uint8(p.rgb >> 16), uint8(p.rgb >> 8), uint8(p.rgb), 255}, true
		}
	}
	return color.RGBA{}, false
}

// valid reports whether the colour is one of the 15 or the zero value.
func (c Color) valid() bool {
	_, ok := c.RGBA()
	return ok || c == ""
}

// or returns the colour, or the default for the zero value.
func (c Color) or(def Color) color.RGBA {
	rgba, _ := cmp.Or(c, def).RGBA()
	return rgba
}
