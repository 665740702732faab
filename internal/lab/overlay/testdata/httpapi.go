package httpapi_test

import lab "github.com/bodymotion/motion/internal/lab/contract"

func init() { contract = lab.Load("openapi.json", beyondSchemas) }
