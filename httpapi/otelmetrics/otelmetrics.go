// Package otelmetrics records metrics of API requests with OpenTelemetry:
//
//	metrics, err := otelmetrics.New(otel.GetMeterProvider())
//	if err != nil {
//		log.Fatal(err)
//	}
//	api, err := httpapi.New(service, httpapi.Options{Authenticator: auth, Metrics: metrics})
//
// The instruments follow OpenTelemetry's semantic conventions for HTTP servers: http.server.request.duration in
// seconds and http.server.response.body.size in bytes, with method, route and status as attributes.
package otelmetrics

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/bodymotion/motion/httpapi"
)

// New creates the instruments with a provider. The function that it returns records a request: it is httpapi.Options.Metrics.
func New(provider metric.MeterProvider) (func(context.Context, httpapi.RequestStats), error) {
	if provider == nil {
		return nil, errors.New("otelmetrics: provider is nil")
	}
	meter := provider.Meter("github.com/bodymotion/motion/httpapi")
	duration, err1 := meter.Float64Histogram("http.server.request.duration", metric.WithUnit("s"),
		metric.WithDescription("Duration of API requests."),
		metric.WithExplicitBucketBoundaries(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30, 60))
	size, err2 := meter.Int64Histogram("http.server.response.body.size", metric.WithUnit("By"),
		metric.WithDescription("Size of API response bodies."))
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return func(ctx context.Context, r httpapi.RequestStats) {
		set := metric.WithAttributeSet(attributesOf(r))
		duration.Record(ctx, r.Duration.Seconds(), set)
		size.Record(ctx, r.Sent, set)
	}, nil
}

func attributesOf(r httpapi.RequestStats) attribute.Set {
	attrs := []attribute.KeyValue{attribute.String("http.request.method", r.Method)}
	if r.Method == "other" {
		attrs[0] = attribute.String("http.request.method", "_OTHER")
	}
	if r.Route != "" {
		attrs = append(attrs, attribute.String("http.route", r.Route))
	}
	if r.Status != 0 {
		attrs = append(attrs, attribute.Int("http.response.status_code", r.Status))
	}
	return attribute.NewSet(attrs...)
}
