package browser

// The cost of our proxy: the same work in a browser with it and in one without, by turns, so that
// both see the same load of the machine.

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/actionregistry/action/internal/browser/startup"
	"github.com/actionregistry/action/internal/driver"
)

// slowSite serves pages whose resources each take 20 ms: "/" from this host only, "/hosts" with six
// resources of each of 30 hosts, and "/p/N" with links to the next page.
func slowSite(b *testing.B) string {
	srv := httptest.NewServer(nil)
	_, port, _ := net.SplitHostPort(srv.Listener.Addr().String())
	page := func(w http.ResponseWriter, hosts, each int, rest string) {
		var s strings.Builder
		for i := range hosts {
			for j := range each {
				fmt.Fprintf(&s, "<script async src=\"http://h%d.localhost:%s/r%d.js\"></script>", i+1, port, j)
			}
		}
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cache-Control", "no-store")
		fmt.Fprint(w, "<!doctype html><title>t</title>", rest, s.String())
	}
	srv.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasSuffix(r.URL.Path, ".js"):
			time.Sleep(20 * time.Millisecond)
			w.Header().Set("Content-Type", "text/javascript")
			w.Header().Set("Cache-Control", "no-store")
			fmt.Fprint(w, "1")
		case r.URL.Path == "/hosts":
			page(w, 30, 6, "")
		default:
			page(w, 1, 6, "<button>Save</button>")
		}
	})
	b.Cleanup(func() { srv.CloseClientConnections(); srv.Close() })
	return "http://h1.localhost:" + port
}

// BenchmarkProxy reports the median times with our proxy and without it, and their ratio.
func BenchmarkProxy(b *testing.B) {
	site := slowSite(b)
	for _, build := range []struct{ name, path string }{{"shell", ""}, {"full", "chromium"}} {
		var pages []*Page
		for _, guard := range []bool{false, true} {
			x, err := Launch(testContext(b), startup.Options{Path: build.path, Guard: guard, TempDir: b.TempDir()})
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { x.Close(testContext(b)) })
			if guard {
				if err := x.Restrict(testContext(b), nil); err != nil {
					b.Fatal(err)
				}
			}
			p, err := openPage(testContext(b), x)
			if err != nil {
				b.Fatal(err)
			}
			pages = append(pages, p)
		}
		open := func(path string) func(p *Page) error {
			return func(p *Page) error {
				_, err := p.Open(testContext(b), site+path, driver.Load)
				return err
			}
		}
		for _, work := range []struct {
			name string
			do   func(p *Page) error
		}{
			{"open", open("/")},
			{"open 30 hosts", open("/hosts")},
			{"click", func(p *Page) error {
				_, err := p.Press(testContext(b), css("button"), driver.PressOptions{})
				return err
			}},
			{"crawl", func(p *Page) error {
				for i := range 5 {
					if err := open(fmt.Sprint("/p/", i))(p); err != nil {
						return err
					}
				}
				return nil
			}},
		} {
			b.Run(build.name+" "+work.name, func(b *testing.B) {
				if work.name == "click" {
					for _, p := range pages {
						if err := open("/")(p); err != nil {
							b.Fatal(err)
						}
					}
				}
				times := make([][]time.Duration, len(pages))
				for n := 0; b.Loop(); n++ {
					for i := range pages {
						i = (i + n) % len(pages)
						began := time.Now()
						if err := work.do(pages[i]); err != nil {
							b.Fatal(err)
						}
						times[i] = append(times[i], time.Since(began))
					}
				}
				ms := make([]float64, len(times))
				for i, list := range times {
					slices.Sort(list)
					ms[i] = float64(list[len(list)/2].Microseconds()) / 1000
				}
				b.ReportMetric(ms[0], "ms-direct")
				b.ReportMetric(ms[1], "ms-proxy")
				b.ReportMetric(ms[1]/ms[0], "ratio")
			})
		}
	}
}
