// Package inferencetest tests implementations of the interfaces in package inference, and
// has fakes of them for tests of programs that use them.
//
// A driver's own test is one call:
//
//	func TestEstimator(t *testing.T) {
//		inferencetest.TestEstimator(t, newEstimator(t), inferencetest.Pictures{Person: photo})
//	}
//
// The fakes Estimator and Decoder need no network, program or file. Picture draws people
// whom Estimator finds, and Movie makes a movie that Decoder reads:
//
//	at := image.Rect(20, 10, 40, 70)
//	movie := inferencetest.Movie(25, inferencetest.Picture(image.Pt(100, 80), at))
//	seq, _, err := motion.Extractor{
//		Estimator: inferencetest.Estimator{}, Decoder: inferencetest.Decoder{},
//	}.Read(ctx, bytes.NewReader(movie))
//	// seq.Frames[0] is inferencetest.Body(at)
package inferencetest
