package cluster_test

import (
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	variable   = regexp.MustCompile(`(?m)^  ([A-Z_]+): `)
	dataFlag   = regexp.MustCompile(`- --data=(\S+)`)
	mountPath  = regexp.MustCompile(`mountPath: ([^\s}]+)`)
	runAsUser  = regexp.MustCompile(`runAsUser: (\d+)`)
	imageUser  = regexp.MustCompile(`(?m)^USER (\d+)$`)
	probePorts = regexp.MustCompile(`httpGet: {path: \S+, port: (\S+)}`)
	opsPort    = regexp.MustCompile(`{name: ops, containerPort: (\d+)}`)
	opsFlag    = regexp.MustCompile(`- --ops=:(\d+)`)
	addrFlag   = regexp.MustCompile(`- --addr=:(\d+)`)
	podLabels  = regexp.MustCompile(`(?m)^    metadata:\n      labels: ({.*})$`)
	selectors  = regexp.MustCompile(`(?m)(?:matchLabels|selector): ({.*})$`)
)

// restricted is what the Pod Security standard of that name requires, and a read-only root file
// system.
var restricted = []string{
	"runAsNonRoot: true", "seccompProfile: {type: RuntimeDefault}", "allowPrivilegeEscalation: false",
	"capabilities: {drop: [ALL]}", "readOnlyRootFilesystem: true", "automountServiceAccountToken: false",
}

// TestKubernetes checks that pods have minimal rights and write to a volume, that probes and selectors
// match, and that the server reads the variables of the Secret.
func TestKubernetes(t *testing.T) {
	read := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	text := read("kubernetes.yaml")
	user := imageUser.FindStringSubmatch(read("Dockerfile"))
	if user == nil {
		t.Fatal("the Dockerfile names no user by number, which runAsNonRoot needs")
	}
	one := func(doc string, e *regexp.Regexp) string {
		t.Helper()
		found := e.FindAllStringSubmatch(doc, -1)
		if len(found) != 1 {
			t.Fatalf("%d of %s in\n%s", len(found), e, doc)
		}
		return found[0][1]
	}
	var secret string
	labels := map[string]bool{}
	pods := 0
	for doc := range strings.SplitSeq(text, "\n---\n") {
		if strings.Contains(doc, "\nkind: Secret\n") {
			secret = doc
		}
		if !strings.Contains(doc, "\nkind: Deployment\n") {
			continue
		}
		pods++
		label := one(doc, podLabels)
		labels[label] = true
		for _, line := range restricted {
			if !strings.Contains(doc, " "+line+"\n") {
				t.Errorf("%s has no %q", label, line)
			}
		}
		if got := one(doc, runAsUser); got != user[1] {
			t.Errorf("%s: user %s, but the image has %s, and its files", label, got, user[1])
		}
		if data, mount := one(doc, dataFlag), one(doc, mountPath); path.Dir(data) != mount {
			t.Errorf("%s: --data=%s lies in no volume", label, data)
		}
		ops := addrFlag
		if strings.Contains(doc, "- --role=serve\n") {
			ops = opsFlag
		}
		if listens, port := one(doc, ops), one(doc, opsPort); listens != port {
			t.Errorf("%s: the server answers the probes at %s, not at %s", label, listens, port)
		}
		probes := probePorts.FindAllStringSubmatch(doc, -1)
		if len(probes) != 3 {
			t.Errorf("%s has %d probes", label, len(probes))
		}
		for _, p := range probes {
			if p[1] != "ops" {
				t.Errorf("%s: a probe asks at %s", label, p[1])
			}
		}
	}
	if pods != 2 {
		t.Fatalf("%d Deployments", pods)
	}
	found := selectors.FindAllStringSubmatch(text, -1)
	if len(found) < 5 {
		t.Errorf("%d selectors", len(found))
	}
	for _, s := range found {
		if !labels[s[1]] {
			t.Errorf("no pod has the labels %s", s[1])
		}
	}
	var server strings.Builder // its source
	for _, name := range []string{"server/settings.go", "stores/stores.go"} {
		b, err := os.ReadFile("../../cmd/motion/internal/" + name)
		if err != nil {
			t.Fatal(err)
		}
		server.Write(b)
	}
	for _, v := range variable.FindAllStringSubmatch(secret, -1) {
		if !strings.Contains(server.String(), strconv.Quote(v[1])) {
			t.Errorf("the server does not read %s of the Secret", v[1])
		}
	}
	if n := len(variable.FindAllString(secret, -1)); n < 6 {
		t.Errorf("%d variables in the Secret", n)
	}
}
