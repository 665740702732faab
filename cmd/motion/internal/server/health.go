package server

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
)

// health serves the liveness and readiness checks and the metrics.
type health struct {
	draining atomic.Bool
	ready    func(context.Context) error // whether the storage answers
	registry *prometheus.Registry
	jobs     *prometheus.CounterVec
	requests *prometheus.HistogramVec
}

func newHealth() *health {
	h := &health{
		registry: prometheus.NewRegistry(),
		jobs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "motion_jobs_finished_total", Help: "Records that this process has finished with SUCCESS or FAILURE.",
		}, []string{"kind", "status"}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "motion_http_request_duration_seconds", Help: "Duration of the API's requests.",
			Buckets: []float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"method", "route", "status"}),
	}
	h.registry.MustRegister(h.jobs, h.requests, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return h
}

// finished counts a job; it is motion.Config.Finished.
func (h *health) finished(f motion.Finished) {
	h.jobs.WithLabelValues(string(f.Record.Kind), string(f.Status)).Inc()
}

// served counts a request; it is httpapi.Options.Metrics.
func (h *health) served(_ context.Context, r httpapi.RequestStats) {
	h.requests.WithLabelValues(r.Method, r.Route, strconv.Itoa(r.Status)).Observe(r.Duration.Seconds())
}

// mount adds the checks: /healthz answers 200 while the process lives, /readyz until it drains and while the storage answers.
func (h *health) mount(mux *http.ServeMux) {
	answer := func(w http.ResponseWriter, status int, text string) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(status)
		io.WriteString(w, text+"\n")
	}
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if h.draining.Load() {
			answer(w, http.StatusServiceUnavailable, "draining")
		} else if err := h.ready(r.Context()); err != nil {
			answer(w, http.StatusServiceUnavailable, err.Error())
		} else {
			answer(w, http.StatusOK, "ready")
		}
	})
}

// handler serves the checks and the metrics, which are not public.
func (h *health) handler() http.Handler {
	mux := http.NewServeMux()
	h.mount(mux)
	mux.Handle("GET /metrics", promhttp.HandlerFor(h.registry, promhttp.HandlerOpts{}))
	return mux
}
