package chrome

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"
)

// popupTime is how long a tab may take to be attached after its page has announced it.
const popupTime = 2 * time.Second

// Popups tracks the tabs that the page of a tab opens.
type Popups struct {
	of *Tab

	mu        sync.Mutex
	announced []string // addresses, as requested by the page
	came      []*Tab   // nil for a tab that was refused
}

// announce records that the page is opening a tab.
func (o *Popups) announce(address string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.announced = append(o.announced, address)
}

// withdraw forgets the last announced tab, unless all announced tabs are attached.
func (o *Popups) withdraw() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.announced) > len(o.came) {
		o.announced = o.announced[:len(o.announced)-1]
	}
}

// add records a tab that the page has opened. Nil means that the tab was refused.
func (o *Popups) add(tab *Tab) {
	o.mu.Lock()
	n := len(o.came)
	wanted := ""
	if n < len(o.announced) {
		wanted = o.announced[n]
	}
	o.came = append(o.came, tab)
	o.mu.Unlock()
	if !o.of.host.isPrivate() {
		o.of.Effects.NotePopup(cmp.Or(wanted, "about:blank"))
	}
	o.of.Link.Notify()
	if tab != nil {
		tab.Frames.Want(wanted)
	}
}

// SoFar returns the number of tabs that the page has opened, including refused tabs. The number is
// an argument of Opened.
func (o *Popups) SoFar() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.came)
}

// complete reports whether every announced tab is attached or refused.
func (o *Popups) complete() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.came) >= len(o.announced)
}

// dropMissing forgets announced tabs that are not attached.
func (o *Popups) dropMissing() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.announced = o.announced[:min(len(o.announced), len(o.came))]
}

func (o *Popups) cameSince(since int) []*Tab {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.came[since:])
}

// Opened returns the id of the last tab that the page has opened since an earlier call of SoFar.
// The argument "since" is the result of that call. If the page has opened no tab, Opened returns
// the id of a tab that the page has navigated by name, or "". It waits for tabs that are being
// opened, and for the document of the last one. The error is NAVIGATION_FAILED if that document
// does not load.
func (o *Popups) Opened(ctx context.Context, since int) (string, error) {
	short, cancel := context.WithTimeout(ctx, popupTime)
	defer cancel()
	if err := o.of.Link.Until(short, "", o.complete); err != nil {
		o.dropMissing() // the browser blocked the tab
	}
	for _, tab := range slices.Backward(o.cameSince(since)) {
		if tab == nil || tab.Link.IsGone() {
			continue
		}
		var err error
		if o.of.blockedBy() == nil { // a dialog would block a tab of the same process
			err = tab.Outcome.Shows(ctx)
		}
		if !tab.Link.IsGone() {
			return tab.id, err
		}
	}
	return o.led(ctx)
}

// led returns the id of another tab that the page has navigated since the input of the step began,
// or "" if there is none. It waits for the document of that tab.
func (o *Popups) led(ctx context.Context) (string, error) {
	if o.of.blockedBy() != nil {
		return "", nil
	}
	for _, tab := range o.of.roster.linked(o.of)[1:] {
		if !tab.Moves.LedByOther() {
			continue
		}
		err := tab.Outcome.ShowsNext(ctx)
		if !tab.Link.IsGone() {
			return tab.id, err
		}
	}
	return "", nil
}
