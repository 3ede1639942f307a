package session_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/executor"
	"github.com/actionregistry/action/internal/session"
	"github.com/actionregistry/action/internal/testkit"
)

// display starts an X server without a screen, which ends with the test, and returns its name.
func display(t *testing.T) string {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{write}
	err = cmd.Start()
	write.Close()
	if err != nil {
		t.Fatal("a window needs a display: install xvfb: ", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal("Xvfb reported no display: ", err)
	}
	return ":" + strings.TrimSpace(number)
}

// TestHandoffHeaded lets a person use the window of a browser to log in. The person is xdotool, which
// moves the mouse and types by events of the X server, without a connection to the browser.
func TestHandoffHeaded(t *testing.T) {
	testkit.Long(t)
	if _, err := exec.LookPath("xdotool"); err != nil {
		t.Fatal("this test moves the mouse with xdotool: install xdotool")
	}
	t.Setenv("DISPLAY", display(t))
	m := &spied{managed: newManager(t, session.ManagerOptions{}, "DISPLAY="+os.Getenv("DISPLAY"))}
	base, headed := newLogin(t), true
	if _, err := m.Open(t.Context(), in("a"), session.SessionOptions{Headed: &headed}); err != nil {
		t.Fatal(err)
	}
	m.open(t, "a", base)
	at := m.eval(t, "a", `const r = document.querySelector("#pw").getBoundingClientRect();
return [screenX + r.x + r.width / 2, screenY + outerHeight - innerHeight + r.y + r.height / 2].map(Math.round)`).([]any)
	done := begin(func() *executor.Result {
		return m.Step(t.Context(), session.Call{Session: "a", FromText: true}, "handoff", map[string]any{"until": "${page.url} contains '/home'"})
	})
	m.held(t, "a")
	hand := func(args ...string) {
		t.Helper()
		if out, err := exec.Command("xdotool", args...).CombinedOutput(); err != nil {
			t.Fatalf("xdotool %s: %v: %s", args, err, out)
		}
	}
	hand("mousemove", fmt.Sprint(at[0]), fmt.Sprint(at[1]), "click", "1")
	time.Sleep(300 * time.Millisecond) // for the window to get the focus
	hand("type", "--delay", "20", typed)
	hand("key", "Return")
	for range 50 { // the dialog is a window of the browser
		select {
		case r := <-done:
			if got := data(t, r)["ended"]; got != executor.ConditionHolds {
				t.Errorf("ended: %v", got)
			}
			m.note(r)
			m.reads(t)
			m.silent(t)
			return
		case <-time.After(200 * time.Millisecond):
			hand("key", "Return")
		}
	}
	t.Errorf("the person did not reach the end: %+v", m.info("a"))
}
