package otelmetrics_test

import (
	"context"
	"fmt"
	"image"
	"net/http/httptest"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/bodymotion/motion"
	"github.com/bodymotion/motion/httpapi"
	"github.com/bodymotion/motion/httpapi/otelmetrics"
	"github.com/bodymotion/motion/inference"
	"github.com/bodymotion/motion/keypoint"
	"github.com/bodymotion/motion/storage/memory"
)

type estimator struct{}

func (estimator) Estimate(context.Context, image.Image, inference.Hint) (keypoint.Frame, error) {
	return keypoint.Frame{}, nil
}

// A host whose own reader, or exporter, collects what the API counts.
func Example() {
	reader := metric.NewManualReader()
	metrics, err := otelmetrics.New(metric.NewMeterProvider(metric.WithReader(reader)))
	if err != nil {
		fmt.Println(err)
		return
	}
	service, err := motion.New(motion.Config{
		Store: memory.NewStore(memory.StoreOptions{}), Blobs: memory.NewBlobs(memory.BlobsOptions{}),
		Queue: memory.NewQueue(memory.QueueOptions{}), Estimator: estimator{},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	tokens, err := httpapi.NewCredentials(map[string]string{"an app": "a long random secret"}, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	api, err := httpapi.New(service, httpapi.Options{Authenticator: tokens.Authenticate, Metrics: metrics})
	if err != nil {
		fmt.Println(err)
		return
	}
	api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/movies/", nil))

	var got metricdata.ResourceMetrics
	if err := reader.Collect(context.Background(), &got); err != nil {
		fmt.Println(err)
		return
	}
	for _, m := range got.ScopeMetrics[0].Metrics {
		fmt.Println(m.Name, m.Unit)
	}
	// Output:
	// http.server.request.duration s
	// http.server.response.body.size By
}
