package memory

import "github.com/bodymotion/motion/storage"

// turns are waiting jobs. Their owners take turns, each with the oldest job.
type turns struct {
	owners []string // of waiting jobs, in the order of their turns
	jobs   map[string][]storage.Job
}

func (t *turns) add(j storage.Job) {
	if t.jobs == nil {
		t.jobs = map[string][]storage.Job{}
	}
	if len(t.jobs[j.Owner]) == 0 {
		t.owners = append(t.owners, j.Owner)
	}
	t.jobs[j.Owner] = append(t.jobs[j.Owner], j)
}

// next removes and returns the next job.
func (t *turns) next() (storage.Job, bool) {
	if len(t.owners) == 0 {
		return storage.Job{}, false
	}
	owner := t.owners[0]
	t.owners = t.owners[1:]
	waiting := t.jobs[owner]
	if len(waiting) > 1 {
		t.jobs[owner] = waiting[1:]
		t.owners = append(t.owners, owner)
	} else {
		delete(t.jobs, owner)
	}
	return waiting[0], true
}
