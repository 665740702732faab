package otelmetrics_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/otelmetrics"
)

func TestMetrics(t *testing.T) {
	reader := metric.NewManualReader()
	record, err := otelmetrics.New(metric.NewMeterProvider(metric.WithReader(reader)))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []httpapi.RequestStats{
		{Method: "GET", Route: "/movies/{id}/", Status: 200, Duration: time.Second, Sent: 10},
		{Method: "GET", Route: "/movies/{id}/", Status: 200, Duration: 2 * time.Second, Sent: 20},
		{Method: "other", Duration: time.Second},
	} {
		record(t.Context(), r)
	}
	var got metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &got); err != nil {
		t.Fatal(err)
	}
	sums := map[string]float64{}
	for _, s := range got.ScopeMetrics {
		for _, x := range s.Metrics {
			switch data := x.Data.(type) {
			case metricdata.Histogram[float64]:
				for _, p := range data.DataPoints {
					sums[x.Name+" "+p.Attributes.Encoded(attribute.DefaultEncoder())] = p.Sum
				}
			case metricdata.Histogram[int64]:
				for _, p := range data.DataPoints {
					sums[x.Name+" "+p.Attributes.Encoded(attribute.DefaultEncoder())] = float64(p.Sum)
				}
			}
		}
	}
	want := map[string]float64{
		"http.server.request.duration http.request.method=GET,http.response.status_code=200,http.route=/movies/{id}/":   3,
		"http.server.response.body.size http.request.method=GET,http.response.status_code=200,http.route=/movies/{id}/": 30,
		"http.server.request.duration http.request.method=_OTHER":                                                       1,
		"http.server.response.body.size http.request.method=_OTHER":                                                     0,
	}
	if diff := cmp.Diff(want, sums); diff != "" {
		t.Error(diff)
	}
	if _, err := otelmetrics.New(nil); err == nil {
		t.Error("no error without a provider")
	}
}
