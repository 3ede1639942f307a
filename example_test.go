package action_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"testing/fstest"

	"github.com/actionregistry/action"
	"github.com/actionregistry/action/loader"
	"github.com/actionregistry/action/spec"
)

// A program brings definitions of its own and runs them beside the builtin ones.
func Example() {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `<title>Prices</title><h1>Prices</h1><p>Gold <b>4</b></p>`)
	}))
	defer page.Close()
	definitions := fstest.MapFS{"prices.yaml": {Data: []byte(`namespace: prices
version: 1.0.0
actions:
  gold:read:
    description: The price of gold.
    params: {url: {type: string, required: true}}
    steps:
      - {action: open, args: {url: "${params.url}"}}
      - {action: get, output: gold, args: {what: text, selector: "css:b"}}
    returns: {price: "${steps.gold.text}"}
`)}} // in a program: an embed.FS

	home, err := os.MkdirTemp("", "home") // nobody's settings count in this example
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(home)
	ctx := context.Background()
	r, err := action.New(action.Options{
		Dir: home, Environ: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")},
		Sources: []loader.Source{action.FS("prices", spec.Project, definitions)},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer r.Close(ctx)

	if problems, err := r.Problems(ctx); err != nil || len(problems) > 0 {
		log.Print("definitions: ", problems, err)
		return
	}
	result := r.Run(ctx, "prices:gold:read", map[string]any{"url": page.URL}, action.RunOptions{})
	if !result.Success {
		log.Print(result.Error)
		return
	}
	fmt.Println(result.Data)
	// Output: map[price:4]
}
