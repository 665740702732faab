package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/vishvananda/netlink"
	"golang.org/x/sys/unix"

	"github.com/bodymotion/motion/cmd/motion/internal/setup"
	"github.com/bodymotion/motion/internal/testkit"
	"github.com/bodymotion/motion/internal/testkit/ortkit"
	"github.com/bodymotion/motion/internal/testkit/sample"
)

// inside is set in the process that TestNothingLeaves starts in a network of its own: JSON of cage.
const inside = "MOTION_TEST_INSIDE"

// cage is what the process needs of the one outside.
type cage struct{ Program, Notebook, Still, Movie, Modules, Chromium, Dir string }

// TestNothingLeaves runs the quick start, a notebook's cells, the server and its page in a network of
// their own. What they send to anywhere but the machine itself would arrive at the test: nothing does.
func TestNothingLeaves(t *testing.T) {
	if text := os.Getenv(inside); text != "" {
		var c cage
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Fatal(err)
		}
		c.run(t)
		return
	}
	testkit.Thorough(t, "builds the tool and uses all of it")
	ortkit.Library(t)
	c := cage{Dir: t.TempDir()}
	if out, err := isolated("true").CombinedOutput(); err != nil {
		testkit.SkipMachine(t, testkit.Network, fmt.Errorf("%w %s", err, out))
	}
	for _, name := range []string{"ffmpeg", "ffprobe", "chromium"} {
		path, err := exec.LookPath(name)
		if err != nil {
			testkit.Skip(t, name)
		}
		c.Chromium = path // the last
	}
	tun, err := os.OpenFile("/dev/net/tun", os.O_RDWR, 0)
	if err != nil {
		testkit.SkipMachine(t, testkit.Tunnel, err)
	}
	tun.Close()
	uses(t, "*.go", "testdata/leave.mjs", "../../../../httpapi/viewer/*.go", "../../../../httpapi/viewer/page/*", "../../../../httpapi/viewer/page/*/*", "../../*.go", "../../../../httpapi/viewer/squats.mp4", "../../../../examples/notebook/*.ipynb")
	c.Modules = browserModules(t)
	c.Program, c.Notebook = filepath.Join(c.Dir, "motion"), filepath.Join(c.Dir, "notebook")
	for program, source := range map[string]string{c.Program: "../..", c.Notebook: cells(t, c.Dir)} {
		if out, err := exec.Command("go", "build", "-o", program, source).CombinedOutput(); err != nil {
			t.Fatalf("go build %s: %v\n%s", source, err, out)
		}
	}
	c.Still, c.Movie, _ = media(t)
	text, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	cmd := isolated(os.Args[0], "-test.run=^TestNothingLeaves$", "-test.v", "-test.timeout=5m")
	cmd.Env = slices.DeleteFunc(append(os.Environ(), inside+"="+string(text)), func(v string) bool {
		name, _, _ := strings.Cut(strings.ToLower(v), "=")
		return strings.HasSuffix(name, "_proxy") // one on the machine itself would hide what leaves
	})
	out, err := cmd.CombinedOutput()
	t.Logf("in a network of its own:\n%s", out)
	if err != nil {
		t.Error(err)
	} else if strings.Contains(string(out), "--- SKIP: TestNothingLeaves ") {
		t.SkipNow()
	}
}

// cells makes a program of the notebook for GoNB, which shows its pictures to nobody.
func cells(t *testing.T, dir string) (file string) {
	var book struct {
		Cells []struct {
			Type   string   `json:"cell_type"`
			Source []string `json:"source"`
		} `json:"cells"`
	}
	text, err := os.ReadFile("../../../../examples/notebook/gonb.ipynb")
	if err == nil {
		err = json.Unmarshal(text, &book)
	}
	if err != nil {
		t.Fatal(err)
	}
	program, body := "package main\n", "func main() {\n"
	for _, c := range book.Cells {
		if source := strings.Join(c.Source, ""); c.Type == "code" && !strings.HasPrefix(source, "!") {
			above, below, _ := strings.Cut(source, "%%\n")
			program += above + "\n"
			body += "{\n" + below + "\n}\n"
		}
	}
	program = strings.NewReplacer(`"github.com/janpfeifer/gonb/gonbui"`, "\"image/png\"\n\"io\"", "gonbui.DisplayImage(", "png.Encode(io.Discard, ",
		"gonbui.Sync()", "").Replace(program + body + "}\n")
	file = filepath.Join(dir, "notebook.go")
	if err := os.WriteFile(file, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// isolated is a command in a network and with mounts of its own.
func isolated(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWNS}
	if uid := os.Getuid(); uid != 0 {
		cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{HostID: uid, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}
	}
	return cmd
}

// run uses everything, in a network of its own.
func (c cage) run(t *testing.T) {
	out := newExit(t, c.Dir)
	if !t.Run("what leaves is seen", out.check) {
		return
	}
	t.Run("tool", func(t *testing.T) {
		for name, args := range map[string][]string{
			"movie":   {"--ffmpeg", setup.Installed, c.Movie},
			"picture": {"--setting", "accurate", c.Still},
		} {
			t.Run(name, func(t *testing.T) {
				cmd := exec.CommandContext(t.Context(), c.Program, append([]string{"--out", filepath.Join(c.Dir, name)}, args...)...)
				if text, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, text)
				}
			})
		}
	})
	t.Run("notebook", func(t *testing.T) {
		cmd := exec.CommandContext(t.Context(), c.Notebook)
		cmd.Dir = "../../../../examples/notebook"
		if text, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(text), "squat 3 scores") {
			t.Errorf("%v\n%s", err, text)
		}
	})
	t.Run("server", func(t *testing.T) {
		server := start(t, "--data", filepath.Join(c.Dir, "data"), "--client", "someone:very-secret",
			"--keep", "all=30d", "--orphans", "7d")
		defer server.drain(t)
		c.use(t, server.url)
		t.Run("page", func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "leave.mjs"), c.Modules, c.Chromium, server.page(t), c.Movie)
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("leave.mjs: %v\n%s", err, text)
			}
		})
	})
	if packets := out.taken(); len(packets) > 0 {
		t.Errorf("%d packets wanted to leave:\n%s", len(packets), strings.Join(packets, "\n"))
	}
}

// use asks the API for everything that it does.
func (c cage) use(t *testing.T, url string) {
	client := login(t, url)
	const api = "/anymotion/v1/"
	send := func(kind, body string) (id float64, record map[string]any) {
		t.Helper()
		id = client.call("POST", api+kind+"/", body)["id"].(float64)
		record = client.call("GET", fmt.Sprintf("%s%s/%.0f/?wait=60", api, kind, id), "")
		if record["execStatus"] != "SUCCESS" {
			t.Fatalf("%s %s: %v, %v", kind, body, record["execStatus"], record["failureDetail"])
		}
		return id, record
	}
	fetch := func(address string) {
		t.Helper()
		if strings.HasPrefix(address, "/") {
			address = url + address
		}
		req, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+client.token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK || len(text) == 0 {
			t.Errorf("%s: %s, %d bytes (%v)", address, resp.Status, len(text), err)
		}
	}
	movie, err := os.ReadFile(c.Movie)
	if err != nil {
		t.Fatal(err)
	}
	registered := client.registered("movies", movie)
	client.call("PUT", registered["uploadUrl"].(string), string(movie))
	picture := client.registered("images", sample.JPEG())
	client.call("PUT", picture["uploadUrl"].(string), string(sample.JPEG()))

	moving, _ := send("keypoints", fmt.Sprintf(`{"movieId":%v,"clean":true,"feet":true,"rate":12,"everybody":true,"candidates":3,
		"choose":{"policy":"largest"},"scale":{"bodyHeight":1.75}}`, registered["id"]))
	again, _ := send("keypoints", fmt.Sprintf(`{"keypointId":%v,"clean":{"gaps":0.1}}`, moving))
	still, _ := send("keypoints", fmt.Sprintf(`{"imageId":%v}`, picture["id"]))
	client.call("PATCH", fmt.Sprintf("%skeypoints/%v/", api, moving), `{"edits":[{"frame":3,"part":"leftKnee","point":[100,100]}]}`)
	angles := `[{"analysisType":"kneeFlexion","side":"left","repetitions":true,"symmetry":true},{"analysisType":"trunkLean","movieOption":{"statisticsType":"max"}},
		{"analysisType":"vectorAngle","points":["leftHip","leftKnee","leftAnkle"]},{"analysisType":"speed","points":["leftHeel"]}]`
	values, _ := send("analyses", fmt.Sprintf(`{"keypointId":%v,"rule":%s,"gait":true,"jump":true}`, moving, angles))
	compared, _ := send("comparisons", fmt.Sprintf(`{"sourceId":%v,"targetId":%v,"alignment":"dtw","mirror":false,"score":true,"angles":true,
		"repetitions":{"analysisType":"kneeFlexion","side":"left"}}`, moving, again))
	for _, body := range []string{
		fmt.Sprintf(`{"keypointId":%v}`, still),
		fmt.Sprintf(`{"keypointId":%v,"analysisId":%v,"rule":[{"drawingType":"stickPicture","pattern":"all"},
			{"drawingType":"label","points":["leftKnee"],"analysis":0},{"drawingType":"trace","points":["leftWrist"],"seconds":1}]}`, moving, values),
		fmt.Sprintf(`{"keypointId":%v,"preset":"sides","blurFaces":true,"values":[{"analysisType":"kneeFlexion","side":"left"}],"to":0.5}`, moving),
		fmt.Sprintf(`{"comparisonId":%v,"backgroundRule":{"skeletonOnly":true}}`, compared),
		fmt.Sprintf(`{"comparisonId":%v,"layout":"sideBySide"}`, compared),
	} {
		_, drawing := send("drawings", body)
		fetch(drawing["drawingUrl"].(string))
	}
	record := fmt.Sprintf("%skeypoints/%v/?", api, moving)
	for _, path := range []string{
		record + "include=scores,timestamps,changes,looks", record + "raw=true", record + "format=csv", record + "format=trc", record + "format=coco", record + "format=jsonl", record + "format=openpose",
		record + "format=mediapipe", record + "format=sheet", record + "format=report", record + "person=1",
		fmt.Sprintf("%smovies/%v/?format=thumbnail", api, registered["id"]), fmt.Sprintf("%smovies/%v/?include=media", api, registered["id"]),
		fmt.Sprintf("%sanalyses/%v/?format=report&language=ja", api, values), fmt.Sprintf("%scomparisons/%v/?format=report", api, compared),
		fmt.Sprintf("%sanalyses/%v/?format=csv", api, values), fmt.Sprintf("%sanalyses/%v/?format=mot", api, values),
		fmt.Sprintf("%scomparisons/%v/", api, compared), api + "keypoints/?size=2", api + "openapi.json", api + "docs/",
		"/healthz", "/readyz",
	} {
		fetch(path)
	}
	client.call("PATCH", fmt.Sprintf("%smovies/%v/", api, registered["id"]), `{"text":"a description"}`)
	client.call("DELETE", fmt.Sprintf("%smovies/%v/", api, registered["id"]), "")
}

// exit is the only way out of the network: a device that all packets arrive at which are not for
// the machine itself.
type exit struct {
	v6 bool

	mu      sync.Mutex
	packets []string
}

// newExit makes the way out, to which name servers belong too.
func newExit(t *testing.T, dir string) *exit {
	must := func(err error) {
		t.Helper()
		if errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) {
			testkit.SkipMachine(t, testkit.Network, err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	// No name server but one that lies outside.
	must(unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""))
	for name, text := range map[string]string{
		"resolv.conf":   "nameserver 192.0.2.53\noptions timeout:1 attempts:1\n",
		"nsswitch.conf": "hosts: files dns\n",
	} {
		file := filepath.Join(dir, name)
		must(os.WriteFile(file, []byte(text), 0o644))
		if _, err := os.Stat("/etc/" + name); err == nil {
			must(unix.Mount(file, "/etc/"+name, "", unix.MS_BIND, ""))
		}
	}
	lo, err := netlink.LinkByName("lo")
	must(err)
	must(netlink.LinkSetUp(lo))
	tun := &netlink.Tuntap{LinkAttrs: netlink.LinkAttrs{Name: "exit"}, Mode: netlink.TUNTAP_MODE_TUN, NonPersist: true, Queues: 1,
		Flags: netlink.TUNTAP_NO_PI | netlink.TUNTAP_ONE_QUEUE}
	must(netlink.LinkAdd(tun))
	must(netlink.LinkSetUp(tun))
	e := &exit{}
	for _, a := range []struct{ own, all string }{{"198.51.100.1/24", "0.0.0.0/0"}, {"2001:db8::1/64", "::/0"}} {
		own, err := netlink.ParseAddr(a.own)
		must(err)
		own.Flags = unix.IFA_F_NODAD
		if err := netlink.AddrAdd(tun, own); err != nil && own.IP.To4() == nil {
			t.Log("no IPv6, by which nothing can leave: ", err)
			break
		} else {
			must(err)
		}
		_, all, err := net.ParseCIDR(a.all)
		must(err)
		must(netlink.RouteAdd(&netlink.Route{LinkIndex: tun.Index, Dst: all}))
		e.v6 = own.IP.To4() == nil
	}
	go func() {
		for packet := make([]byte, 1<<16); ; {
			n, err := tun.Fds[0].Read(packet)
			if err != nil {
				return
			}
			e.take(packet[:n])
		}
	}()
	return e
}

// Protocols of packets of IPv6.
const (
	hopByHop = 0
	icmp6    = 58
)

// take notes a packet of IP, unless the kernel sends it by itself when a device comes up.
func (e *exit) take(packet []byte) {
	var to netip.Addr
	var protocol byte
	if packet[0]>>4 == 4 {
		protocol, to = packet[9], netip.AddrFrom4([4]byte(packet[16:]))
	} else {
		protocol, to = packet[6], netip.AddrFrom16([16]byte(packet[24:]))
		if to.IsLinkLocalMulticast() && (protocol == hopByHop || protocol == icmp6) {
			return
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.packets = append(e.packets, fmt.Sprintf("to %s, protocol %d: %q", to, protocol, packet))
}

// taken returns the packets since the last call.
func (e *exit) taken() []string {
	time.Sleep(100 * time.Millisecond) // for those on their way
	e.mu.Lock()
	defer e.mu.Unlock()
	packets := e.packets
	e.packets = nil
	return packets
}

// check tries to leave, in each way.
func (e *exit) check(t *testing.T) {
	dialer := net.Dialer{Timeout: 200 * time.Millisecond}
	try := func(network, address, want string) {
		t.Helper()
		conn, err := dialer.DialContext(t.Context(), network, address)
		if err == nil {
			conn.Write([]byte("hello"))
			conn.Close()
		}
		if packets := e.taken(); !slices.ContainsFunc(packets, func(p string) bool { return strings.Contains(p, want) }) {
			t.Errorf("%s to %s leaves %q, want %s", network, address, packets, want)
		}
	}
	try("tcp", "192.0.2.1:443", "to 192.0.2.1, protocol 6")
	try("udp", "192.0.2.1:8125", `to 192.0.2.1, protocol 17`)
	try("tcp", "telemetry.example:443", `\ttelemetry\aexample`)
	if e.v6 {
		try("tcp", "[2001:db8:1::1]:443", "to 2001:db8:1::1, protocol 6")
	}
	if out, err := exec.Command("ffmpeg", "-v", "error", "-i", "http://elsewhere.example/a.mp4", "-f", "null", "-").CombinedOutput(); err == nil {
		t.Errorf("FFmpeg has read from nowhere: %s", out)
	}
	if packets := strings.Join(e.taken(), "\n"); !strings.Contains(packets, `\telsewhere\aexample`) {
		t.Errorf("a program that looks up a name leaves %s", packets)
	}
}
