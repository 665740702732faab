package compare

import (
	_ "embed"
	"math"

	"github.com/bodymotion/motion/analyze"
	"github.com/bodymotion/motion/say"
)

//go:embed texts.json
var textsFile []byte

var texts = say.Open(textsFile)

func degrees(v, sigma float64) say.Amount { return say.Amount{Value: v, Sigma: sigma, Unit: "°"} }

// claim says by how much the target bends an angle more or less than the source: "repetition 3: the right knee bends 35° less".
func (p *pair) claim(of Angle, d *AngleDifference) say.Text {
	amount := texts.Say("same")
	switch size := degrees(math.Abs(d.Difference), 0); {
	case math.Round(size.Value) == 0:
	case d.Difference < 0:
		amount = texts.Say("less", size)
	default:
		amount = texts.Say("more", size)
	}
	key := string(of.Type)
	if texts[key] == nil {
		key = "other"
	}
	claim := texts.Say(key, p.side(of.Side), amount, say.Name(string(of.Type)))
	if d.Repetition > 0 {
		claim = texts.Say("repetition", d.Repetition, claim)
	}
	return claim.Title()
}

// side names the side of an angle before it. If the target is mirrored, both sides are named, the source's first.
func (p *pair) side(side analyze.Side) say.Text {
	other := analyze.LeftSide
	if side == other {
		other = analyze.RightSide
	}
	switch {
	case side == "":
		return texts.Say("side.none")
	case p.mirrored:
		return texts.Say("side.both", say.Name(string(side)), say.Name(string(other)))
	}
	return texts.Say("side", say.Name(string(side)))
}

// sentence is the claim with the angles of both, and whether it is within the uncertainty.
func (p *pair) sentence(of Angle, d *AngleDifference) say.Text {
	said := texts.Say("from", p.claim(of, d), degrees(d.Source, 0).Number(), degrees(d.Target, 0).Number())
	if !d.Sure {
		return texts.Say("unsure", said, degrees(0, d.Uncertainty).PlusMinus())
	}
	return said
}
