package browser

import (
	"fmt"
	"testing"

	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
)

func BenchmarkOpen(b *testing.B) {
	ctx, p := newPage(b)
	url := site(b, map[string]string{"/": "<!doctype html><title>t</title><input><button>Save</button>"})
	for b.Loop() {
		if _, err := p.Open(ctx, url, driver.Load); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClick(b *testing.B) {
	ctx, p := show(b, "<button id=b>Save</button>")
	for b.Loop() {
		if _, err := p.Press(ctx, css("#b"), driver.PressOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFill(b *testing.B) {
	ctx, p := show(b, "<input id=f>")
	n := 0
	for b.Loop() {
		n++
		if _, err := p.Fill(ctx, css("#f"), fmt.Sprint("value ", n)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkType(b *testing.B) {
	ctx, p := show(b, "<input id=f>")
	f := css("#f")
	for b.Loop() {
		if _, err := p.Type(ctx, &f, "seven k", 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSelect(b *testing.B) {
	ctx, p := show(b, "<select id=s><option>a<option>b</select>")
	options := [][]string{{"a"}, {"b"}}
	n := 0
	for b.Loop() {
		n++
		if _, err := p.Select(ctx, css("#s"), options[n%2], ""); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCheck(b *testing.B) {
	ctx, p := show(b, "<input id=c type=checkbox>")
	n := 0
	for b.Loop() {
		n++
		if _, err := p.Check(ctx, css("#c"), n%2 == 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkReadText(b *testing.B) {
	ctx, p := show(b, "<p id=p>text</p>")
	for b.Loop() {
		if _, err := p.Read(ctx, css("#p"), driver.ReadOptions{What: "text"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNewPage(b *testing.B) {
	ctx := testContext(b)
	for b.Loop() {
		p, err := openPage(ctx, shared)
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Close(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLaunch(b *testing.B) {
	ctx := testContext(b)
	for b.Loop() {
		x, err := Launch(ctx, startup.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := openPage(ctx, x); err != nil {
			b.Fatal(err)
		}
		if err := x.Close(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
