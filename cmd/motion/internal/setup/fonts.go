package setup

import (
	"os"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/fonts"
)

// FontsUsage says what the flag --font is for.
const FontsUsage = "font file (.ttf, .otf, .ttc) for labels with other than Latin, Greek and Cyrillic letters; may be repeated"

// Fonts is the value of the flag --font.
type Fonts []draw.Font

func (f *Fonts) String() string { return "" }
func (f *Fonts) Type() string   { return "FILE" }

// Set reads a font file.
func (f *Fonts) Set(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	font, err := fonts.Parse(data)
	if err == nil {
		*f = append(*f, font)
	}
	return err
}
