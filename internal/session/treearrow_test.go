package session_test

import (
	"fmt"
	"testing"
)

// TestTreesWithTheArrowBeside tests trees in which an arrow is beside each node, in an element that
// contains both, and trees whose nodes open only by a key.
func TestTreesWithTheArrowBeside(t *testing.T) {
	t.Parallel()
	tree := func(role, arrow, after, script string) string {
		node := func(id, name, below string) string {
			if below == "" {
				return fmt.Sprintf(`<li %s><i></i><a role=treeitem href="#" id=%s>%s</a></li>`, role, id, name)
			}
			return fmt.Sprintf(`<li %s>%s<a role=treeitem href="#" aria-expanded=false id=%s><i class=folder></i>%s</a>%s<ul role=group hidden>%s</ul></li>`, role, arrow, id, name, after, below)
		}
		return `<style>ul{list-style:none} .ocl{display:inline-block;width:14px;height:14px;background:#999}</style><ul role=tree>` +
			node("docs", "Docs", node("work", "Work", node("plan", "Plan", ""))+node("pics", "Pics", "")) + node("home", "Home", node("note", "Note", "")) + `</ul><script>
picked = ''; const turn = (li) => { const a = li.querySelector('[role=treeitem]'), on = a.ariaExpanded !== 'true'; a.ariaExpanded = on; li.querySelector('ul').hidden = !on }
document.onclick = (e) => { e.preventDefault(); const a = e.target.closest('[role=treeitem]'), li = e.target.closest('li'); if (a) { for (const o of document.querySelectorAll('[aria-selected]')) o.ariaSelected = null; a.ariaSelected = true; picked = a.id } else if (e.target.closest('.ocl')) turn(li) }
` + script + `</script>`
	}
	const icon = `<i class=ocl></i>`
	path := func(names ...any) object { return object{"path": names} }
	keys := `document.onkeydown = (e) => { const a = e.target.closest?.('[role=treeitem]'); if (a && e.key === 'ArrowRight' && a.ariaExpanded === 'false') turn(a.parentNode) }`
	runShown(t, []shownBy{
		{"a node", tree("role=none", icon, "", ""), "tree:expand", path("Docs"), `docs.ariaExpanded === 'true' && picked === '' && home.ariaExpanded === 'false'`},
		{"a node in a node", tree("role=none", icon, "", ""), "tree:expand", path("Docs", "Work"), `work.ariaExpanded === 'true' && picked === ''`},
		{"a node to choose", tree("role=none", icon, "", ""), "tree:select", path("Docs", "Work", "Plan"), `picked === 'plan'`},
		{"the last of all", tree("role=presentation", icon, "", ""), "tree:select", path("Home", "Note"), `picked === 'note' && docs.ariaExpanded === 'false'`},
		{"behind the name", tree("", "", icon, ""), "tree:expand", path("Docs"), `docs.ariaExpanded === 'true' && picked === ''`},
		{"a button", tree("role=none", `<button class=ocl></button>`, "", ""), "tree:expand", path("Docs", "Work"), `work.ariaExpanded === 'true'`},
		{"only a key", tree("role=none", "", "", keys), "tree:expand", path("Docs"), `docs.ariaExpanded === 'true'`},
		{"one that does not open", tree("role=none", `<i class=lcl style="display:inline-block;width:9px;height:9px"></i>`, "", ""), "tree:expand", path("Docs"), ""},
		{"a node that is not there", tree("role=none", icon, "", ""), "tree:expand", path("Docs", "Plan"), ""},
	})
}
