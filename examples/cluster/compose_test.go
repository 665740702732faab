package cluster_test

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// blocks splits compose.yaml into its services and x-server, by name.
func blocks(t *testing.T) map[string]string {
	t.Helper()
	b, err := os.ReadFile("compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?s)\nx-server:(.*)\nservices:\n(.*)\nvolumes:\n`).FindStringSubmatch(string(b))
	if m == nil {
		t.Fatal("compose.yaml has not x-server, services and volumes")
	}
	found := map[string]string{"x-server": m[1]}
	head := regexp.MustCompile(`(?m)^  ([a-z0-9]+):\n`)
	heads := head.FindAllStringSubmatchIndex(m[2], -1)
	for i, at := range heads {
		end := len(m[2])
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		found[m[2][at[2]:at[3]]] = m[2][at[1]:end]
	}
	if len(found) != 7 {
		t.Fatalf("the services are %q", found)
	}
	for _, name := range []string{"serve", "work"} {
		if !strings.Contains(found[name], "<<: *server") {
			t.Errorf("%s has not what both roles share", name)
		}
		found[name] = found["x-server"] + found[name]
	}
	return found
}

// number returns the number that a pattern matches.
func number(t *testing.T, text, pattern string) int {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(text)
	if m == nil {
		t.Fatalf("no %q in %s", pattern, text)
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestCompose checks lessons from running compose.yaml.
func TestCompose(t *testing.T) {
	service := blocks(t)
	for name, text := range service {
		restarts := strings.Contains(text, "restart: unless-stopped")
		if want := name != "bucket"; restarts != want {
			t.Errorf("%s comes back by itself: %v, want %v", name, restarts, want)
		}
	}
	for _, name := range []string{"serve", "work"} {
		grace := time.Duration(number(t, service[name], `-grace=(\d+)s`)) * time.Second
		if kill := time.Duration(number(t, service[name], `stop_grace_period: (\d+)s`)) * time.Second; kill <= grace {
			t.Errorf("%s is killed after %v, its grace time is %v", name, kill, grace)
		}
	}
	// On its socket, the official image answers before it accepts other connections.
	if !regexp.MustCompile(`test: \[CMD, pg_isready, -h, 127\.0\.0\.1,`).MatchString(service["postgres"]) {
		t.Error("the check of PostgreSQL is not by TCP")
	}
	// Besides its pool, each process has two connections for its queue.
	each := func(name string) int { return number(t, service[name], `pool_max_conns=(\d+)`) + 2 }
	most := number(t, service["postgres"], `max_connections=(\d+)`)
	if need := 5*each("serve") + 40*each("work"); need > most {
		t.Errorf("5 that serve and 40 that work need %d connections, PostgreSQL has %d", need, most)
	}
	// The example secrets are public.
	if !strings.Contains(service["proxy"], `"${MOTION_LISTEN:-127.0.0.1}:8080:80"`) {
		t.Error("a trial is open to the network")
	}
}

// TestProxyTemplate checks that the nginx image replaces only the name servers in nginx.conf.
func TestProxyTemplate(t *testing.T) {
	text := blocks(t)["proxy"]
	filter := regexp.MustCompile(`NGINX_ENVSUBST_FILTER: (\S+)`).FindStringSubmatch(text)
	if filter == nil {
		t.Fatal("any variable may be replaced")
	}
	only := regexp.MustCompile(filter[1])
	for _, want := range []string{
		"NGINX_ENTRYPOINT_LOCAL_RESOLVERS: 1", "NGINX_ENVSUBST_OUTPUT_DIR: /etc/nginx\n",
		`"./nginx.conf:/etc/nginx/templates/nginx.conf.template:ro"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the proxy has not %q", want)
		}
	}
	conf, err := os.ReadFile("nginx.conf")
	if err != nil {
		t.Fatal(err)
	}
	replaced := 0
	for _, m := range regexp.MustCompile(`\$\{?(\w+)\}?`).FindAllStringSubmatch(string(conf), -1) {
		switch {
		case m[0] == "${NGINX_LOCAL_RESOLVERS}" && only.MatchString(m[1]):
			replaced++
		case only.MatchString(m[1]) || strings.HasPrefix(m[0], "${"):
			t.Errorf("nginx.conf has %s, which nobody sets", m[0])
		}
	}
	if replaced != 1 {
		t.Errorf("the name servers stand in nginx.conf %d times", replaced)
	}
}
