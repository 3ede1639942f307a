package browser

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
	"github.com/actionregistry/action/internal/testkit"
)

// display starts an X server without a screen, which ends with the test, and returns its name.
func display(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Fatal("a window needs a display: install xvfb")
	}
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	cmd := exec.Command(path, "-displayfd", "3", "-screen", "0", "1400x1000x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{write}
	err = cmd.Start()
	write.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it is no longer needed
		_ = cmd.Wait()         // the error "killed" is expected
	})
	number, err := bufio.NewReader(read).ReadString('\n')
	if err != nil {
		t.Fatal("Xvfb told no display: ", err)
	}
	return ":" + strings.TrimSpace(number)
}

// A browser with windows works like one without.
func TestHeaded(t *testing.T) {
	testkit.Long(t)
	t.Setenv("DISPLAY", display(t))
	ctx := testContext(t)
	b, err := Launch(ctx, startup.Options{Headed: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(testContext(t)); err != nil {
			t.Error(err)
		}
	})
	p, err := openPage(ctx, b)
	if err != nil {
		t.Fatal(err)
	}
	address := site(t, map[string]string{"/": `<!doctype html><title>Form</title><label>Name <input id=f></label>
		<button id=b onclick="out.textContent = f.value">Save</button><p id=out></p><a id=a href=/ target=_blank>Other</a>`})
	if _, err := p.Open(ctx, address+"/", driver.Load); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Fill(ctx, css("#f"), "Ada"); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
		t.Fatal(err)
	}
	if got, err := p.Read(ctx, css("#out"), driver.ReadOptions{What: "text"}); err != nil || got.Value != "Ada" {
		t.Errorf("the page shows %v, %v; want Ada", got.Value, err)
	}
	press, err := p.Press(ctx, css("#a"), driver.PressOptions{})
	if err != nil || press.Tab == "" {
		t.Fatalf("got %+v, %v; want a new tab", press, err)
	}
	// The tab in the background draws frames too, while another one is in front.
	if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
		t.Error("in the background: ", err)
	}
	if err := b.SwitchTab(ctx, press.Tab); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Active().Fill(ctx, css("#f"), "Eve"); err != nil {
		t.Error("in the new tab: ", err)
	}
	shot, err := b.Active().Screenshot(ctx, driver.ShotOptions{})
	if err != nil || shot.Width < 300 || shot.Height < 300 {
		t.Errorf("a picture of %d by %d, %v; want that of a window", shot.Width, shot.Height, err)
	}
}
