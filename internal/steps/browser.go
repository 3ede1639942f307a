package steps

// A Browser is what a session has open: windows, each with cookies and storage of
// its own, and tabs in them, one of which is active. It is met by package
// browser. Its methods return a *diag.Error, as those of [Page] do, and are for
// one run at a time.
type Browser interface {
	Tabs
	Windows
	Dialogs
	CookieJar
	Storage
	Downloader
	Router
	// Active is the tab that steps act on. It is never nil; one that has been
	// closed or has crashed says so when it is used. It asks nobody.
	Active() Page
}
