package inference

import (
	"context"
	"fmt"

	"github.com/bodymotion/motion/keypoint"
)

// ExtractOptions say who is found, and how, by Extract, ExtractAll, ExtractImage, ExtractAllImage and a Follower. All fields are optional.
type ExtractOptions struct {
	// MaxFrames limits the movie: MaxFrames frames or more give ErrTooManyFrames. 0 or less: no limit.
	MaxFrames int
	// Choose selects the person, for ExtractAll as soon as it selects anybody. A Choice that watches needs an Estimator that is a Finder.
	Choose Choice
	// MaxPeople limits how many people ExtractAll follows at a time, and how many are in the result:
	// those who are visible longest, and the chosen one. 0 or less: no limit.
	MaxPeople int
	// Candidates is the number of initial frames in which every detected person is passed to OnCandidates, so that a later extraction can
	// choose another one. Of these, only the frames that are looked at count. It needs an Estimator that is a Finder.
	Candidates int
	// CandidatesEvery is the least time between two of these frames, seconds; 0: they are the first ones of the movie.
	// Then a Choice that is PolicyNearest at the time of one finds its people.
	CandidatesEvery float64
	// OnCandidates is called with the people in each of these frames, in order. Their Track tells who is the same person;
	// it is not that of ExtractAll.
	OnCandidates func(frame int, people []Candidate)
	// Feet keeps the six parts of the feet, if the Estimator finds them; else the result has only the 17 parts from
	// the nose to the ankles. Following the person is the same with and without.
	Feet bool
	// InFlight is the number of frames estimated at once, 1 to 5; 0: 2. The position of the person is extrapolated over as many
	// looks. The result depends on InFlight, but not on the machine's speed.
	InFlight int
	// Rate is the number of looks per second; 0: every frame is looked at. Of a movie of a higher frame rate, Extract
	// looks at the frames that are 1/Rate apart by their times, less a tenth because times are rounded, at the first
	// and the last frame of each scene, and at the last frame before a pause of the movie. It decodes the others, but
	// does not estimate them: they are empty in the result, which says where it has looked (keypoint.Sequence.Looks).
	// clean.Run fills them. A Rate that is negative or not finite is a keypoint.ErrInvalid.
	Rate float64
	// Progress is called after each look with the number of frames done and the number in the movie's headers (0: unknown).
	Progress func(done, total int)
	// OnFrame is called with each frame of the result as soon as it is final: every one, in order, from the goroutine of Extract,
	// before the Progress of its look. Those between the looks of a Rate are empty, and come with the next look. While the Choice
	// watches, nothing is final; then all of its frames come at once. Which frames are PersonChanges, only the result tells.
	OnFrame func(frame int, f keypoint.Frame, seconds float64)
}

// scout finds the people in the initial frames of a movie.
type scout struct {
	most  int
	every float64
	tell  func(frame int, people []Candidate)

	looks, told int
	next        float64 // when the next of these frames is due, seconds
	known       []scouted
}

// scouted is a person who was seen in these frames, at last in a box.
type scouted struct {
	box  Box
	size float64 // see sizeOf
	time float64
}

func (opt *ExtractOptions) scout() *scout {
	return &scout{most: opt.Candidates, every: opt.CandidatesEvery, tell: opt.OnCandidates}
}

// look tells who is in a frame, if it is an initial one. finder may be nil.
func (s *scout) look(ctx context.Context, finder Finder, frame int, pic Picture) error {
	due := frame < s.most
	if s.every > 0 { // a tracker searches in these looks, too
		due = s.told < s.most && s.looks%searchInterval == 0 && (s.told == 0 || pic.Time >= s.next)
	}
	s.looks++
	if !due || s.tell == nil {
		return nil
	}
	if finder == nil {
		return ErrNoFinder
	}
	people, err := finder.Find(ctx, pic.Image)
	if err != nil {
		return fmt.Errorf("frame %d: %w", frame, err)
	}
	s.told, s.next = s.told+1, pic.Time+s.every
	s.number(people, pic.Time)
	s.tell(frame, people)
	return nil
}

// number gives people who were seen before the Track that they had then, the most alike first, and others a new one.
func (s *scout) number(people []Candidate, at float64) {
	before := s.known[:len(s.known):len(s.known)]
	taken := make([]bool, len(before))
	for range people {
		i, who, most := -1, -1, 0.0
		for k, t := range before {
			for j, p := range people {
				if l := likeness(t.box, t.size, p.Box, at-t.time); p.Track == 0 && !taken[k] && l > most {
					i, who, most = j, k, l
				}
			}
		}
		if i < 0 {
			break
		}
		people[i].Track, taken[who] = who+1, true
	}
	for i := range people {
		p := &people[i]
		if p.Track == 0 {
			s.known = append(s.known, scouted{})
			p.Track = len(s.known)
		}
		t := &s.known[p.Track-1]
		*t = scouted{p.Box, sizeOf(t.size, at-t.time, p.Box), at}
	}
}
