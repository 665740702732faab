//go:build !js

package extraction

import (
	"encoding/json"

	"github.com/bodymotion/motion/internal/rank"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/keypoint/clean"
	"github.com/bodymotion/motion/keypoint/space"
)

// Join joins the keypoints of views of one movement in space, of which d are the documents of the first. It returns those of one person
// with the keypoints in space, without corrections of their own, and the verdict on them. The keypoints as they were found, and what
// cleaning changed, are those of the first view, but for what the other views settle. Of the options, a Scale with BodyHeight counts.
func (d Documents) Join(views []keypoint.Sequence, opt Options) (made Documents, r Result, err error) {
	var seq keypoint.Sequence
	err = opt.ifShown(func(opt Options) (err error) {
		var in space.Options
		if scale := opt.Calibration.Scale; scale != nil {
			in.BodyHeight = scale.BodyHeight
		}
		r.Calibration = opt.Calibration
		seq, err = space.Join(views, in)
		return err
	})
	if err != nil {
		return d, r, err
	}
	changes, err := d.Changed()
	if err != nil {
		return d, r, err
	}
	marks, err := d.Marks()
	if err != nil {
		return d, r, err
	}
	settle(changes, views, seq)
	used := r.Calibration
	r, err = judge(seq, changes, marks, Options{})
	if r.Calibration = used; err != nil {
		return d, r, err
	}
	made = Documents{Raw: d.raw()}
	for _, parts := range changes {
		made.Changes = append(made.Changes, digits(parts))
	}
	if made.Quality, err = json.Marshal(r.Quality); err == nil {
		made.Cleaned, err = json.Marshal(r.Sequence)
	}
	return made, r, err
}

// settle takes from the changes of the first view that left and right were not sure, where another view sees both parts of the
// pair at that time: joining has then found out which is which. It leaves eyes and ears alone.
func settle(changes [][keypoint.NumParts]clean.Change, views []keypoint.Sequence, joined keypoint.Sequence) {
	for k, v := range views[1:] {
		for i := range changes {
			t := joined.Times[i] - joined.Space.Cameras[k+1].Offset
			seen := v.Frames[rank.Nearest(v.Times, t)].Present()
			for p := keypoint.LeftShoulder; p < keypoint.NumParts && t >= v.Times[0] && t <= v.Times[v.Len()-1]; p++ {
				if seen.Has(p) && seen.Has(p.Mirror()) {
					changes[i][p] &^= clean.Swapped | clean.Ambiguous
				}
			}
		}
	}
}
