package quality

// Trust says how far a number can be trusted.
type Trust string

// The trusts.
const (
	TrustGood     Trust = "good"     // as sure as measuring with keypoints is
	TrustCare     Trust = "care"     // show it with its uncertainty
	TrustWithheld Trust = "withheld" // absent: show the reason instead
)

// Why a number is withheld, besides the codes of warnings.
const (
	CodeHidden    Code = "hidden"    // a joint is hidden in this frame
	CodeUncertain Code = "uncertain" // nothing is known but the uncertainty
)

// The largest uncertainties of good numbers and of those that are not withheld.
const (
	goodDegrees = 10.0
	careDegrees = 20.0
	torsoDegree = 0.01 // torso lengths that count as a degree
)

// TrustOf returns the trust in a number with an uncertainty in degrees: good up to 10, care up to 20.
func TrustOf(uncertainty float64) Trust {
	switch {
	case uncertainty <= goodDegrees:
		return TrustGood
	case uncertainty <= careDegrees:
		return TrustCare
	}
	return TrustWithheld
}

// Degree returns what counts as a degree in a unit: 1 in degrees ("°"), 0.01 in torso lengths ("torso"); 0 in others, in which no trust
// is known.
func Degree(unit string) float64 {
	switch unit {
	case "°":
		return 1
	case "torso":
		return torsoDegree
	}
	return 0
}

// GoodTo returns the largest uncertainty of a good number in a unit; 0 for units without a Degree.
func GoodTo(unit string) float64 { return goodDegrees * Degree(unit) }

// Reading is a number with its uncertainty and trust.
type Reading struct {
	Value       float64 `json:"value"`
	Uncertainty float64 `json:"uncertainty"` // one standard deviation
	Trust       Trust   `json:"trust"`
}
