package steps

import (
	"github.com/actionregistry/action/expr"
	"github.com/actionregistry/action/internal/driver"
)

// bindURL inserts values into a URL pattern. The values do not change the kind of the pattern.
func bindURL(t *expr.Template, s *expr.Scope) (driver.URLPattern, error) {
	var pieces []driver.URLPiece
	for _, seg := range t.Segments() {
		if seg.Ref == nil {
			pieces = append(pieces, driver.URLPiece{Text: seg.Text})
			continue
		}
		v, err := seg.Ref.Value(s)
		if err != nil {
			return driver.URLPattern{}, err
		}
		pieces = append(pieces, driver.URLPiece{Text: expr.Text(v), Value: true})
	}
	return driver.NewURLPattern(pieces)
}
