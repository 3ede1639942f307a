package main

import (
	"strings"
	"testing"
	"time"
)

const said = `{"Action":"start","Package":"p"}
{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:3: -short leaves out 3 of 4 rows\n"}
{"Action":"pass","Package":"p","Test":"TestA","Elapsed":0.5}
{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:9: got 1, want 2\n"}
{"Action":"fail","Package":"p","Test":"TestB","Elapsed":2}
{"Action":"output","Package":"p","Test":"TestC","Output":"    c_test.go:1: no display\n"}
{"Action":"skip","Package":"p","Test":"TestC","Elapsed":0}
{"Action":"output","Package":"p","Output":"FAIL\n"}
{"Action":"fail","Package":"p","Elapsed":2.6}
no JSON
{"Action":"output","Package":"q","Output":"ok  \tq\t(cached)\n"}
{"Action":"pass","Package":"q","Elapsed":0}
`

const want = `    b_test.go:9: got 1, want 2
FAIL
FAIL p 2.6s
no JSON
ok   q 0.0s (cached)
skipped: p TestC
    c_test.go:1: no display
left to make test-all: 3 rows
  TestA: 3 of 4 rows
    2.0s p TestB
failed: p TestB
1 passed, 1 failed, 1 skipped, 3 rows left out; 1m10s, by packages 3s
`

func TestReport(t *testing.T) {
	var out strings.Builder
	r := &report{out: &out, output: make(map[string]*strings.Builder)}
	if err := r.read(strings.NewReader(said)); err != nil {
		t.Fatal(err)
	}
	r.close(2, 70*time.Second)
	if got := out.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestEndOfAProcess checks that the output of a package is printed if its process ends during a
// test.
func TestEndOfAProcess(t *testing.T) {
	var out strings.Builder
	r := &report{out: &out, output: make(map[string]*strings.Builder)}
	in := `{"Action":"output","Package":"p","Test":"TestA","Output":"panic: x\n"}
{"Action":"fail","Package":"p","Test":"TestA","Elapsed":1}
{"Action":"output","Package":"p","Output":"FAIL\tp\t1s\n"}
{"Action":"fail","Package":"p","Elapsed":1}`
	if err := r.read(strings.NewReader(in)); err != nil {
		t.Fatal(err)
	}
	r.close(0, 0)
	for _, part := range []string{"panic: x", "FAIL\tp", "failed: p TestA"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("%q is not in\n%s", part, out.String())
		}
	}
}
