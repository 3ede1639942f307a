package main

// Chromium alone, with checks: the minimum that the protocol needs for operations that check their
// preconditions and their effect. There must be one match, which is visible, enabled, in view and
// not covered. Afterwards, the click must have arrived, or the field must have its value.

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"
)

const (
	checkedName      = "Chromium checked"
	checkedLimitName = "Go and Chromium checked"
)

// closeTo is the tolerance for a target that the limit itself exceeds: the target counts as met if
// the result is that close to the limit.
const closeTo = 1.2

// ready is a page function that waits until the only element of a selector is ready for input and
// returns the point to press. With a type, it reports the element's content once that many trusted
// events of the type have arrived and the page's handlers have run.
const ready = `((css, type, times) => {
  const all = document.querySelectorAll(css), e = all[0];
  if (all.length !== 1) throw new Error(all.length + ' elements match ' + css);
  if (!type) return e;
  let r = e.getBoundingClientRect();
  if (!e.checkVisibility({visibilityProperty: true}) || !r.width || !r.height) throw new Error(css + ' is not visible');
  if (e.matches(':disabled') || e.readOnly) throw new Error(css + ' is disabled');
  if (r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth) {
    e.scrollIntoView({block: 'center', behavior: 'instant'});
    r = e.getBoundingClientRect();
  }
  const x = r.x + r.width / 2, y = r.y + r.height / 2;
  if (!e.contains(document.elementFromPoint(x, y))) throw new Error(css + ' is covered');
  window.told = new Promise((done) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      done(String(e.type === 'checkbox' ? e.checked : e.value));
    };
    const on = (event) => {
      if (!event.isTrusted || !event.composedPath().includes(e) || --times > 0) return;
      removeEventListener(type, on, true);
      port2.postMessage(0);
    };
    addEventListener(type, on, true);
  });
  return {e, x, y};
})`

// A checkedChromium is a lane that controls a page of a chromium and checks the effects.
type checkedChromium struct{ *chromium }

func (c checkedChromium) Name() string { return checkedName }

func (c checkedChromium) Do(_ context.Context, op Args) (Reply, error) {
	began := time.Now()
	text, err := c.doChecked(op)
	return Reply{time.Since(began), text}, err
}

func (c checkedChromium) Flow(ctx context.Context, ops []Args) (Reply, error) {
	return oneByOne(ctx, c, ops)
}

// doChecked is like do, but checks the effect of an operation that has one.
func (c *chromium) doChecked(op Args) (string, error) {
	switch op[0] {
	case "click":
		_, err := c.pressChecked(op[1])
		return "", err
	case "check", "uncheck":
		told, err := c.pressChecked(op[1])
		return "", expect(told, fmt.Sprint(op[0] == "check"), err)
	case "fill":
		told, err := c.writeChecked(op[1], "e.select()", 1, func() {
			c.send("Input.insertText", map[string]any{"text": op[2]})
		})
		return "", expect(told, op[2], err)
	case "type":
		told, err := c.writeChecked(op[1], "0", utf8.RuneCountInString(op[2]), func() { c.keys(op[2]) })
		return "", expect(told, op[2], err)
	case "select":
		holds, err := c.value(choice(fmt.Sprintf("%s(%q)", ready, op[1]), op[2]))
		return "", expect(holds, op[2], err)
	case "get":
		if op[1] != "url" {
			return c.value(fmt.Sprintf("%s(%q).innerText", ready, op[2]))
		}
	}
	return c.do(op)
}

// pressChecked presses an element and returns the content that the element has afterwards.
func (c *chromium) pressChecked(selector string) (string, error) {
	at, err := c.value(fmt.Sprintf("JSON.stringify(%s(%q, 'click', 1), ['x', 'y'])", ready, selector))
	if err != nil {
		return "", err
	}
	if _, err := c.mouse(at); err != nil {
		return "", err
	}
	return c.told()
}

// writeChecked focuses an element, prepares it with a script, sends input that causes the given
// number of events, and returns the content that the element has afterwards.
func (c *chromium) writeChecked(selector, prepare string, inputs int, send func()) (string, error) {
	if _, err := c.value(fmt.Sprintf("(({e}) => { e.focus(); %s })(%s(%q, 'input', %d))", prepare, ready, selector, inputs)); err != nil {
		return "", err
	}
	send()
	return c.told()
}

// told requests the final content of the element. It sends the request together with the input; the
// replies to the input are read and ignored later.
func (c *chromium) told() (string, error) { return c.value("told") }

func expect(holds, want string, err error) error {
	if err == nil && holds != want {
		err = fmt.Errorf("the field has the value %q, expected %q", holds, want)
	}
	return err
}
