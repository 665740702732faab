package httpapi

import (
	"container/list"
	"sync"
	"time"
)

// signedLink is a link whose signature is valid.
type signedLink struct {
	client    string
	signature string // of all spellings of the same link
	expires   time.Time
}

const (
	maxUses  = 20 // uploads with one link
	maxLinks = 20_000
)

// uses counts the uploads with each link, whether they succeed or not. Beyond maxLinks, the
// links that were first used longest ago are forgotten.
type uses struct {
	mu     sync.Mutex
	byLink map[string]*list.Element // by signature
	order  list.List                // of *use, first used in front
}

type use struct {
	link  signedLink
	count int
}

// add counts an upload with a link, and reports whether it is allowed.
func (u *uses) add(link signedLink, now time.Time) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	for e := u.order.Front(); e != nil && (u.order.Len() > maxLinks || !now.Before(e.Value.(*use).link.expires)); e = u.order.Front() {
		delete(u.byLink, u.order.Remove(e).(*use).link.signature)
	}
	e := u.byLink[link.signature]
	if e == nil {
		if u.byLink == nil {
			u.byLink = map[string]*list.Element{}
		}
		e = u.order.PushBack(&use{link: link})
		u.byLink[link.signature] = e
	}
	x := e.Value.(*use)
	x.count = min(x.count+1, maxUses+1)
	return x.count <= maxUses
}
