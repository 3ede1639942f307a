package chrome

// Changes of tabs that no step has caused, kept until a call reports them.

import "slices"

// News is a change of the tabs that no step has requested.
type News struct {
	Kind   string // opened, closed, crashed, refused
	Tab    string // its id
	URL    string // the URL that the tab shows or should show
	Opener string // for an opened tab: the tab that opened it
	Active string // for a closed tab: the tab that became active, if any
}

const (
	TabOpened  = "opened"
	TabClosed  = "closed"  // closed by its page, or by the user of the browser
	TabCrashed = "crashed" // a background tab crashed, and was then closed
	TabRefused = "refused" // not opened, because there were too many tabs
)

// maxNews limits the recorded changes, as a page may open tabs in a loop.
const maxNews = 100

// TakeNews returns the changes of tabs since the last call, oldest first.
func (ts *tabs) TakeNews() []News {
	ts.roster.mu.Lock()
	news, tabs := ts.roster.news, make(map[string]*Tab)
	ts.roster.news = nil
	for _, w := range ts.roster.windows {
		for _, p := range w.tabs {
			tabs[p.id] = p
		}
	}
	ts.roster.mu.Unlock()
	for i := range news {
		if p := tabs[news[i].Tab]; p != nil {
			news[i].URL = p.Moves.Address()
		}
	}
	return news
}

func (r *roster) tell(n News) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.tellLocked(n)
}

func (r *roster) tellLocked(n News) {
	if len(r.news) < maxNews && !r.host.isPrivate() {
		r.news = append(r.news, n)
	}
}

// forgetNews drops the news about a tab.
func (r *roster) forgetNews(p *Tab) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forgetNewsLocked(p)
}

func (r *roster) forgetNewsLocked(p *Tab) bool {
	before := len(r.news)
	r.news = slices.DeleteFunc(r.news, func(n News) bool { return n.Tab == p.id })
	return len(r.news) < before
}
