package main

import (
	"bytes"
	"context"
	"crypto/md5"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/bodymotion/motion/draw"
	"github.com/bodymotion/motion/draw/mp4"
)

// A pair is two recordings and their jobs: an extraction, an analysis and a drawing of each, their
// comparison, and its drawing.
const jobsOfPair = 8

// recording is a file that a client uploads.
type recording struct {
	kind string // movies or images
	data []byte
}

// makeRecordings makes n different recordings: pictures, every fourth a short movie, and every tenth
// an invalid picture.
func makeRecordings(ctx context.Context, dir string, n int) ([]recording, error) {
	var list []recording
	for i := range n {
		at := color.RGBA{uint8(i * 37), uint8(i * 91), uint8(i), 255}
		switch {
		case i%10 == 9:
			list = append(list, recording{"images", fmt.Appendf(nil, "no picture, number %d", i)})
		case i%4 == 1:
			path := filepath.Join(dir, fmt.Sprintf("%d.mp4", i))
			if err := makeMovie(ctx, path, at); err != nil {
				return nil, err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			list = append(list, recording{"movies", data})
		default:
			var b bytes.Buffer
			if err := png.Encode(&b, plain(at)); err != nil {
				return nil, err
			}
			list = append(list, recording{"images", b.Bytes()})
		}
	}
	return list, nil
}

func plain(c color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 64, 48))
	for y := range 48 {
		for x := range 64 {
			m.Set(x, y, c)
		}
	}
	return m
}

func makeMovie(ctx context.Context, path string, at color.RGBA) error {
	w, err := mp4.Encoder{}.Create(ctx, path, draw.Movie{Size: image.Pt(64, 48), FrameRate: 10})
	if err != nil {
		return err
	}
	defer w.Abort()
	for i := range 6 {
		at.R, at.G = at.R+20, at.G-10
		if err := w.Write(plain(at), float64(i)/10); err != nil {
			return err
		}
	}
	return w.Close()
}

// record identifies a record that a client knows.
type record struct {
	kind string
	id   int64
}

// work is the work of the clients, and the records that they know.
type work struct {
	recordings []recording
	client     *client

	mu            sync.Mutex
	told, deleted []record
}

func (w *work) note(list *[]record, records ...record) {
	w.mu.Lock()
	defer w.mu.Unlock()
	*list = append(*list, records...)
}

// pair does the work on recordings 2i and 2i+1, and waits for the results. Of every third pair it
// then deletes the first recording, with all that is made from it.
func (w *work) pair(ctx context.Context, i int) error {
	var keypoints [2]int64
	var made [2][]record // the first recording and what is made from it, and the same of the second one alone
	post := func(of int, kind string, body map[string]any) (answer map[string]any, id int64, err error) {
		answer, id, err = w.client.post(ctx, kind, body)
		if err == nil {
			made[of] = append(made[of], record{kind, id})
		}
		return answer, id, err
	}
	for j := range keypoints {
		r := w.recordings[2*i+j]
		answer, id, err := post(j, r.kind, map[string]any{"contentMd5": fmt.Sprintf("%x", md5.Sum(r.data))})
		if err != nil {
			return err
		}
		link, _ := answer["uploadUrl"].(string)
		if _, err := w.client.call(ctx, http.MethodPut, link, r.data); err != nil {
			return err
		}
		if _, keypoints[j], err = post(j, "keypoints", map[string]any{map[string]string{"movies": "movieId", "images": "imageId"}[r.kind]: id}); err != nil {
			return err
		}
		_, _, err = post(j, "analyses", map[string]any{"keypointId": keypoints[j], "rule": []any{
			map[string]any{"analysisType": "vectorAngle", "points": []string{"leftShoulder", "leftElbow", "leftWrist"}},
			map[string]any{"analysisType": "euclideanDistance", "points": []string{"nose", "leftKnee"}},
		}})
		if err != nil {
			return err
		}
		if _, _, err = post(j, "drawings", map[string]any{"keypointId": keypoints[j]}); err != nil {
			return err
		}
	}
	_, comparison, err := post(0, "comparisons", map[string]any{"sourceId": keypoints[0], "targetId": keypoints[1]})
	if err != nil {
		return err
	}
	if _, _, err := post(0, "drawings", map[string]any{"comparisonId": comparison, "backgroundRule": map[string]any{"skeletonOnly": true}}); err != nil {
		return err
	}
	for _, r := range slices.Concat(made[0][1:], made[1][1:]) {
		if err := w.client.wait(ctx, r.kind, r.id); err != nil {
			return err
		}
	}
	w.note(&w.told, made[1]...)
	if i%3 != 0 {
		w.note(&w.told, made[0]...)
		return nil
	}
	w.note(&w.deleted, made[0]...)
	_, err = w.client.call(ctx, http.MethodDelete, fmt.Sprintf("/v1/%s/%d/", made[0][0].kind, made[0][0].id), nil)
	return err
}
