package serve

import (
	"bytes"
	"fmt"
	"net/http"
	"time"

	"github.com/VictoriaMetrics/metrics"
)

// counters are the metrics that /metrics shows. Their labels contain the pattern of a path, not the
// path of a request, which may contain secrets.
type counters struct{ set *metrics.Set }

// newCounters returns new counters. The function "runs" returns the number of unfinished runs, the
// number of all kept runs, and the size of all kept runs in bytes.
func newCounters(runs func() (busy, kept, bytes int)) counters {
	c := counters{metrics.NewSet()}
	c.set.NewGauge(`action_http_runs{state="running"}`, func() float64 { busy, _, _ := runs(); return float64(busy) })
	c.set.NewGauge(`action_http_runs{state="kept"}`, func() float64 { _, kept, _ := runs(); return float64(kept) })
	c.set.NewGauge("action_http_kept_bytes", func() float64 { _, _, bytes := runs(); return float64(bytes) })
	return c
}

// count counts a request. path is the pattern of the request's path, or "" if no route matches.
func (c *counters) count(method, path string, status int, took time.Duration) {
	c.set.GetOrCreateCounter(fmt.Sprintf(`action_http_requests_total{method=%q,path=%q,status="%d"}`, method, path, status)).Inc()
	c.set.GetOrCreatePrometheusHistogram(fmt.Sprintf(`action_http_request_duration_seconds{path=%q}`, path)).Update(took.Seconds())
}

// ended counts a run that has ended. code is the code of the run's error, or "" for a success.
func (c *counters) ended(code string) {
	c.set.GetOrCreateCounter(fmt.Sprintf(`action_runs_total{code=%q}`, code)).Inc()
}

// showMetrics answers in the text format of Prometheus.
func showMetrics(s *Server, w http.ResponseWriter, r *http.Request) error {
	if _, err := query(r); err != nil {
		return err
	}
	var b bytes.Buffer
	s.seen.set.WritePrometheus(&b)
	metrics.WriteProcessMetrics(&b)
	s.writeText(w, http.StatusOK, "text/plain; version=0.0.4; charset=utf-8", b.Bytes())
	return nil
}
