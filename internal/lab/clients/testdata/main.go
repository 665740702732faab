// Program uses the client that oapi-codegen has made: program ADDRESS MOVIE.
package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"

	"example.com/host/client"
)

func main() {
	run(context.Background(), os.Args[1], os.Args[2])
	fmt.Println("ok")
}

// to is a pointer to a value, as optional members need it.
func to[T any](v T) *T { return &v }

// must stops at a failure and returns what there is else.
func must[T any](v *T, err error) T {
	if err != nil || v == nil {
		fmt.Fprintln(os.Stderr, "no answer:", err)
		os.Exit(1)
	}
	return *v
}

// check stops where something does not hold.
func check(ok bool, format string, args ...any) {
	if !ok {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
		os.Exit(1)
	}
}

// status is a line about an answer that was not expected.
func status(r *http.Response, body []byte) error {
	if r.StatusCode < 300 {
		return nil
	}
	return fmt.Errorf("%s %s: %s\n%s", r.Request.Method, r.Request.URL, r.Status, body)
}

func run(ctx context.Context, root, file string) {
	outside := must(client.NewClientWithResponses(root + "/anymotion/v1/"))
	token := must(outside.CreateTokenWithResponse(ctx, client.NewToken{GrantType: client.ClientCredentials, ClientId: "someone", ClientSecret: "very-secret"}))
	check(token.JSON200 != nil, "no token: %s", token.Body)
	c := must(client.NewClientWithResponses(root+"/anymotion/v1/", client.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+token.JSON200.AccessToken)
		return nil
	})))

	// Upload.
	movie, err := os.ReadFile(file)
	check(err == nil, "%v", err)
	sum := md5.Sum(movie)
	media := must(c.CreateMovieWithResponse(ctx, nil, client.NewMedia{ContentMd5: hex.EncodeToString(sum[:]), Name: to("squats")}))
	registered := must(media.JSON201, status(media.HTTPResponse, media.Body))
	put := must(http.NewRequestWithContext(ctx, "PUT", registered.UploadUrl, bytes.NewReader(movie)))
	sent := must(http.DefaultClient.Do(&put))
	sent.Body.Close()
	check(sent.StatusCode == 200, "the upload: %s", sent.Status)

	// Extract.
	var clean client.NewClean
	var scale client.Scale
	var repetitions client.AnalysisRule_Repetitions
	var rules client.AnalysisRules
	for _, err := range []error{
		clean.FromNewClean0(true),
		scale.FromScale0(client.Scale0{BodyHeight: 1.75}),
		repetitions.FromAnalysisRuleRepetitions1(true),
	} {
		check(err == nil, "%v", err)
	}
	wait := to(60)
	extracted := must(c.CreateKeypointWithResponse(ctx, nil, client.NewKeypoint{MovieId: to(registered.Id), Clean: &clean, Scale: &scale, Everybody: to(true)}))
	id := must(extracted.JSON201, status(extracted.HTTPResponse, extracted.Body)).Id
	got := must(c.GetKeypointWithResponse(ctx, id, &client.GetKeypointParams{Wait: wait}))
	keypoint := must(got.JSON200, status(got.HTTPResponse, got.Body))
	check(keypoint.ExecStatus == client.SUCCESS, "the keypoints: %s, %v", keypoint.ExecStatus, keypoint.FailureDetail)
	check(keypoint.People != nil && len(*keypoint.People) == 1, "the people are %v", keypoint.People)
	check(len(*keypoint.Keypoint) == 120 && keypoint.Cleaned != nil && keypoint.World != nil && *keypoint.World.MetresPerPixel > 0,
		"the keypoints: %d frames, cleaned %v, world %v", len(*keypoint.Keypoint), keypoint.Cleaned, keypoint.World)

	// Analyse, correct, analyse again.
	knee := client.AnalysisRule{AnalysisType: client.AnalysisRuleAnalysisTypeKneeFlexion, Side: to(client.AnalysisRuleSideLeft), Repetitions: &repetitions}
	err = rules.FromAnalysisRule(knee)
	check(err == nil, "%v", err)
	analyse := func() client.Analysis {
		created := must(c.CreateAnalysisWithResponse(ctx, nil, client.NewAnalysis{KeypointId: id, Rule: &rules}))
		id := must(created.JSON201, status(created.HTTPResponse, created.Body)).Id
		got := must(c.GetAnalysisWithResponse(ctx, id, &client.GetAnalysisParams{Wait: wait}))
		a := must(got.JSON200, status(got.HTTPResponse, got.Body))
		check(a.ExecStatus == client.SUCCESS && a.Result != nil, "the analysis: %s, %v", a.ExecStatus, a.FailureDetail)
		return a
	}
	at := func(a client.Analysis, frame int) float64 {
		v, err := (*a.Result)[0].Values[frame].AsValue0()
		check(err == nil, "the value of frame %d: %v", frame, err)
		return v
	}
	first := analyse()
	check((*first.Result)[0].Repetitions.Count == 3, "there are %d squats", (*first.Result)[0].Repetitions.Count)
	edit := client.Edit{Frame: 30, Part: "leftAnkle", Point: to(client.EditPoint{100, 100})}
	corrected := must(c.CorrectKeypointWithResponse(ctx, id, client.KeypointChange{Edits: &[]client.Edit{edit}}))
	edits := must(corrected.JSON200, status(corrected.HTTPResponse, corrected.Body)).Edits
	check(edits != nil && len(*edits) == 1, "the corrections are %v", edits)
	second := analyse()
	check(at(first, 30) != at(second, 30) && at(first, 60) == at(second, 60), "frame 30: %v and %v", at(first, 30), at(second, 30))
	old := must(c.GetAnalysisWithResponse(ctx, first.Id, nil))
	check(old.JSON200.Outdated != nil && *old.JSON200.Outdated, "the first analysis is not outdated")

	// Compare.
	var score client.NewComparison_Score // true or "always"
	err = json.Unmarshal([]byte("true"), &score)
	check(err == nil, "the score: %v", err)
	compared := must(c.CreateComparisonWithResponse(ctx, nil, client.NewComparison{SourceId: id, TargetId: id, Score: &score, Angles: to(true)}))
	comparison := must(c.GetComparisonWithResponse(ctx, must(compared.JSON201, status(compared.HTTPResponse, compared.Body)).Id, &client.GetComparisonParams{Wait: wait}))
	check(comparison.JSON200 != nil && comparison.JSON200.Difference != nil && len(*comparison.JSON200.Difference) == 120, "the comparison: %s", comparison.Body)

	// Draw.
	drawing := must(c.CreateDrawingWithResponse(ctx, nil, client.NewDrawing{KeypointId: &id, BlurFaces: to(true), To: to(1.0)}))
	drawn := must(c.GetDrawingWithResponse(ctx, must(drawing.JSON201, status(drawing.HTTPResponse, drawing.Body)).Id, &client.GetDrawingParams{Wait: wait}))
	check(drawn.JSON200 != nil && drawn.JSON200.DrawingUrl != nil, "the drawing: %s", drawn.Body)
	answer := must(http.Get(*drawn.JSON200.DrawingUrl))
	defer answer.Body.Close()
	picture, err := io.ReadAll(answer.Body)
	check(err == nil && bytes.Contains(picture[:min(len(picture), 16)], []byte("ftyp")), "the drawn movie has %d bytes", len(picture))

	// Report.
	report := must(c.GetAnalysisWithResponse(ctx, second.Id, &client.GetAnalysisParams{Format: to(client.GetAnalysisParamsFormatReport)}))
	check(report.StatusCode() == 200 && bytes.Contains(report.Body, []byte("<html")), "the report: %s, %d bytes", report.Status(), len(report.Body))

	// A person, who was filmed: progress, exercises, and everything erased.
	subject := must(c.CreateSubjectWithResponse(ctx, nil, client.NewSubject{Name: "Kenji Sato", BodyHeight: to(1.8)}))
	person := must(subject.JSON201, status(subject.HTTPResponse, subject.Body)).Id
	notes := client.NewNotes{{Text: "even on both legs", Time: to(1.5)}}
	noted := must(c.CorrectKeypointWithResponse(ctx, id, client.KeypointChange{SubjectId: &person, Notes: &notes}))
	check(noted.JSON200 != nil && noted.JSON200.Notes != nil && *(*noted.JSON200.Notes)[0].Time == 1.5, "the notes: %.300s", noted.Body)
	sketches := client.NewSketches{{Frame: 0, Points: [][]float64{{10, 20}, {30, 40}}}}
	sketched := must(c.CorrectKeypointWithResponse(ctx, id, client.KeypointChange{Sketches: &sketches}))
	check(sketched.JSON200 != nil && sketched.JSON200.Sketches != nil && (*sketched.JSON200.Sketches)[0].Points[1][1] == 40, "drawn by hand: %.300s", sketched.Body)
	trend := must(c.GetTrendWithResponse(ctx, person, nil))
	check(trend.JSON200 != nil && len(trend.JSON200.Sessions) == 1 && trend.JSON200.Measure == "kneeFlexion", "the trend: %s", trend.Body)
	exercises := must(c.ListExercisesWithResponse(ctx, nil))
	check(exercises.JSON200 != nil && exercises.JSON200.Data[0].Name == "squat", "the exercises: %.300s", exercises.Body)
	gone := must(c.DeleteSubjectWithResponse(ctx, person, &client.DeleteSubjectParams{All: to(true)}))
	check(gone.JSON200 != nil && gone.JSON200.Records["keypoints"] == 1, "what was erased: %s", gone.Body)
}
