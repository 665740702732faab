package contract_test

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"image"
	"image/png"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/inference/inferencetest"
	"github.com/bodymotion/motion/storage"
	"github.com/bodymotion/motion/storage/memory"
)

// server is an API with an image, and a keypoint record, a comparison and an analysis of it, all
// with the ID 1, and the endpoint for tokens of a client "a" with the secret "b".
func server(t *testing.T) http.Handler {
	t.Helper()
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}), Queue: memory.NewQueue(memory.QueueOptions{}),
		Estimator: inferencetest.Estimator{}, Logger: slog.New(slog.DiscardHandler), WorkDir: t.TempDir(),
	})
	if err != nil {
		t.Fatal(err)
	}
	api, err := httpapi.New(service, httpapi.Options{Authenticator: func(*http.Request) (httpapi.Identity, error) {
		return httpapi.Identity{Client: "a"}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := httpapi.NewCredentials(map[string]string{"a": "b"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	mux.Handle("/", api)
	mux.Handle("/oauth/v1/accesstokens", tokens)

	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	sum := md5.Sum(picture.Bytes())
	made := func(path, body string) {
		if code, text := post(mux, "POST "+path, body); code != http.StatusCreated {
			t.Fatalf("%s: %d %s", path, code, text)
		}
	}
	made("/movies/", `{"contentMd5":"1B2M2Y8AsgTpgAmY7PhCfg=="}`)
	made("/subjects/", `{"name":"a"}`)
	made("/images/", `{"contentMd5":"`+hex.EncodeToString(sum[:])+`"}`)
	if _, err := service.UploadMedia(t.Context(), "a", storage.Images, 1, &picture); err != nil {
		t.Fatal(err)
	}
	made("/keypoints/", `{"imageId":1}`)
	made("/comparisons/", `{"sourceId":1,"targetId":1}`)
	made("/analyses/", `{"keypointId":1,"rule":{"analysisType":"coordinate","points":["nose"]}}`)
	return mux
}

// post sends a body to an operation, such as "POST /images/".
func post(h http.Handler, operation, body string) (int, string) {
	method, path, _ := strings.Cut(operation, " ")
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec.Code, rec.Body.String()
}

const (
	token     = "POST /oauth/v1/accesstokens"
	movies    = "POST /movies/"
	change    = "PATCH /images/1/"
	subjects  = "POST /subjects/"
	subject   = "PATCH /subjects/1/"
	noted     = "PATCH /keypoints/1/"
	keypoints = "POST /keypoints/"
	compare   = "POST /comparisons/"
	analyses  = "POST /analyses/"
	drawings  = "POST /drawings/"
	sum       = `"1B2M2Y8AsgTpgAmY7PhCfg=="`
)

// in puts each of the values into a body at %s.
func in(body string, values ...string) (list []string) {
	for _, v := range values {
		list = append(list, fmt.Sprintf(body, v))
	}
	return list
}

func join(lists ...[]string) (all []string) {
	for _, l := range lists {
		all = append(all, l...)
	}
	return all
}

// badBodies are refused by the server, and by the document.
var badBodies = map[string][]string{
	token: join(
		in(`{"grantType":%s,"clientId":"a","clientSecret":"b"}`, `null`, `7`, `""`, `"password"`, `["client_credentials"]`),
		in(`{"grantType":"client_credentials","clientId":%s,"clientSecret":"b"}`, `null`, `7`, `true`, `{}`),
		in(`{"grantType":"client_credentials","clientId":"a","clientSecret":%s}`, `null`, `7`, `[]`),
		in(`{"grantType":"client_credentials",%s}`, `"clientId":"a"`, `"clientSecret":"b"`, `"clientId":"a","clientSecret":"b","secret":"c"`, `"client_id":"a","client_secret":"b"`),
		in(`%s`, `{}`, `[]`, `null`, `"a"`, `{`),
	),
	movies: join(
		in(`{"contentMd5":%s}`, `null`, `7`, `true`, `[]`, `{}`, `""`, `"abc"`,
			`" 1B2M2Y8AsgTpgAmY7PhCfg=="`, `"1B2M2Y8AsgTpgAmY7PhCfg== "`, `"1B2M2Y8AsgTpgAmY7PhCfg==\n"`, `"\n1B2M2Y8AsgTpgAmY7PhCfg=="`,
			`"1B2M2Y8AsgTp\r\ngAmY7PhCfg=="`, `"\t1B2M2Y8AsgTpgAmY7PhCfg=="`, `"\"1B2M2Y8AsgTpgAmY7PhCfg==\""`, `"'d41d8cd98f00b204e9800998ecf8427e'"`,
			`"1B2M2Y8AsgTpgAmY7PhCfg"`, `"1B2M2Y8AsgTpgAmY7PhCfg==="`, `"1B2M2Y8AsgTpgAmY7PhCfh=="`, `"1B2M2Y8AsgTpgAmY7PhC-g=="`, `"1B2M2Y8AsgTpgAmY7PhCfgAA"`,
			`"d41d8cd98f00b204e9800998ecf8427"`, `"d41d8cd98f00b204e9800998ecf8427e0"`, `"0xd41d8cd98f00b204e9800998ecf8427e"`, `"d41d8cd98f00b204e9800998ecf8427g"`, `"d41d8cd98f00b204e9800998ecf8427e\n"`),
		in(`{"content_md5":%s}`, `null`, `7`, `"abc"`, `"1B2M2Y8AsgTpgAmY7PhCfg==\n"`),
		in(`{"contentMd5":`+sum+`,"name":%s}`, `7`, `false`, `[]`, `{}`, `"`+strings.Repeat("x", 1001)+`"`),
		in(`{"contentMd5":`+sum+`,"text":%s}`, `7`, `false`, `["a"]`, `{}`, `"`+strings.Repeat("x", 10_001)+`"`),
		in(`{"contentMd5":`+sum+`,%s}`, `"id":1`, `"uploadUrl":"x"`, `"content_md5":"x"`, `"Name":"x"`, `"contentMD5":"x"`, `"":1`),
		in(`%s`, `{}`, `[]`, `null`, `"a"`, `7`, `true`, `{`, `[{"contentMd5":`+sum+`}]`),
	),
	change: join(
		in(`{"name":%s}`, `7`, `[]`, `{}`, `"`+strings.Repeat("x", 1001)+`"`),
		in(`{"text":%s}`, `7`, `true`, `"`+strings.Repeat("x", 10_001)+`"`),
		in(`{%s}`, `"contentMd5":`+sum, `"title":"a"`),
		in(`%s`, `[]`, `null`, `"name"`),
	),
	subjects: join(
		in(`{"name":%s}`, `null`, `7`, `""`, `[]`, `"`+strings.Repeat("x", 1001)+`"`),
		in(`{"name":"a",%s}`, `"bodyHeight":0.2`, `"bodyHeight":180`, `"bodyHeight":"1.8"`, `"body_height":3.1`, `"birthYear":1700`, `"birthYear":"1994"`, `"birth_year":1994.5`,
			`"side":"both"`, `"side":"Left"`, `"side":1`, `"note":7`, `"note":"`+strings.Repeat("x", 10_001)+`"`, `"height":1.8`, `"id":1`),
		in(`%s`, `{}`, `[]`, `null`, `{"note":"a"}`),
	),
	subject: join(
		in(`{"name":%s}`, `7`, `""`), in(`{"bodyHeight":%s}`, `-1`, `0.1`, `180`, `"1"`), in(`{"birthYear":%s}`, `1`, `-1994`, `1.5`), in(`{"side":%s}`, `"both"`, `0`),
		in(`%s`, `[]`, `null`, `{"id":1}`, `{"createdAt":"2026-11-22T00:00:00Z"}`),
	),
	noted: join(
		in(`{"notes":%s}`, `"a"`, `{}`, `[null]`, `["a"]`, `[{}]`, `[{"time":1}]`, `[{"text":""}]`, `[{"text":7}]`, `[{"text":"a","time":-1}]`, `[{"text":"a","time":"1"}]`, `[{"text":"a","at":1}]`, `[{"text":"`+strings.Repeat("x", 2001)+`"}]`,
			`[`+strings.Repeat(`{"text":"a"},`, 100)+`{"text":"a"}]`),
		in(`{"tags":%s}`, `"a"`, `[7]`, `[""]`, `[null]`, `["a","a"]`, `["`+strings.Repeat("x", 41)+`"]`, `["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q","r","s","t","u"]`),
		in(`{"recordedAt":%s}`, `7`, `"yesterday"`, `"2026-11-22"`, `"2026-11-22T14:10:00"`, `"2026-13-22T14:10:00Z"`, `"1650-01-01T00:00:00Z"`, `"0001-01-01T00:00:00Z"`),
		in(`{"subjectId":%s}`, `"1"`, `1.5`, `true`, `[]`),
		in(`%s`, `{}`, `[]`, `null`, `{"notes":null}`, `{"name":"a"}`, `{"edits":[]}`, `{"edits":[{"frame":0,"part":"nose","point":null}],"tags":[]}`),
	),
	keypoints: join(
		in(`{"imageId":%s}`, `null`, `"1"`, `1.5`, `true`, `[1]`, `{}`, `""`),
		in(`{"movie_id":%s}`, `null`, `"1"`, `1.5`, `false`, `[]`),
		in(`{"imageId":1,"feet":%s}`, `0`, `1`, `"true"`, `[]`, `{}`),
		in(`{%s,"feet":true}`, `"keypointId":1`, `"keypoint_id":1`),
		in(`{"movieId":1,"capture":%s}`, `240`, `"240"`, `true`, `[]`, `{}`, `{"frameRate":null}`, `{"frameRate":"240"}`, `{"frameRate":0}`, `{"frameRate":-1}`, `{"frameRate":1e5}`, `{"frame_rate":240}`, `{"frameRate":240,"rate":30}`),
		in(`{"imageId":1,%s}`, `"capture":{"frameRate":240}`, `"floor":"auto"`),
		in(`{"keypointIds":[1,2],"scale":%s}`, `{"bodyHeight":null,"metresPerPixel":1}`, `{"metresPerPixel":1}`),
		in(`{"imageId":1,"scale":%s}`, `1.78`, `"1.78"`, `true`, `[]`, `{}`, `{"height":1.78}`, `{"bodyHeight":null}`, `{"bodyHeight":"1.78"}`, `{"bodyHeight":0}`, `{"bodyHeight":178}`, `{"bodyHeight":1.78,"metresPerPixel":1}`,
			`{"bodyHeight":1.78,"from":[1,2]}`, `{"metresPerPixel":0}`, `{"metresPerPixel":-1}`, `{"metresPerPixel":1e4}`, `{"metresPerPixel":1e-7}`, `{"length":2}`, `{"length":2,"from":[1,2]}`, `{"from":[1,2],"to":[3,4]}`,
			`{"length":0,"from":[1,2],"to":[3,4]}`, `{"length":2000,"from":[1,2],"to":[3,4]}`, `{"length":2,"from":[1,2],"to":[3]}`, `{"length":2,"from":[1,2],"to":[3,4,5]}`, `{"length":2,"from":[1,2],"to":[3,null]}`,
			`{"length":2,"from":[1,2],"to":[3,1e7]}`, `{"length":2,"from":[1,2],"to":{"x":3,"y":4}}`),
		in(`{"keypointId":1,"floor":%s}`, `"level"`, `"Auto"`, `true`, `{}`, `[]`, `91`, `-90.5`, `[[1,2]]`, `[1,2]`, `[[1,2],[3]]`, `[[1,2],[3,"4"]]`, `[[1,2],null]`, `[[1,2],[3,4],[5,6]]`, `[[1,2],[-1e7,4]]`),
		in(`{"imageId":1,"origin":%s}`, `"centre"`, `7`, `{}`, `[]`, `[1]`, `[1,2,3]`, `[1,null]`, `["1",2]`, `[1,1e7]`),
		in(`{"imageId":1,%s}`, `"movieId":1`, `"movie_id":1`, `"id":1`, `"image":1`, `"imageid":1`),
		in(`%s`, `{}`, `[]`, `null`, `1`, `{"movieId":null,"imageId":null}`, `{"image_id":1,"movie_id":1}`, `{"keypointId":1,"movieId":1}`, `{"keypoint_id":1,"imageId":1}`),
	),
	compare: join(
		in(`{"sourceId":%s,"targetId":1}`, `null`, `"1"`, `1.5`, `true`, `[1]`),
		in(`{"source_id":1,"target_id":%s}`, `null`, `"1"`, `0.5`, `{}`),
		in(`{"sourceId":1,"targetId":1,"alignment":%s}`, `""`, `"best"`, `"Linear"`, `1`, `true`, `[]`),
		in(`{"sourceId":1,"targetId":1,"mirror":%s}`, `1`, `"true"`, `{}`),
		in(`{"sourceId":1,"targetId":1,"score":%s}`, `0`, `"yes"`, `[]`),
		in(`{"sourceId":1%s}`, ``, `,"target":1`, `,"targetId":1,"speed":1`),
		in(`%s`, `{}`, `[]`, `null`, `{"targetId":1}`),
	),
	analyses: join(
		in(`{"keypointId":1,"exercise":%s}`, `"squad"`, `7`, `true`, `[]`, `{}`, `{"name":"a"}`, `{"name":"","test":"chairStand30"}`, `{"name":"a","targets":[{"measure":"kneeFlexion"}]}`,
			`{"name":"a","targets":[{"measure":"knee","min":1}]}`, `{"name":"a","targets":[{"measure":"kneeFlexion","min":"1"}]}`, `{"name":"a","test":"handstand"}`,
			`{"name":"a","test":"chairStand30","view":"above"}`, `{"name":"a","test":"chairStand30","phases":["down"]}`, `{"name":"a","test":"chairStand30","title":{"en":"a"}}`),
		in(`{"keypointId":%s,"rule":{"analysisType":"coordinate","points":["nose"]}}`, `null`, `"1"`, `1.5`, `true`, `[1]`),
		in(`{"keypointId":1%s}`, ``, `,"rules":[]`, `,"rule":{"analysisType":"coordinate","points":["nose"]},"movieOption":null`),
		in(`{"keypointId":1,"rule":%s}`, `null`, `[]`, `{}`, `[null]`, `7`, `"coordinate"`, `true`, `[[]]`,
			`[`+strings.Repeat(`{"analysisType":"coordinate","points":["nose"]},`, 100)+`{"analysisType":"coordinate","points":["nose"]}]`,
			`[{"analysisType":"coordinate","points":["nose"]},{}]`),
		in(`{"keypointId":1,"rule":{"analysisType":%s,"points":["nose"]}}`, `null`, `7`, `""`, `"Coordinate"`, `"angles"`, `["coordinate"]`),
		in(`{"keypointId":1,"rule":{"analysisType":"coordinate","points":%s}}`, `null`, `[]`, `"nose"`, `{}`, `["nose","nose"]`, `[null]`, `[7]`, `["tail"]`, `["Nose"]`, `[["nose"]]`,
			`[{}]`, `[{"pointName":null}]`, `[{"pointName":[]}]`, `[{"pointName":"tail"}]`, `[{"pointName":["nose",null]}]`, `[{"pointName":["nose","leftEye"]}]`, `[{"pointName":"nose","name":1}]`,
			`[{"pointType":"single","pointName":["nose","leftEye"]}]`, `[{"pointType":"middle","pointName":"nose"}]`, `[{"pointType":7,"pointName":"nose"}]`, `[{"pointType":"centroid","pointName":[]}]`,
			`[{"pointType":"midpoint","pointName":"nose"}]`, `[{"pointType":"midpoint","pointName":["nose"]}]`, `[{"pointType":"midpoint","pointName":["nose","leftEye","rightEye"]}]`, `[{"pointType":"centroid"}]`,
			`[{"pointType":"centroid","pointName":[`+strings.Repeat(`"nose",`, 23)+`"nose"]}]`),
		in(`{"keypointId":1,"rule":{"analysisType":%s}}`, `"coordinate"`, `"euclideanDistance","points":["nose"]`, `"vectorAngle","points":["nose","leftEye"]`, `"rotationAngle","points":["nose","leftEye","rightEye","leftEar"]`,
			`"horizontalDifference","points":["nose","leftEye","rightEye"]`, `"segmentAngle","points":["nose"]`, `"angle","points":["nose"]`, `"coordinate","points":["nose"],"color":"red"`),
		in(`{"keypointId":1,"rule":{"analysisType":"coordinate","points":["nose"],"movieOption":%s}}`, `{}`, `[]`, `"max"`, `{"statisticsType":null}`, `{"statisticsType":"most"}`, `{"statisticsType":"max","targetValue":"some"}`, `{"statisticsType":"max","targetValue":7}`, `{"statisticsType":"max","target":"all"}`),
	),
	drawings: join(
		in(`{"keypointId":%s}`, `null`, `"1"`, `1.5`, `true`, `[]`),
		in(`%s`, `{}`, `[]`, `null`, `{"keypointId":1,"comparisonId":1}`, `{"keypoint_id":1,"comparison_id":1}`, `{"keypointId":null,"comparisonId":null}`, `{"keypointId":1,"rules":[]}`),
		in(`{"keypointId":1,"comparisonId":1,"rule":%s}`, `null`, `{"drawingType":"keypoint"}`, `{"drawingType":"stickPicture","ghost":"red"}`, `[{"drawingType":"stickPicture","arrows":"red"}]`),
		in(`{"keypointId":1,"analysisId":%s}`, `"1"`, `1.5`, `true`),
		in(`{"keypointId":1,"backgroundRule":%s}`, `[]`, `7`, `"red"`, `{"skeletonOnly":1}`, `{"skeletonOnly":"true"}`, `{"color":"beige"}`, `{"color":7}`, `{"colour":"red"}`),
		in(`{"keypointId":1,"background_rule":%s}`, `[]`, `{"size":1}`),
		in(`{"keypointId":1,"rule":%s}`, `[]`, `{}`, `[null]`, `7`, `"keypoint"`, `[[]]`, `[{}]`, `[{"drawingType":"keypoint"},{"drawingType":"dots"}]`,
			`[`+strings.Repeat(`{"drawingType":"keypoint"},`, 100)+`{"drawingType":"keypoint"}]`),
		in(`{"comparisonId":1,"rule":%s}`, `[]`, `{"drawing_type":"keypoint"}`),
		in(`{"keypointId":1,"rule":{"drawingType":%s}}`, `null`, `7`, `""`, `"Keypoint"`, `"angle"`, `"angle","pattern":"all"`, `"angle","points":["nose","leftEye"]`, `"angle","points":["nose","leftEye","rightEye","leftEar"]`,
			`"stickPicture","points":["nose"]`, `"label","text":"`+strings.Repeat("x", 81)+`"`, `"label","text":7`, `"label","analysis":0`, `"label","analysis":-1`, `"label","analysis":1.5`, `"label","seconds":1`, `"label","ghost":"red"`,
			`"trace","seconds":0`, `"trace","seconds":61`, `"trace","seconds":"1"`, `"trace","seconds":-1`, `"trace","rotation":true`, `"trace","arrows":"red"`, `"trace","ghost":"red"`),
		in(`{"keypointId":1,"rule":{"drawingType":"keypoint",%s}}`, `"colour":"red"`, `"color":"Red"`, `"color":""`, `"color":7`, `"size":0`, `"size":-1`, `"size":100.5`, `"size":"1"`, `"size":1e400`,
			`"points":[]`, `"points":"nose"`, `"points":[null]`, `"points":["tail"]`, `"points":[{"pointType":"midpoint","pointName":["nose"]}]`, `"points":[{"pointName":["nose","leftEye"]}]`, `"pattern":"body"`, `"pattern":7`, `"pattern":""`,
			`"points":["nose"],"pattern":"all"`, `"rotation":true`, `"rotation":1`, `"seconds":1`, `"text":"a"`, `"analysis":0`, `"comparisons":[]`, `"comparisons":[{}]`, `"comparisons":{}`, `"ghost":"red"`, `"arrows":"red"`, `"legend":true`, `"legend":"yes"`),
		in(`{"comparisonId":1,"rule":[{"drawingType":"stickPicture",%s}]}`, `"comparisons":{}`, `"comparisons":[null]`, `"comparisons":[7]`, `"comparisons":[{"threshold":1.5}]`, `"comparisons":[{"threshold":-0.1}]`, `"comparisons":[{"threshold":"0"}]`,
			`"comparisons":[{"color":"mauve"}]`, `"comparisons":[{"size":0}]`, `"comparisons":[{"distance":1}]`, `"ghost":true`, `"ghost":"mauve"`, `"arrows":7`, `"legend":true`, `"legend":true,"comparisons":[]`, `"legend":true,"comparisons":null`),
		in(`{"comparisonId":1,"rule":{"drawingType":%s}}`, `"horizontalLine","arrows":"red"`, `"angle","points":["nose","leftEye","rightEye"],"ghost":"red"`, `"label","analysis":0`),
	),
}

// beyond are bodies that the server refuses and no JSON Schema can refuse, by the reason.
var beyond = map[string]map[string][]string{
	"a schema sees the last of members with one name": {
		keypoints: {`{"imageId":1,"imageId":1}`}, movies: {`{"contentMd5":` + sum + `,"name":"a","name":"b"}`}, token: {`{"grantType":"client_credentials","clientId":"a","clientSecret":"b","clientSecret":"b"}`},
	},
	"a schema cannot compare the values of two members": {
		keypoints: {`{"imageId":1,"image_id":2}`}, movies: {`{"contentMd5":` + sum + `,"content_md5":"d41d8cd98f00b204e9800998ecf8427e"}`}, drawings: {`{"keypointId":1,"backgroundRule":{},"background_rule":{"color":"red"}}`},
	},
	"a schema cannot tell how far two points are from each other": {
		keypoints: {`{"imageId":1,"scale":{"length":2,"from":[1,2],"to":[1,2]}}`, `{"imageId":1,"floor":[[1,2],[1.5,2]]}`},
	},
	"a schema sees text after it was decoded": {
		movies: {`{"contentMd5":` + sum + `,"name":"\ud800"}`, `{"contentMd5":` + sum + `,"text":"\udc00\ud800"}`, `{"contentMd5":` + sum + `,"name":"` + "\xff" + `"}`, `{"contentMd5":` + sum + `,"name":"` + "\xed\xa0\x80" + `"}`},
	},
	"a schema counts characters, not bytes": {
		movies: {`{"contentMd5":` + sum + `,"name":"` + strings.Repeat("膝", 334) + `"}`, `{"contentMd5":` + sum + `,"text":"` + strings.Repeat("膝", 3334) + `"}`}, change: {`{"name":"` + strings.Repeat("膝", 334) + `"}`},
		analyses: {`{"keypointId":1,"rule":[` + strings.Repeat(" ", 65<<10) + `{"analysisType":"coordinate","points":["nose"]}]}`},
	},
	"it depends on whether the record is of a movie": {
		keypoints: {`{"keypointId":1,"capture":{"frameRate":240}}`, `{"keypointId":1,"floor":"auto"}`},
		analyses:  {`{"keypointId":1,"rule":{"analysisType":"coordinate","points":["nose"],"movieOption":{"statisticsType":"max"}}}`, `{"keypointId":1,"rule":{"analysisType":"speed","points":["nose"]}}`},
	},
	"it depends on the day": {
		subjects: {`{"name":"a","birthYear":2099}`}, noted: {`{"recordedAt":"2099-01-01T00:00:00Z"}`},
	},
	"a schema does not know what is seen": {
		noted: {`{"tags":["\u202e"]}`, `{"tags":["\u200b"]}`, `{"tags":["\u2066a"]}`},
	},
	"a schema does not know spaces and capitals": {
		subjects: {`{"name":" "}`}, noted: {`{"tags":[" a"]}`, `{"tags":["a","A"]}`, `{"notes":[{"text":" "}]}`},
	},
	"it depends on the analysis": {
		drawings: {`{"keypointId":1,"analysisId":1,"rule":{"drawingType":"label","analysis":1}}`},
	},
	"which characters can be drawn depends on the font": {
		drawings: {`{"keypointId":1,"rule":{"drawingType":"label","text":"膝"}}`},
	},
}

// goodBodies are accepted.
var goodBodies = map[string][]string{
	subjects: {`{"name":"a"}`, `{"name":"田中","bodyHeight":1.8,"birth_year":1994,"side":"left","note":""}`, `{"name":"a","bodyHeight":null,"birthYear":null,"side":null,"note":null}`},
	subject:  {`{}`, `{"name":null,"bodyHeight":0,"birthYear":0,"side":"","note":""}`, `{"body_height":1.7,"side":"right"}`},
	noted: {`{"notes":[{"time":1.83,"text":"a"},{"text":"b","time":null}]}`, `{"notes":[]}`, `{"tags":["squat"],"recorded_at":"2026-11-02T14:10:00.5+09:00","subjectId":1}`,
		`{"subject_id":0,"recordedAt":"","tags":[],"edits":null}`},
	token: {`{"grantType":"client_credentials","clientId":"a","clientSecret":"b"}`, `{"grantType":"client_credentials","clientId":"a","clientSecret":"b","scope":null}`},
	movies: {`{"contentMd5":` + sum + `}`, `{"content_md5":` + sum + `,"name":null,"text":null}`, `{"contentMd5":"D41D8CD98F00B204E9800998ECF8427E","name":"膝 😀","text":""}`,
		`{"contentMd5":` + sum + `,"content_md5":` + sum + `}`, `{"contentMd5":` + sum + `,"name":"\ud83d\ude00 \ufffd"}`, `{"contentMd5":null,"content_md5":` + sum + `}`},
	change: {`{}`, `{"name":"a"}`, `{"name":null,"text":""}`, `{"name":null,"text":null,"subjectId":null,"recordedAt":null,"tags":null}`, `{"subjectId":0,"recordedAt":"","tags":[]}`},
	keypoints: join(
		[]string{`{"imageId":1}`, `{"imageId":1.0}`, `{"imageId":1e0}`, `{"image_id":1,"movie_id":null}`, `{"imageId":1,"image_id":1}`, `{"imageId":null,"image_id":1}`},
		in(`{"imageId":1,%s}`, `"capture":null,"scale":null,"floor":null,"origin":null`, `"scale":{"bodyHeight":1.78,"length":null,"from":null,"to":null,"metresPerPixel":null},"floor":0`,
			`"scale":{"length":2,"from":[1,2],"to":[-3.5,4]},"floor":[[0,7],[9,8]],"origin":[0,0]`, `"scale":{"bodyHeight":null,"metresPerPixel":0.0025},"floor":-90`),
		in(`{"keypoint_id":1,%s}`, `"scale":{"bodyHeight":0.3}`, `"floor":90`, `"origin":[-1.5,2]`),
	),
	compare: {`{"sourceId":1,"targetId":1}`, `{"sourceId":1.0,"targetId":1}`, `{"source_id":1,"target_id":1,"alignment":"dtw","mirror":true,"score":true}`, `{"sourceId":1,"target_id":1,"alignment":null,"mirror":null,"score":null}`,
		`{"sourceId":1,"targetId":1,"alignment":null,"score":"always"}`},
	analyses: join(
		in(`{"keypoint_id":1,"rule":%s}`, `{"analysisType":"coordinate","points":["nose"]}`, `[{"analysisType":"angle","points":["leftHip","leftKnee","leftAnkle"],"movieOption":null}]`,
			`{"analysisType":"euclideanDistance","points":["nose",{"pointType":"midpoint","pointName":["leftHip","rightHip"]}]}`),
		in(`{"keypointId":1,"rule":{"analysisType":"coordinate","points":[%s]}}`, `{"pointName":"nose"}`, `{"pointName":["nose"]}`, `{"pointType":null,"pointName":"nose"}`, `{"pointType":"single","pointName":["nose"]}`,
			`{"pointType":"centroid","pointName":"nose"}`, `{"pointType":"centroid","pointName":["nose","leftEye","rightEye"]}`, `{"pointType":"verticalTop","pointName":["nose","leftEye"]}`),
		in(`{"keypointId":1,"rule":{"analysisType":"kneeFlexion",%s}}`, `"side":"left","symmetry":null,"repetitions":null,"movieOption":null`, `"side":null,"symmetry":true,"repetitions":false`),
	),
	drawings: join(
		in(`{"keypointId":1%s}`, ``, `,"rule":null,"backgroundRule":null,"comparisonId":null`, `,"background_rule":{}`, `,"backgroundRule":{"skeletonOnly":true,"color":"skyBlue"}`),
		in(`{"keypoint_id":1,"rule":%s}`, `{"drawingType":"keypoint","points":null,"pattern":"all","color":null,"size":null,"comparisons":null,"text":"","rotation":false,"legend":false,"ghost":null,"arrows":null,"seconds":null,"analysis":null}`,
			`[{"drawingType":"stickPicture","points":["nose","leftEye"],"color":"red","size":2.5},{"drawingType":"verticalLine"}]`, `{"drawingType":"angle","points":["leftHip","leftKnee","leftAnkle"],"rotation":true}`,
			`{"drawingType":"trace","seconds":60}`, `{"drawingType":"label","text":"knee °"}`),
		in(`{"comparisonId":1%s}`, ``, `,"rule":{"drawingType":"keypoint","comparisons":[]}`, `,"rule":{"drawingType":"stickPicture","comparisons":[{},{"threshold":0.3,"color":"yellow","size":null}],"legend":true,"ghost":"white","arrows":"black"}`, `,"rule":[{"drawingType":"horizontalLine","ghost":"red"}]`),
		in(`{"keypointId":1,%s,"rule":[{"drawingType":"label","analysis":0}]}`, `"analysisId":1`, `"analysis_id":1`),
		in(`{"keypointId":1,"analysisId":1,"rule":{"drawingType":"label","analysis":%s}}`, `0.0`, `0e1`),
	),
}

// TestBodies: the document refuses what the server refuses, wherever JSON Schema can say it, and
// allows what the server accepts.
func TestBodies(t *testing.T) {
	h := server(t)
	d := Load(document)
	allowed := func(operation, body string) error {
		method, path, _ := strings.Cut(operation, " ")
		return d.Body(method, path, body)
	}
	short := func(body string) string { return body[:min(len(body), 160)] }
	refused := 0
	for operation, bodies := range badBodies {
		for _, body := range bodies {
			refused++
			if code, text := post(h, operation, body); code != 400 {
				t.Errorf("%s %s: the server answers %d %s", operation, short(body), code, text)
			}
			if allowed(operation, body) == nil {
				t.Errorf("%s %s: the document allows it", operation, short(body))
			}
		}
	}
	if refused < 250 {
		t.Errorf("only %d bad bodies", refused)
	}
	for reason, operations := range beyond {
		for operation, bodies := range operations {
			for _, body := range bodies {
				if code, text := post(h, operation, body); code != 400 {
					t.Errorf("%s %s: the server answers %d %s", operation, short(body), code, text)
				}
				if err := allowed(operation, body); err != nil {
					t.Errorf("%s %s: the document refuses it, so JSON Schema can say it and %q is wrong: %v", operation, short(body), reason, err)
				}
			}
		}
	}
	for operation, bodies := range goodBodies {
		for _, body := range bodies {
			if code, text := post(h, operation, body); code != 200 && code != 201 {
				t.Errorf("%s %s: the server answers %d %s", operation, short(body), code, text)
			}
			if err := allowed(operation, body); err != nil {
				t.Errorf("%s %s: the document refuses it: %v", operation, short(body), err)
			}
		}
	}
}

// TestPlainBodies: the document that generators read allows all that the server accepts, but for the names in snake_case, and requires
// what the server requires.
func TestPlainBodies(t *testing.T) {
	rec := httptest.NewRecorder()
	server(t).ServeHTTP(rec, httptest.NewRequest("GET", "/openapi.json", nil))
	file := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, rec.Body.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	d, snake := Load(file), regexp.MustCompile(`"[a-z]+_[a-z0-9_]+":`)
	checked := 0
	for operation, bodies := range goodBodies {
		method, path, _ := strings.Cut(operation, " ")
		for _, body := range bodies {
			if snake.MatchString(body) {
				continue
			}
			checked++
			if err := d.Body(method, path, body); err != nil {
				t.Errorf("%s %s: the document refuses it: %v", operation, body, err)
			}
		}
	}
	for operation, body := range map[string]string{
		movies: `{"name":"a"}`, analyses: `{"overview":true}`, compare: `{"sourceId":1}`, subjects: `{"note":"a"}`, token: `{"clientId":"a"}`,
	} {
		if method, path, _ := strings.Cut(operation, " "); d.Body(method, path, body) == nil {
			t.Errorf("%s %s: the document allows it", operation, body)
		}
	}
	if checked < 40 {
		t.Errorf("only %d bodies", checked)
	}
}
