package webhook_test

import (
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bodymotion/motion/httpapi/webhook"
)

// TestVerify uses the example of the Standard Webhooks libraries.
func TestVerify(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
		body := []byte(`{"test": 2432232314}`)
		good := map[string]string{
			"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
			"webhook-signature": "v1a,xxx v1,AAAA v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		}
		verify := func(secret string, body []byte, change ...string) error {
			h := http.Header{}
			for k, v := range good {
				h.Set(k, v)
			}
			for i := 0; i+1 < len(change); i += 2 {
				h.Set(change[i], change[i+1])
			}
			return webhook.Verify(secret, h, body)
		}
		time.Sleep(time.Until(time.Unix(1614265330, 0)))
		if err := verify(secret, body); err != nil {
			t.Error(err)
		}
		for name, err := range map[string]error{
			"body":      verify(secret, []byte(`{}`)),
			"id":        verify(secret, body, "webhook-id", "msg_x"),
			"time":      verify(secret, body, "webhook-timestamp", "1614265331"),
			"no time":   verify(secret, body, "webhook-timestamp", "x"),
			"signature": verify(secret, body, "webhook-signature", "v1,AAAA"),
			"none":      verify(secret, body, "webhook-signature", ""),
			"secret":    verify(webhook.NewSecret(), body),
		} {
			if !errors.Is(err, webhook.ErrSignature) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, secret := range []string{"", "whsec_", "whsec_AAAA", "whsec_!"} {
			if err := verify(secret, body); err == nil {
				t.Errorf("secret %q: no error", secret)
			}
		}
		time.Sleep(6 * time.Minute)
		if err := verify(secret, body); !errors.Is(err, webhook.ErrSignature) {
			t.Errorf("an old request: %v", err)
		}
	})
}
