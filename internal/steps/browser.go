package steps

// A Browser is what a session has open: windows, each with its own cookies and storage, and
// tabs in them, one of which is active. Package browser implements it. Like those of
// [Page], its methods return a *diag.Error, and only one run may use them at a time.
type Browser interface {
	Tabs
	Windows
	Dialogs
	CookieJar
	Storage
	Downloader
	Router
	// Active is the tab that steps act on. It is never nil; a closed or crashed tab reports
	// that when it is used. It does not query the browser.
	Active() Page
}
