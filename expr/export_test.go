package expr

import "slices"

// SameTree reports whether a and b are the same tree. It ignores positions.
func SameTree(a, b *Condition) bool { return sameNode(a.root, b.root) }

func sameNode(a, b node) bool {
	switch a := a.(type) {
	case *logic:
		b, ok := b.(*logic)
		return ok && a.or == b.or && sameNode(a.x, b.x) && sameNode(a.y, b.y)
	case *not:
		b, ok := b.(*not)
		return ok && sameNode(a.x, b.x)
	case *comparison:
		b, ok := b.(*comparison)
		return ok && a.op == b.op && sameNode(a.x, b.x) && sameNode(a.y, b.y)
	case *match:
		b, ok := b.(*match)
		return ok && (a.re == nil) == (b.re == nil) && sameNode(a.x, b.x) && sameNode(a.y, b.y)
	case *literal:
		b, ok := b.(*literal)
		return ok && a.v == b.v
	case *Ref:
		b, ok := b.(*Ref)
		return ok && SameRef(a, b)
	}
	return false
}

// SameRef reports whether a and b refer to the same value, through the same filters.
func SameRef(a, b *Ref) bool {
	return a.Root == b.Root && a.Name == b.Name && slices.Equal(a.Path, b.Path) &&
		slices.EqualFunc(a.filters, b.filters, func(a, b call) bool {
			return a.filter == b.filter && slices.Equal(a.args, b.args)
		})
}
