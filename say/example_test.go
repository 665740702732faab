package say_test

import (
	"fmt"

	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/say"
)

// An embedded file with a sentence in all languages, with a form for one thing.
func ExampleOpen() {
	book := say.Open([]byte(`{
		"squats": {"en": "%d squats", "ja": "スクワット%d回"},
		"squats.one": {"en": "%d squat", "ja": "スクワット%d回"}
	}`))
	for _, n := range []int{1, 3} {
		text := book.Count("squats", n)
		fmt.Println(text.In(say.English), text.In(say.Japanese))
	}
	// Output:
	// 1 squat スクワット1回
	// 3 squats スクワット3回
}

// Sentences of several texts.
func ExampleParagraph() {
	knee, trunk := say.Of("left", "kneeFlexion"), say.Name("trunkLean")
	least := say.Text{say.English: "at least 90°", say.Japanese: "90°以上"}
	all := say.Paragraph(say.Sentence(say.Phrase(knee, least)), say.Sentence(trunk))
	and := say.Text{say.English: " / ", say.Japanese: "・"}
	fmt.Println(all)
	fmt.Println(say.Join(and, knee, nil, trunk).Title())
	// Output:
	// Left knee flexion, at least 90°. Trunk lean.
	// Left knee flexion / trunk lean
}

// The names that a program shows beside results, for a page in another programming language.
func ExampleAll() {
	fmt.Println(say.All()["kneeFlexion"].In(say.Japanese))
	fmt.Println(say.Part(keypoint.LeftBigToe), "/", say.Joint("hipFlexion"))
	for _, u := range say.Units()[:3] {
		fmt.Printf("%+v\n", u)
	}
	// Output:
	// 膝の屈曲
	// big toe / hip
	// {Name:° Digits:0 Factor:1 After:°}
	// {Name:°/s Digits:0 Factor:1 After:°/s}
	// {Name:m Digits:2 Factor:1 After: m}
}

// The parts of an amount, for a table.
func ExampleAmount() {
	a := say.Amount{Value: 93.41, Sigma: 7.2, Unit: "°"}
	fmt.Println(a)
	fmt.Println(a.Number(), a.PlusMinus(), a.Step())
	// Output:
	// 93° ± 8
	// 93 ± 8 1
}
