package webhook_test

import lab "github.com/bodymotion/motion/internal/lab/contract"

func init() { checkSchema = lab.Load("../openapi.json", nil).Schema }
