package session_test

import (
	"slices"
	"testing"

	"github.com/actionregistry/action/internal/testkit"
	"github.com/actionregistry/action/testdata/libraries"
)

// An AutoComplete of antd that makes its suggestions from the text. Tab chooses the first of them.
const antdStreet = `
const h = React.createElement;
const App = () => {
  const [text, setText] = React.useState('');
  window.v = text;
  return h(antd.Form, null, h(antd.Form.Item, { label: 'Street', htmlFor: 's' }, h(antd.AutoComplete, {
    id: 's', value: text, onChange: setText, options: text ? [{ value: text + ' Road' }, { value: text + ' Street' }] : [] })));
};
if (ReactDOM.createRoot) ReactDOM.createRoot(document.getElementById('app')).render(h(App)); else ReactDOM.render(h(App), document.getElementById('app'));`

// TestAutoCompleteKeepsText checks that the field keeps a typed text although its list offers longer
// texts.
func TestAutoCompleteKeepsText(t *testing.T) {
	t.Parallel()
	base := serveApps(t, map[string]string{"antd": antdStreet, "element": ""})
	b := newBench(t, nil, nil)
	for _, p := range somePages(t, slices.DeleteFunc(libraries.Pages(), func(p libraries.Page) bool { return p.Name != "antd4" && p.Name != "antd5" && p.Name != "antd6" })) {
		for _, pack := range []string{"antd", "components"} {
			for _, params := range testkit.Some(t, "ways to set a text", 2, []object{
				{"action": "field:set", "label": "Street", "value": "Main 7"},
				{"action": "form:fill", "values": object{"Street": "Main 7"}},
				{"action": "input:fill", "label": "Street", "value": "Main 7"},
			}) {
				action := pack + ":" + params["action"].(string)
				t.Run(p.Name+" "+action, func(t *testing.T) {
					b.open(t, base+"/"+p.Name)
					given := object{}
					for name, value := range params {
						if name != "action" {
							given[name] = value
						}
					}
					b.mustRun(t, action, given)
					if got := b.holds(t, "window.v"); got != "Main 7" {
						t.Errorf("the page holds %q", got)
					}
				})
			}
		}
	}
}
