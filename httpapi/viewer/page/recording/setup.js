// @ts-check
// What the service cannot see by itself: how long something is, what is level, how fast the camera recorded.
// Applying it makes a new record of the same keypoints.
import { h, button, card, field, lengthField, segments } from '../base/dom.js';
import { svg } from '../base/icons.js';
import { address, here } from '../base/route.js';
import { Report } from '../base/report.js';
import { heights, PITCH } from './height.js';

export class Setup {
  #app;
  #view;
  #group = svg('g', { class: 'fix' });
  #draws = ''; // what the next two clicks are: "scale" or "floor"
  /** @type {{[name: string]: Place[]}} */
  #lines = { scale: [], floor: [] };
  #scale = 'none';
  #floor = 'none';
  #camera = 'unknown';
  #height = lengthField({ body: true });
  #length = lengthField();
  #rate = h('input', { type: 'number', min: 1, max: 10_000, step: 1, placeholder: '240', inputMode: 'numeric' });
  #held = -1;
  #report = new Report();
  quiet = true;

  constructor(app, view) {
    this.#app = app;
    this.#view = view;
    view.stage.above.append(this.#group);
    view.stage.addEventListener('draw', () => this.#draw());
    const { scale, floor, cameraPitch, capture } = view.recording;
    if (scale?.bodyHeight) {
      this.#scale = 'height';
      this.#height.value = scale.bodyHeight;
    }
    if (scale?.length) {
      this.#scale = 'line';
      this.#length.value = scale.length;
      this.#lines.scale = [scale.from, scale.to];
    }
    if (floor === 'auto') this.#floor = 'auto';
    if (Array.isArray(floor)) {
      this.#floor = 'line';
      this.#lines.floor = floor;
    }
    this.#camera = Object.keys(PITCH).find((name) => PITCH[name] === cameraPitch) ?? 'unknown';
    if (capture) this.#rate.value = capture.frameRate;
  }

  leave() {
    this.#group.replaceChildren();
  }

  down = (at) => {
    const { stage } = this.#view;
    for (const name of ['scale', 'floor']) {
      const near = this.#lines[name].findIndex((p) => Math.hypot(...stage.place(p).map((v, k) => v - stage.place(at)[k])) < 18);
      if (near >= 0) {
        this.#draws = name;
        this.#held = near;
        return;
      }
    }
    if (!this.#draws) return;
    const line = this.#lines[this.#draws];
    if (line.length === 2) line.length = 0;
    line.push(at);
    this.#held = line.length - 1;
    stage.draw();
  };

  move = (at) => {
    if (this.#held < 0) return;
    this.#lines[this.#draws][this.#held] = at;
    this.#view.stage.draw();
  };

  up = () => {
    this.#held = -1;
    if (this.#lines[this.#draws]?.length === 2) this.#view.panel();
  };

  #draw() {
    if (this.#view.tools?.now !== this) return;
    const { stage } = this.#view;
    const shown = [...(this.#scale === 'line' ? ['scale'] : []), ...(this.#floor === 'line' ? ['floor'] : [])];
    this.#group.replaceChildren(
      ...shown.flatMap((name) => {
        const at = this.#lines[name].map(stage.place);
        const d = at.map((p, i) => `${i ? 'L' : 'M'}${p[0].toFixed(1)} ${p[1].toFixed(1)}`).join('');
        return [
          svg('path', { class: 'under', d }),
          svg('path', { class: name === 'floor' ? 'was' : 'move', d }),
          ...at.map((p) => svg('circle', { class: 'ring', cx: p[0], cy: p[1], r: 7 })),
        ];
      }),
    );
  }

  async #apply() {
    const { recording } = this.#view,
      round = (p) => p.map((v) => Math.round(v * 100) / 100);
    const body = { keypointId: recording.id };
    if (recording.clean) body.clean = recording.clean;
    if (this.#scale === 'height') body.scale = { bodyHeight: this.#height.metres() };
    if (this.#scale === 'line')
      body.scale = { length: this.#length.metres(), from: round(this.#lines.scale[0]), to: round(this.#lines.scale[1]) };
    if (this.#floor === 'auto') body.floor = 'auto';
    if (this.#floor === 'line') body.floor = this.#lines.floor.map(round);
    if (this.#camera !== 'unknown') body.cameraPitch = PITCH[this.#camera];
    if (this.#rate.value) body.capture = { frameRate: this.#rate.valueAsNumber };
    const made = await this.#app.api.post('keypoints/', body);
    this.#app.library.refresh();
    location.hash = address(['recordings', made.id], {
      person: recording.person || '',
      show: here().query.get('show'),
      t: recording.capture || body.capture ? '' : here().query.get('t') || 0,
    });
  }

  panel() {
    const { recording } = this.#view;
    const again = () => {
      this.#view.panel();
      this.#view.stage.draw();
    };
    const line = (name) => h('p', { class: 'say', t: this.#lines[name].length === 2 ? 'setup.drawn' : 'setup.draw' });
    const ready =
      (this.#scale !== 'height' || this.#height.metres() > 0) &&
      (this.#scale !== 'line' || (this.#length.metres() > 0 && this.#lines.scale.length === 2)) &&
      (this.#floor !== 'line' || this.#lines.floor.length === 2);
    const apply = button('setup.apply', () => this.#report.run(apply, 'setup.works', () => this.#apply()), {
      class: 'btn--primary',
      disabled: !ready,
    });
    for (const input of [this.#height, this.#length, this.#rate])
      input.oninput = () => {
        apply.disabled =
          (this.#scale === 'height' && !(this.#height.metres() > 0)) ||
          (this.#scale === 'line' && !(this.#length.metres() > 0 && this.#lines.scale.length === 2)) ||
          (this.#floor === 'line' && this.#lines.floor.length < 2);
      };
    return h(
      'div',
      { class: 'side' },
      card(
        'setup.scale',
        {
          note: recording.world?.metresPerPixel ? 'setup.known' : 'setup.pixels',
          noteArgs: { mm: (1000 * (recording.world?.metresPerPixel ?? 0)).toFixed(2) },
        },
        segments(
          'setup.scale',
          [
            ['none', 'setup.none'],
            ['height', 'setup.height'],
            ['line', 'setup.line'],
          ],
          this.#scale,
          (v) => {
            this.#scale = v;
            this.#draws = v === 'line' ? 'scale' : '';
            again();
          },
        ),
        this.#scale === 'height' ? field('setup.height.field', this.#height) : null,
        this.#scale === 'line' ? h('div', {}, line('scale'), field('setup.line.field', this.#length)) : null,
      ),
      recording.movie
        ? card(
            'setup.floor',
            {},
            segments(
              'setup.floor',
              [
                ['none', 'setup.level'],
                ['auto', 'setup.auto'],
                ['line', 'setup.line'],
              ],
              this.#floor,
              (v) => {
                this.#floor = v;
                this.#draws = v === 'line' ? 'floor' : '';
                again();
              },
            ),
            this.#floor === 'line' ? line('floor') : null,
          )
        : null,
      card(
        'setup.camera',
        {},
        heights(this.#camera, (v) => {
          this.#camera = v;
        }),
      ),
      recording.movie ? card('setup.slow', {}, h('p', { class: 'say', t: 'setup.slow.text' }), field('setup.rate', this.#rate)) : null,
      h(
        'div',
        { class: 'verdict__a' },
        apply,
        button('tool.cancel', () => this.#view.tools.use('select'), { class: 'btn--line' }),
      ),
      this.#report.el,
    );
  }
}
