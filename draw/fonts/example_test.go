package fonts_test

import (
	"fmt"
	"log"

	"golang.org/x/image/font/gofont/goregular"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/fonts"
)

// Labels in letters that the built-in font lacks: parse a font file of the machine.
func ExampleParse() {
	font, err := fonts.Parse(goregular.TTF)
	if err != nil {
		log.Fatal(err)
	}
	_, err = draw.Compile([]draw.Rule{draw.Label("knee")}, draw.Background{}, false, font)
	fmt.Println(err)
	_, err = fonts.Parse([]byte("no font"))
	fmt.Println(err)
	// Output:
	// <nil>
	// invalid font: sfnt: invalid bounds
}
