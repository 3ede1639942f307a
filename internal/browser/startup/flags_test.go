package startup

import (
	"slices"
	"strings"
	"testing"
)

// The browser uses only the last of two lists of features, so they are merged.
func TestFeaturesOfArgs(t *testing.T) {
	ours := strings.Join(slices.Concat(offFeatures, requestFeatures), ",")
	for _, tt := range []struct {
		args []string
		want []string // flags of features, then the rest of args
	}{
		{nil, []string{"--disable-features=" + ours, "--enable-features=" + noPrefetch}},
		{[]string{"--lang=de", "--disable-features=A,B"}, []string{"--disable-features=" + ours + ",A,B", "--enable-features=" + noPrefetch, "--lang=de"}},
		{[]string{"--disable-features=A", "--enable-features=C", "--enable-features=D:p/1", "--disable-features=B", "--x"},
			[]string{"--disable-features=" + ours + ",A,B", "--enable-features=" + noPrefetch + ",C,D:p/1", "--x"}},
		{[]string{"--enable-features=PaintHolding<Trial,Translate:a/b"},
			[]string{"--disable-features=" + strings.ReplaceAll(strings.ReplaceAll(ours, ",PaintHolding", ""), ",Translate", ""), "--enable-features=" + noPrefetch + ",PaintHolding<Trial,Translate:a/b"}},
		{[]string{"--disable-featuresX=A"}, []string{"--disable-features=" + ours, "--enable-features=" + noPrefetch, "--disable-featuresX=A"}},
	} {
		o := &Options{Args: tt.args}
		flags, others := o.features()
		if got := append(flags, others...); !slices.Equal(got, tt.want) {
			t.Errorf("%q:\ngot  %q\nwant %q", tt.args, got, tt.want)
		}
		if all := o.flags("chromium", "p", nil); !slices.Contains(all, flags[0]) || !slices.Equal(all[len(all)-len(others):], others) {
			t.Errorf("%q: the command line is %q", tt.args, all)
		}
	}
}

func TestPageToolsFlag(t *testing.T) {
	for _, tt := range []struct {
		o    Options
		want string
	}{
		{Options{}, "--enable-features=" + noPrefetch},
		{Options{PageTools: true}, "--enable-features=" + noPrefetch + ",WebMCPTesting"},
		{Options{PageTools: true, Args: []string{"--enable-features=A"}}, "--enable-features=" + noPrefetch + ",WebMCPTesting,A"},
	} {
		if all := tt.o.flags("chromium", "p", nil); !slices.Contains(all, tt.want) {
			t.Errorf("the command line is %q, want %s in it", all, tt.want)
		}
	}
}
