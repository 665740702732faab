package draw

import (
	"fmt"
	"image/color"
	"strings"
)

// Color is the name of one of the 15 colours of the API.
type Color string

// The colours. The zero value means the default of whatever has the colour.
const (
	White     Color = "white"
	Black     Color = "black"
	Grey      Color = "grey"
	Yellow    Color = "yellow"
	Green     Color = "green"
	Red       Color = "red"
	Blue      Color = "blue"
	Cyan      Color = "cyan"
	Orange    Color = "orange"
	Pink      Color = "pink"
	Magenta   Color = "magenta"
	Purple    Color = "purple"
	SkyBlue   Color = "skyBlue"
	BlueGreen Color = "blueGreen"
	LimeGreen Color = "limeGreen"
)

// Colors returns the names of all colours.
func Colors() []Color {
	return []Color{White, Black, Grey, Yellow, Green, Red, Blue, Cyan, Orange, Pink, Magenta, Purple, SkyBlue, BlueGreen, LimeGreen}
}

// list writes names for a message.
func list[T ~string](names []T) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(names), " ", ", "), "[]")
}

// RGBA returns the opaque colour; ok is false for a name that does not exist.
func (c Color) RGBA() (rgba color.RGBA, ok bool) {
	var hex uint32
	switch c {
	case White:
		hex = 0xFFFFFF
	case Black:
		hex = 0x000000
	case Grey:
		hex = 0x808080
	case Yellow:
		hex = 0xFFFF00
	case Green:
		hex = 0x008000
	case Red:
		hex = 0xFF0000
	case Blue:
		hex = 0x0000FF
	case Cyan:
		hex = 0x00FFFF
	case Orange:
		hex = 0xFFA500
	case Pink:
		hex = 0xFFC0CB
	case Magenta:
		hex = 0xFF00FF
	case Purple:
		hex = 0x800080
	case SkyBlue:
		hex = 0x87CEEB
	case BlueGreen:
		hex = 0x0D98BA
	case LimeGreen:
		hex = 0x32CD32
	default:
		return color.RGBA{}, false
	}
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}, true
}

// valid reports whether the colour is one of the 15 or the zero value.
func (c Color) valid() bool {
	_, ok := c.RGBA()
	return ok || c == ""
}

// or returns the colour, or the default for the zero value.
func (c Color) or(def Color) color.RGBA {
	if c == "" {
		c = def
	}
	rgba, _ := c.RGBA()
	return rgba
}
