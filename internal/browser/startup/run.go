package startup

import (
	"errors"
	"os/exec"

	"github.com/actionregistry/action/diag"
	"github.com/actionregistry/action/internal/browser/cdp"
	"github.com/actionregistry/action/internal/browser/process"
	"github.com/actionregistry/action/internal/egress"
)

// Run starts a browser in its profile folder. It also starts our proxy if [Options.Guard] is set.
// Otherwise the proxy is nil. If Run fails, nothing is left running. The error is
// BROWSER_UNAVAILABLE, or is about the limit of open files.
func (o *Options) Run() (*process.Process, *egress.Proxy, error) {
	path, err := o.executable()
	if err != nil {
		return nil, nil, err
	}
	if err := process.CheckFileLimit(); err != nil {
		return nil, nil, err
	}
	process.Sweep(o.TempDir)
	prof, err := process.NewProfile(o.TempDir)
	if limit := diag.FileLimit(err); limit != nil {
		return nil, nil, limit
	}
	if err != nil {
		return nil, nil, cdp.Unavailable("cannot make the browser's profile folder: %v", err).
			WithHint("check that the temporary folder (TMPDIR) is writable and has free space").Because(err)
	}
	data := prof.Data()
	if o.Profile != "" {
		data = o.Profile
		if err := prof.Keep(data); err != nil {
			return nil, nil, errors.Join(err, prof.Remove())
		}
	}
	if err := process.PredictNothing(data); err != nil {
		return nil, nil, errors.Join(process.Unusable(data, err), prof.Remove())
	}
	guard, err := o.startGuard()
	if err != nil {
		return nil, nil, errors.Join(err, prof.Remove())
	}
	proc, err := process.Start(path, o.flags(path, data, guard), prof)
	if err == nil {
		return proc, guard, nil
	}
	if guard != nil {
		_ = guard.Close() // the first error is the one to report
	}
	if limit := diag.FileLimit(err); limit != nil {
		_ = prof.Remove() // the first error is the one to report
		return nil, nil, limit
	}
	return nil, nil, cdp.Unavailable("cannot start %s: %v", path, errors.Join(err, prof.Remove())).
		WithHint("check browser.path")
}

func (o *Options) executable() (string, error) {
	if o.Path == "" {
		return Find(o.Headed)
	}
	path, err := exec.LookPath(o.Path)
	if err != nil {
		return "", cdp.Unavailable("the browser cannot be started: %v", err).
			WithHint("set browser.path to a Chromium executable")
	}
	return path, nil
}
