package session_test

// The part of the matrix that runs with -short: every action once, distributed over the pages of
// the libraries.

import (
	"slices"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
)

// smoke returns the indexes of the chosen cases, by page. For each action it chooses the first case
// that succeeds, or otherwise the first case, on the page with the fewest cases so far. The choice
// depends only on the tables, so that a failure is reproducible.
func smoke(cases []matrixCase, pages []libraries.Page) map[string][]int {
	chosen := make(map[string][]int)
	for _, action := range actionsOf(cases) {
		for _, succeeds := range []bool{true, false} {
			page, i := choose(cases, pages, chosen, func(p libraries.Page, c matrixCase) bool {
				return c.action == action && c.isFor(p) && (c.code == "") == succeeds
			})
			if page != "" {
				chosen[page] = append(chosen[page], i)
				break
			}
		}
	}
	for page := range chosen {
		slices.Sort(chosen[page])
	}
	return chosen
}

// choose returns the page with the fewest chosen cases among those with a fitting case, and the
// index of its first fitting case. page is "" if no case fits.
func choose(cases []matrixCase, pages []libraries.Page, chosen map[string][]int, fits func(libraries.Page, matrixCase) bool) (page string, index int) {
	for _, p := range pages {
		i := slices.IndexFunc(cases, func(c matrixCase) bool { return fits(p, c) })
		if i >= 0 && (page == "" || len(chosen[p.Name]) < len(chosen[page])) {
			page, index = p.Name, i
		}
	}
	return page, index
}

func librariesOf(pages []libraries.Page) []string {
	var list []string
	for _, p := range pages {
		list = append(list, p.Library)
	}
	return slices.Compact(list)
}

// shareOf returns the rows for a page. Without -short these are all rows. With -short, each version of
// the page's library gets a share, so that all versions together run each row once.
func shareOf[T any](t *testing.T, what string, page libraries.Page, rows []T) []T {
	t.Helper()
	versions := slices.DeleteFunc(libraries.Pages(), func(p libraries.Page) bool { return p.Library != page.Library })
	i := slices.IndexFunc(versions, func(p libraries.Page) bool { return p.Name == page.Name })
	return testkit.Share(t, what, rows, i, len(versions))
}

// somePages returns the pages to test: all, or with -short one page of each library.
func somePages(t *testing.T, pages []libraries.Page) []libraries.Page {
	t.Helper()
	var some []libraries.Page
	for _, library := range librariesOf(pages) {
		own := slices.DeleteFunc(slices.Clone(pages), func(p libraries.Page) bool { return p.Library != library })
		some = append(some, testkit.One(t, "versions of "+library, own)...)
	}
	return some
}

func actionsOf(cases []matrixCase) []string {
	var list []string
	for _, c := range cases {
		if !slices.Contains(list, c.action) {
			list = append(list, c.action)
		}
	}
	return list
}

// TestSmokeCoversTheMatrix checks that smoke chooses each action once, with a successful case if
// there is one, and distributes the cases over all pages.
func TestSmokeCoversTheMatrix(t *testing.T) {
	cases, pages := matrixCases(words("en")), libraries.Pages()
	chosen := smoke(cases, pages)
	got, works := make(map[string]int), make(map[string]bool)
	for _, p := range pages {
		for i, c := range cases {
			if !c.isFor(p) {
				continue
			}
			works[c.action] = works[c.action] || c.code == ""
			if slices.Contains(chosen[p.Name], i) {
				got[c.action]++
			}
		}
	}
	for action := range works {
		if got[action] != 1 {
			t.Errorf("%s is in the smoke %d times, want once", action, got[action])
		}
	}
	for _, p := range pages {
		if len(chosen[p.Name]) < 3 {
			t.Errorf("%s has %d cases, want its share", p.Name, len(chosen[p.Name]))
		}
		for _, i := range chosen[p.Name] {
			if c := cases[i]; !c.isFor(p) {
				t.Errorf("%s has the case %q of %s, which it cannot run", p.Name, c.name, c.action)
			} else if c.code != "" && works[c.action] {
				t.Errorf("%s: %s is tried by a case that fails with %s alone", p.Name, c.action, c.code)
			}
		}
	}
}

// TestSmokeOfSmallTables checks that smoke also chooses actions that exist for only one page or
// have no successful case.
func TestSmokeOfSmallTables(t *testing.T) {
	pages := []libraries.Page{{Name: "a1", Library: "a"}, {Name: "a2", Library: "a"}, {Name: "b1", Library: "b"}}
	cases := []matrixCase{
		{action: "x", code: diag.StepFailed}, {action: "x", name: "good", not: "a1"}, {action: "y"}, {action: "z", only: "a", code: diag.StepFailed},
	}
	got := smoke(cases, pages)
	for page, want := range map[string][]int{"a1": {2, 3}, "a2": {1}, "b1": nil} {
		if !slices.Equal(got[page], want) {
			t.Errorf("%s has the cases %v, want %v", page, got[page], want)
		}
	}
}
