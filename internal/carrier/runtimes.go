package carrier

const sherpa, yalue = "github.com/k2-fsa/sherpa-onnx-go-linux@v1.12.40", "github.com/yalue/onnxruntime_go@v1.27.0"

// Runtimes are the Go modules that contain ONNX Runtime, by platform. NOTICE and SECURITY.md name them.
var Runtimes = map[string]File{
	"linux/amd64":   {Module: sherpa, Path: "lib/x86_64-unknown-linux-gnu/libonnxruntime.so", SHA256: "88468d42d3381c18a7bd3f99a01f07293ff8c9e38f71fd5bcc5fa08c101d31bf"},
	"linux/arm64":   {Module: sherpa, Path: "lib/aarch64-unknown-linux-gnu/libonnxruntime.so", SHA256: "7b31d696ba5020ae72c967e499e802af8123778f1540237bff155db15fe0d7d7"},
	"darwin/arm64":  {Module: yalue, Path: "test_data/onnxruntime_arm64.dylib", SHA256: "9626bbdd201fbed7e3addcbd9fc7e97ec4954c03afcf40a9883af50498bffb06"},
	"windows/amd64": {Module: yalue, Path: "test_data/onnxruntime.dll", SHA256: "8a1aad8d59d02a5337d4e3f5bbd1158c3f7bf84fe3b3f0052f957dd3e75a91cb"},
}
