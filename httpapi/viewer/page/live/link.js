// @ts-check
// The connection of a live session: pictures go out, what is found in them comes in. It is made again when
// it is lost.

const protocol = 'motion.live.v1';
const most = 2; // pictures without an answer
const waits = [0.5, 1, 2, 4, 8, 15]; // seconds before each further attempt
const patience = 10_000; // milliseconds without an answer after which the connection counts as lost
const fluent = 8; // answers a second that counting needs
const late = 0.8; // seconds after which an answer is of little use
const span = 3000; // milliseconds that are looked at
const qualities = [0.8, 0.6, 0.4]; // of the JPEG pictures

// Pace is how well a live session keeps up: how often answers come, how late, and whether the network, the service or
// this device is what is slow.
class Pace {
  #list = []; // {at, delay, took} of the newest answers, in milliseconds and seconds
  #begun = performance.now();
  #level = 0; // of the quality
  #changed = 0;

  // quality is that of the pictures: less where the network is slow.
  get quality() {
    return qualities[this.#level];
  }

  // add notes an answer: its delay, and how much of that the service took, in seconds.
  add({ delay, took }) {
    this.#list.push({ at: performance.now(), delay, took });
  }

  // rate is how many answers a second come.
  get rate() {
    return (1000 * this.#list.length) / Math.min(span, performance.now() - this.#begun);
  }

  // slow is network, service or device, or '' while everything is in time.
  slow() {
    const now = performance.now();
    this.#list = this.#list.filter((e) => e.at > now - span);
    if (now - this.#begun < span) return '';
    const mean = (f) => (this.#list.length ? this.#list.reduce((s, e) => s + f(e), 0) / this.#list.length : Infinity);
    const delay = mean((e) => e.delay);
    if (this.rate >= fluent && delay < late) return '';
    // As many pictures are under way as come in a second, times the seconds that one takes: the way is not full.
    if (delay < late && this.rate * delay < 1) return 'device';
    if (mean((e) => e.took) > delay / 2) return 'service';
    if (this.#level < qualities.length - 1 && now - this.#changed > span) {
      this.#level++;
      this.#changed = now;
    }
    return 'network';
  }
}

// Link tells by events: "ready"; "update" and "problem" with the service's message; "down" with {key, args}
// when it is lost, and it is tried again; "over" with {key, args} when it is not; "end" with the last message.
export class Link extends EventTarget {
  #api;
  #hello;
  /** @type {WebSocket | null} */
  #socket = null;
  #sent = []; // when the pictures without an answer were sent, milliseconds
  #tries = 0;
  #timer = 0;
  #turn = 0;
  #ending = false;
  pace = new Pace();
  /** @type {{detail: string} | null} */
  #refused = null; // what the service says is wrong with the session
  /** @type {{maxPictureBytes: number, maxPixels: number} | null} */
  ready = null; // what the service takes, {maxPictureBytes, maxPixels}

  // hello is the first message: the rules, and how the person is found.
  constructor(api, hello) {
    super();
    this.#api = api;
    this.#hello = hello;
    this.#again = () => {
      if (this.#timer && !this.#ending) this.open();
    };
    addEventListener('online', this.#again);
  }

  #again;

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  // open connects.
  async open() {
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#drop(); // one that is being opened
    const turn = ++this.#turn;
    const socket = await this.#api.socket('live/', protocol);
    if (turn !== this.#turn) {
      socket.close();
      return;
    }
    this.#socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      socket.send(JSON.stringify(this.#hello));
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#take(JSON.parse(data));
    };
    socket.onclose = (e) => {
      if (socket === this.#socket) this.#closed(e, opened);
    };
  }

  #take(message) {
    if (message.type === 'ready') {
      this.ready = message;
      this.pace = new Pace();
    } else if (message.type === 'update') {
      const [sent] = this.#sent.splice(0, 1 + message.dropped).slice(-1);
      message.delay = sent === undefined ? 0 : (performance.now() - sent) / 1000;
      this.#tries = 0;
      this.pace.add(message);
    } else if (message.type === 'problem') {
      if (this.ready) this.#sent.shift();
      else this.#refused = message;
    }
    this.#tell(message.type, message);
  }

  async #closed(e, opened) {
    this.#drop();
    if (this.#ending) {
      this.close();
      return;
    }
    if (this.#refused) {
      this.#tell('over', { key: this.#refused.detail });
      return;
    }
    const turn = this.#turn;
    const said = opened ? this.#said(e) : await this.#refusal();
    if (turn !== this.#turn) return;
    if (said.final) {
      this.#tell('over', said);
      return;
    }
    const wait = Math.max(said.wait ?? 0, waits[Math.min(this.#tries++, waits.length - 1)]);
    this.#timer = setTimeout(() => this.open(), 1000 * wait);
    this.#tell('down', said);
  }

  // said is what the end of an open connection means.
  #said({ code, reason }) {
    if (code === 1001) return { key: 'live.leaving' };
    if (code === 1008 && reason.includes('token')) return { key: 'live.signin' };
    if (reason) return { key: 'live.over', args: { reason } };
    return { key: 'live.lost' };
  }

  // refusal finds out why there is no connection, which the browser does not tell. Where the sign-in is gone,
  // this asks for it.
  async #refusal() {
    const e = await this.#api.get('live/').catch((problem) => problem);
    if (e.status === 429) return { key: 'live.many', wait: 5 };
    if (e.status === 503) return { key: 'live.full', wait: 5 };
    if (e.status === 404) return { key: 'live.absent', final: true };
    return { key: e.status === 426 && this.#tries > 1 ? 'live.proxy' : 'live.lost' };
  }

  // free reports whether the session goes on and a picture may be sent: not more than two wait for an answer, and none for the network.
  get #free() {
    if (this.#ending || !this.ready || this.#socket?.readyState !== 1) return false;
    if (performance.now() - this.#sent[0] > patience) {
      this.#closed({ code: 1006 }, true);
      return false;
    }
    return this.#sent.length < most && this.#socket.bufferedAmount === 0;
  }

  // film sends the picture that a camera shows at a time in microseconds, if the one before is on its way.
  async film(camera, time) {
    const jpeg = this.#free && (await camera.take(this.pace.quality));
    if (!jpeg || !this.#free) return;
    const head = new DataView(new ArrayBuffer(8));
    head.setBigUint64(0, BigInt(time));
    this.#socket?.send(new Blob([head, jpeg]));
    this.#sent.push(performance.now());
  }

  // end ends the session. The service's last message comes as "end".
  end() {
    this.#ending = true;
    if (!this.ready || this.#socket?.readyState !== 1) {
      this.close();
      return;
    }
    this.#socket.send('{"type":"end"}');
    this.#timer = setTimeout(() => this.close(), 3000);
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = this.ready = null;
    this.#sent = [];
    socket?.close();
  }

  // close ends the connection at once.
  close() {
    this.#turn++;
    clearTimeout(this.#timer);
    this.#timer = 0;
    removeEventListener('online', this.#again);
    this.#drop();
  }
}
