package startup

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/actionregistry/action/internal/egress"
)

// offFeatures are features that we disable. They delay or hide what a run waits for, or use the
// network by themselves.
var offFeatures = []string{
	"AcceptCHFrame", "AutofillServerCommunication", "AvoidUnnecessaryBeforeUnloadCheckSync",
	"BackForwardCache", "CertificateTransparencyComponentUpdater", "DeferRendererTasksAfterInput",
	"DestroyProfileOnBrowserClose", "DialMediaRouteProvider", "GlobalMediaControls", "HttpsUpgrades", "InterestFeedContentSuggestions",
	"MediaRouter", "OptimizationHints", "PaintHolding", "RenderDocument", "ThirdPartyStoragePartitioning",
	"Translate",
}

// requestFeatures are features that we disable because a rule for hosts cannot intercept their
// requests.
var requestFeatures = []string{
	"BackgroundFetch", "DeviceBoundSessions", "FedCm", "NetworkErrorLogging", "Prerender2", "Prerender2FallbackPrefetchSpecRules",
	"Reporting", "WebPayments",
}

// noPrefetch prevents prefetches by speculation rules in a headless shell. In the full browser,
// [process.PredictNothing] prevents them.
const noPrefetch = "PrefetchSchedulerTesting:kPrefetchSchedulerTestingActiveSetSizeLimitForBase/0/kPrefetchSchedulerTestingActiveSetSizeLimitForBurst/0"

// toolFeature gives pages document.modelContext (WebMCP), which is experimental.
const toolFeature = "WebMCPTesting"

var fixedFlags = []string{
	"--remote-debugging-pipe",
	"--allow-pre-commit-input", // otherwise input before the first frame is lost; a headless shell accepts it by default
	"--no-startup-window",
	"--no-first-run",
	"--no-default-browser-check",
	"--no-service-autorun",
	"--disable-background-networking",
	"--disable-background-timer-throttling",
	"--disable-backgrounding-occluded-windows",
	"--disable-breakpad",
	"--disable-client-side-phishing-detection",
	"--disable-component-extensions-with-background-pages",
	"--disable-component-update",
	"--disable-default-apps",
	"--disable-dev-shm-usage", // containers provide 64 MB, on which renderers crash
	"--disable-ipc-flooding-protection",
	"--disable-popup-blocking",
	"--disable-prompt-on-repost",
	"--disable-renderer-backgrounding",
	"--disable-search-engine-choice-screen",
	"--disable-sync",
	"--enable-blink-features=ComputedAccessibilityInfo",
	"--force-color-profile=srgb",
	"--metrics-recording-only",
	"--mute-audio",
	"--password-store=basic",
	"--use-mock-keychain",
}

// flags returns the command line of a browser with the given profile folder. If guard is not nil,
// the browser uses that proxy.
func (o *Options) flags(executable, profile string, guard *egress.Proxy) []string {
	args := append([]string(nil), fixedFlags...)
	features, own := o.features()
	args = append(args, features...)
	args = append(args, "--user-data-dir="+profile)
	if !o.Headed {
		args = append(args, "--hide-scrollbars", "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4")
		if !strings.Contains(filepath.Base(executable), "headless") { // a headless shell has no other mode
			args = append(args, "--headless")
		}
	}
	if !o.Sandboxed() {
		args = append(args, "--no-sandbox")
	}
	if v := o.EffectiveViewport(); v != (Viewport{}) {
		args = append(args, fmt.Sprintf("--window-size=%d,%d", v.Width, v.Height))
	}
	if o.UserAgent != "" {
		args = append(args, "--user-agent="+o.UserAgent)
	}
	if o.Locale != "" {
		args = append(args, "--lang="+o.Locale, "--accept-lang="+o.Locale)
	}
	if guard == nil && o.Proxy != "" {
		address, _ := splitProxy(o.Proxy)
		args = append(args, "--proxy-server="+address, "--proxy-bypass-list=<-loopback>")
	}
	if o.IgnoreHTTPSErrors {
		args = append(args, "--ignore-certificate-errors")
	}
	args = append(args, own...)
	if guard != nil { // last, so that no other flag overrides them
		args = append(args, guardFlags(guard)...)
	}
	return args
}

// features returns the flags that enable and disable features, and the Args that are other flags.
// The browser uses only the last of two flags with the same name, so features merges our flags with
// those in Args. It does not disable a feature that Args enable.
func (o *Options) features() (flags, others []string) {
	const on, off = "--enable-features=", "--disable-features="
	ours := slices.Concat(offFeatures, requestFeatures)
	theirs := make(map[string][]string)
	for _, arg := range o.Args {
		flag, list, _ := strings.Cut(arg, "=")
		if flag += "="; flag != on && flag != off {
			others = append(others, arg)
			continue
		}
		theirs[flag] = append(theirs[flag], strings.Split(list, ",")...)
	}
	ours = slices.DeleteFunc(ours, func(name string) bool {
		return slices.ContainsFunc(theirs[on], func(feature string) bool {
			feature, _, _ = strings.Cut(feature, ":") // without its params
			feature, _, _ = strings.Cut(feature, "<") // without its trial
			return feature == name
		})
	})
	enabled := []string{noPrefetch}
	if o.PageTools {
		enabled = append(enabled, toolFeature)
	}
	return []string{
		off + strings.Join(append(ours, theirs[off]...), ","),
		on + strings.Join(append(enabled, theirs[on]...), ","),
	}, others
}
