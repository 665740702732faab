package evalpose

import (
	"slices"
	"strings"

	"github.com/bodymotion/motion/internal/strictjson"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/words"
)

// cocoPictures reads COCO's keypoint annotations, in the order of the ids of the pictures.
func cocoPictures(root strictjson.Value) []Labelled {
	images, annotations := root.Get("images"), root.Get("annotations")
	const want = "COCO annotations, an object with images and annotations"
	if !images.Require(want) || !annotations.Require(want) {
		return nil
	}
	var ids []int64
	pictures := map[int64]*Labelled{}
	list, _ := images.Array()
	for _, v := range list {
		id := number(v, "id")
		if pictures[id] != nil {
			v.Get("id").Errorf("is %d, which another picture has", id)
		}
		l := pictureOf(v, "file_name")
		ids, pictures[id] = append(ids, id), &l
	}
	category := cocoCategory(root.Get("categories"))
	list, _ = annotations.Array()
	for _, v := range list {
		id, of := number(v, "image_id"), number(v, "category_id")
		if of != category {
			continue
		}
		who := labelledPerson(v, "num_keypoints", cocoParts)
		v.Get("area").Require("square pixels")
		if l := pictures[id]; l != nil {
			l.People = append(l.People, who)
		} else {
			v.Get("image_id").Errorf("is %d, and there is no such image", id)
		}
	}
	slices.Sort(ids)
	sorted := make([]Labelled, 0, len(ids))
	for _, id := range ids {
		l := pictures[id]
		l.Dominant, _ = Dominant(l.People)
		sorted = append(sorted, *l)
	}
	return sorted
}

// number reads an integer that must be there.
func number(v strictjson.Value, name string) int64 {
	m := v.Get(name)
	m.Require("an integer")
	n, _ := m.Int()
	return n
}

// cocoCategory returns the id of the category of people, whose parts it checks; 1 without categories.
func cocoCategory(v strictjson.Value) int64 {
	names := partNames()
	for i, name := range names {
		names[i] = strings.ReplaceAll(words.English.Of(name), " ", "_")
	}
	person := int64(1)
	list, _ := v.Array()
	for _, one := range list {
		if name, _ := one.Get("name").Text(); name != "person" {
			continue
		}
		person = number(one, "id")
		parts, ok := one.Get("keypoints").Array()
		var has []string
		for _, part := range parts {
			name, _ := part.Text()
			has = append(has, name)
		}
		if ok && !slices.Equal(has, names) {
			one.Get("keypoints").Errorf("are %v, want the 17 of COCO in their order: %v", has, names)
		}
	}
	return person
}

// cocoParts reads 17 times x, y, v.
func cocoParts(v strictjson.Value) (f keypoint.Frame) {
	n, ok := pixels(v, 3*keypoint.NumBody, "17 times x, y, v")
	for p := keypoint.Part(0); ok && p < keypoint.NumBody; p++ {
		label(&f, p, v, n[3*p:])
	}
	return f
}
