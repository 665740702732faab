package draw

import (
	"image/color"
	"slices"
)

// Color is one of the 15 colours of the API, by its name.
type Color string

// The colours. The zero value means the default where one is used.
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

func colorNames() []string {
	var names []string
	for _, c := range Colors() {
		names = append(names, string(c))
	}
	return names
}

// RGBA returns the opaque colour; ok is false for a name that does not exist.
func (c Color) RGBA() (rgba color.RGBA, ok bool) {
	hex, ok := map[Color]uint32{
		White: 0xFFFFFF, Black: 0x000000, Grey: 0x808080, Yellow: 0xFFFF00, Green: 0x008000,
		Red: 0xFF0000, Blue: 0x0000FF, Cyan: 0x00FFFF, Orange: 0xFFA500, Pink: 0xFFC0CB,
		Magenta: 0xFF00FF, Purple: 0x800080, SkyBlue: 0x87CEEB, BlueGreen: 0x0D98BA, LimeGreen: 0x32CD32,
	}[c]
	return color.RGBA{uint8(hex >> 16), uint8(hex >> 8), uint8(hex), 255}, ok
}

func (c Color) valid() bool { return c == "" || slices.Contains(Colors(), c) }

// or returns the colour, or the default for the zero value.
func (c Color) or(def Color) color.RGBA {
	if c == "" {
		c = def
	}
	rgba, _ := c.RGBA()
	return rgba
}
