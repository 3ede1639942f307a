package session_test

// The part of the matrix that runs with -short: every action once, and every version of each
// library.

import (
	"slices"
	"testing"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
)

// smoke chooses cases, by page: for each action the first case that succeeds, on that one of
// the pages that has the fewest cases until then. An action without such a case has its first
// one. Which case runs where depends on
// the tables alone, so that a failure comes again.
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

// choose returns the page with the fewest cases of those that have a case that fits, and
// the first such case of it; "" where there is none.
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

// shareOf returns the rows for a page: all, or with -short so many that the versions of
// each library run each row once together.
func shareOf[T any](t *testing.T, what string, page libraries.Page, rows []T) []T {
	t.Helper()
	versions := slices.DeleteFunc(libraries.Pages(), func(p libraries.Page) bool { return p.Library != page.Library })
	i := slices.IndexFunc(versions, func(p libraries.Page) bool { return p.Name == page.Name })
	return testkit.Share(t, what, rows, i, len(versions))
}

// somePages returns the pages to try: all, or with -short one of each library.
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

// TestSmokeCoversTheMatrix: each action is in the smoke once, by a case that succeeds where
// there is one, and each page has its share.
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

// TestSmokeOfSmallTables: what is there for one page alone, and what never succeeds, is
// chosen too.
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
