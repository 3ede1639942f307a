package chrome

// Changes of tabs that no step has caused, kept until a call reports them.

import "slices"

// News is a change of the tabs that no step has requested.
type News struct {
	Kind   string // opened, closed, crashed, refused
	Tab    string // its id
	URL    string // that it shows or was to show
	Opener string // for an opened tab: the tab that opened it
	Active string // for a closed tab: the tab that became active, if any
}

const (
	TabOpened  = "opened"
	TabClosed  = "closed"  // by its page, or by the user of the browser
	TabCrashed = "crashed" // in the background; it is closed
	TabRefused = "refused" // too many tabs
)

// maxNews limits what is recorded of pages that open tabs in a loop.
const maxNews = 100

// TakeNews returns the changes of tabs since the last call, oldest first.
func (b *Browser) TakeNews() []News {
	b.mu.Lock()
	news, tabs := b.news, make(map[string]*Tab)
	b.news = nil
	for _, w := range b.windows {
		for _, p := range w.tabs {
			tabs[p.id] = p
		}
	}
	b.mu.Unlock()
	for i := range news {
		if p := tabs[news[i].Tab]; p != nil {
			news[i].URL = p.Moves.Address()
		}
	}
	return news
}

func (b *Browser) tell(n News) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tellLocked(n)
}

func (b *Browser) tellLocked(n News) {
	if len(b.news) < maxNews {
		b.news = append(b.news, n)
	}
}

// forgetNews drops the news about a tab.
func (b *Browser) forgetNews(p *Tab) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forgetNewsLocked(p)
}

func (b *Browser) forgetNewsLocked(p *Tab) bool {
	before := len(b.news)
	b.news = slices.DeleteFunc(b.news, func(n News) bool { return n.Tab == p.id })
	return len(b.news) < before
}
