// @ts-check
// The page: a movie or keypoints that are dropped are read, cleaned, judged, measured and reported in this tab.
import { h, button, field, save, select } from './base/dom.js';
import { language, speak } from './base/i18n.js';
import { icon } from './base/icons.js';
import { Joints } from './numbers/joints.js';
import { Measures } from './numbers/measures.js';
import { Charts, chips, gaitCard, jumpCard, repetitionCard, spans, Values } from './numbers/results.js';
import { places, verdict } from './numbers/verdict.js';
import { Playhead } from './player/playhead.js';
import { legend, Stage } from './player/stage.js';
import { Timeline } from './player/timeline.js';
import { Transport } from './player/transport.js';
import { load, MotionError } from './package/index.js';
import { find, isMovie, kept } from './movie.js';
import ja from './ja.js';

const at = (id) => document.getElementById(id);
const loading = load(Uint8Array.from(atob(at('wasm').textContent), (c) => c.charCodeAt(0)));

/** @type {File[]} */
let file = []; // that was read last
let opened = 0;
/** @type {{key(e: KeyboardEvent): boolean}[]} */
let keys = [];
let leave = () => {}; // what is shown

// w is a text of this page in the language of the browser; those of the viewer's modules have keys.
/** @param {string} text */
const w = (text) => (language === 'ja' ? ja[text] : text);
// wrong is a message of a Worker, which may end in a name.
/** @param {string} text */
const wrong = (text) => {
  const [what, ...name] = text.split(': ');
  return language === 'ja' && ja[what] ? [ja[what], ...name].join(': ') : text;
};

// The way in.
const formats = ['', 'json', 'csv', 'jsonl', 'coco', 'openpose', 'mediapipe', 'trc'];
const names = { format: w('Format'), rate: w('Frames per second'), width: w('Width in pixels'), height: w('Height in pixels') };
const format = select(names.format, formats, '', {});
format.options[0].textContent = w('by its content');
const setting = select(w('Networks'), ['fast', 'balanced'], (v) => w(v === 'fast' ? 'Fast' : 'Balanced, slower'));
const offline = h('span', { class: 'quiet' });
kept.then((all) => {
  document.body.dataset.kept = String(all);
  offline.textContent = all ? w('The page is kept in this browser, and works offline.') : '';
});
const number = (label, more = {}) => h('input', { type: 'number', min: 1, label, ...more });
const rate = number(names.rate, { min: 0.001, step: 'any' }),
  width = number(names.width),
  height = number(names.height);
const error = h('div', { class: 'error', role: 'alert' });
const input = h('input', {
  type: 'file',
  id: 'file',
  hidden: true,
  on: {
    change: () => {
      open(input.files);
      input.value = '';
    },
  },
});
const again = button(w('Read again'), () => open(file), { class: 'btn--line', hidden: true });
const first = h(
  'main',
  { class: 'tab', id: 'main' },
  h('h1', {}, w('A movie in, measures out')),
  h(
    'p',
    {},
    w(
      'Repetitions, angles with their uncertainty, gait and jumps, and a report to print, computed in this tab. ' +
        'There is no server, and nothing leaves the tab.',
    ),
  ),
  h(
    'div',
    { class: 'tab__drop' },
    h('b', {}, w('Drop a movie: MP4, MOV')),
    h('div', { class: 'tab__f' }, field(w('Networks'), setting)),
    h('b', {}, w('Or a file of keypoints: MediaPipe, COCO, OpenPose, CSV, JSON, TRC')),
    h(
      'div',
      { class: 'tab__f' },
      field(names.format, format),
      field(names.rate, rate),
      field(names.width, width),
      field(names.height, height),
    ),
    h('span', { class: 'quiet' }, w('Only what the file does not say itself.')),
    error,
    h(
      'div',
      { class: 'tab__f' },
      button(w('Choose a file'), () => input.click(), { class: 'btn--primary btn--big' }),
      again,
    ),
    offline,
  ),
);

const painted = () =>
  new Promise((done) => {
    setTimeout(done, 20);
  });

const mostBytes = 2e8; // of keypoints: the memory of WebAssembly ends

// keypoints are those of a file, or those that are found in a movie; null: somebody has stopped it.
/** @param {File} chosen */
async function keypoints(chosen) {
  if (!isMovie(chosen)) {
    if (chosen.size > mostBytes) throw new MotionError(w('The file is too large: it may have 200 MB.'), []);
    return chosen.arrayBuffer();
  }
  if (!location.protocol.startsWith('http')) throw new MotionError(w('Movies need this page from a server, not from disk.'), []);
  document.body.dataset.state = 'finding';
  try {
    return await find(chosen, /** @type {any} */ (setting.value), at('place'), w);
  } catch (e) {
    home();
    throw new MotionError(wrong(e.message), []);
  }
}

// open reads a file and shows it; what is wrong stands in the way in.
/** @param {Iterable<File> | null | undefined} files */
async function open(files) {
  const [chosen, ...more] = files ?? [];
  if (!chosen) return;
  file = [chosen];
  home();
  error.replaceChildren();
  const started = performance.now();
  try {
    if (more.length) throw new MotionError(w('Drop one file at a time. The files of OpenPose go into one ZIP archive.'), []);
    const motion = await loading,
      found = await keypoints(chosen);
    if (!found) return home();
    document.body.dataset.state = 'working';
    await painted();
    const read = motion.read(found, {
      format: format.value,
      rate: Number(rate.value),
      size: [Number(width.value), Number(height.value)],
    });
    const recording = motion.clean(read);
    read.free();
    show(motion, recording, chosen.name, isMovie(chosen) ? URL.createObjectURL(chosen) : '');
    document.body.dataset.milliseconds = String(Math.round(performance.now() - started));
    document.body.dataset.state = 'shown';
  } catch (e) {
    error.replaceChildren(h('p', {}, e.message));
    again.hidden = more.length > 0;
    ({ '/rate': rate, '/size': width, '/format': format })[e.places?.[0]?.pointer]?.focus();
    document.body.dataset.state = 'failed';
    if (e.name !== 'MotionError') throw e;
  }
}

function home() {
  leave();
  [keys, leave] = [[], () => {}];
  at('acts').replaceChildren();
  at('place').replaceChildren(first);
}

// shown is the frames in a picture of a size: where it is not known, that around all parts, which may lie anywhere.
function shown({ keypoint: frames, width, height }) {
  if (width) return { frames, size: [width, height] };
  const box = [0, 1].map((k) =>
    frames.flatMap((f) => Object.values(f)).reduce(([low, high], p) => [Math.min(low, p[k]), Math.max(high, p[k])], [Infinity, -Infinity]),
  );
  const edge = Math.max(16, ...box.map(([low, high]) => high - low)) / 10;
  const put = (p) => p.map((v, k) => v - box[k][0] + edge);
  return {
    frames: frames.map((f) => Object.fromEntries(Object.entries(f).map(([part, p]) => [part, put(p)]))),
    size: box.map(([low, high]) => Math.max(16, high - low) + 2 * edge),
  };
}

// show shows a recording with everything that is measured in it; url is its movie's, if there is one.
function show(motion, handle, name, url) {
  const { sequence, quality, changes } = handle.toJSON();
  const { frames, size } = shown(sequence),
    movie = frames.length > 1,
    times = sequence.timestamps ?? [0];
  const recording = {
    id: ++opened,
    person: 0,
    updatedAt: '',
    frames,
    times,
    scores: sequence.scores,
    span: [0, times.length - 1],
    quality,
    changes,
    media: {},
  };
  let known;
  const measures = new Measures(
    /** @type {any} */ ({
      // the service's answers come from this tab
      get: async () => ({ data: [] }),
      post: async (_, { keypointId, ...request }) => {
        known = motion.analyse(handle, request);
        return { id: 1 };
      },
      finished: async () => known,
      patiently: (work) => work(),
    }),
    /** @type {any} */ (recording),
  );

  const playhead = new Playhead(times),
    stage = new Stage(playhead),
    timeline = new Timeline(playhead);
  const film = h('section', { class: 'film', label: 'player.title' });
  const joints = new Joints(stage, measures),
    values = new Values(movie),
    charts = new Charts();
  const transport = new Transport(playhead, film, (on) => {
    joints.on = on;
    joints.draw();
  });
  transport.repetitions = () => spans(measures, times).map((s) => [s.first, s.last]);
  transport.el.hidden = timeline.el.hidden = !movie;
  const hidden = (quality.warnings ?? []).filter((w) => w.code === 'hiddenSide');
  const media = url ? h('video', { src: url, muted: true, playsInline: true, preload: 'auto', tabIndex: -1, 'aria-hidden': 'true' }) : null;
  if (media) playhead.attach(media);
  stage.load({ hidden, media, size: /** @type {any} */ (size), frames, scores: recording.scores });
  stage.el.append(legend(hidden.length > 0));
  film.append(stage.el, transport.el, timeline.el);

  const judged = h('div'),
    choice = h('div'),
    cards = h('div', { class: 'side' });
  const seek = (time) => {
    playhead.pause();
    playhead.at(time);
  };
  const has = { feet: frames.some((f) => 'leftHeel' in f || 'leftBigToe' in f) };
  let all = false; // measures are offered
  const results = () => {
    judged.replaceChildren(
      verdict(
        recording,
        measures,
        (i) => playhead.step(i - playhead.frame),
        (on) => {
          measures.against(on);
          charts.forget();
          measures.study();
        },
      ),
    );
    const more = () => {
      all = true;
      results();
    };
    choice.replaceChildren(chips(measures, has, (chosen, side) => measures.choose(chosen, side), all ? null : more));
    values.show(measures);
    const { gait, jumps } = measures.overview ?? {};
    cards.replaceChildren(
      ...[values.el, gait?.mode ? null : repetitionCard(measures, seek), gaitCard(gait, () => {}), jumpCard(jumps, seek)].filter(Boolean),
    );
    timeline.repetitions(spans(measures, times));
    timeline.places(places(recording, measures), false);
    if (movie) charts.show(measures, timeline);
  };
  measures.addEventListener('results', results);
  measures.study().then(() => measures.choose(measures.usual()));

  keys = movie ? [transport, timeline] : [];
  leave = () => {
    playhead.detach();
    handle.free();
    if (url) URL.revokeObjectURL(url);
  };
  const stem = name.replace(/\.\w+$/, '');
  const act = (key, image, click, look) => button(w(key), click, { icon: image, class: look });
  at('acts').replaceChildren(
    act(
      'Another file',
      'plus',
      () => {
        home();
        delete document.body.dataset.state;
      },
      'btn--line',
    ),
    act('Keypoints', 'download', () => save(`${stem}.json`, 'application/json', JSON.stringify(handle.toJSON().sequence)), 'btn--line'),
    act('Report', 'report', () => save(`${stem}.html`, 'text/html', motion.report(handle, { title: stem, language })), 'btn--primary'),
  );
  const facts = movie ? `${frames.length} ${w('frames')} · ${(times[times.length - 1] - times[0]).toFixed(1)} s` : w('one picture');
  at('place').replaceChildren(
    h(
      'main',
      { class: 'work', id: 'main', tabIndex: -1 },
      h(
        'div',
        { class: 'head' },
        h('div', { class: 'head__t' }, h('h1', {}, h('span', {}, stem)), h('p', { class: 'head__m' }, `${facts} · ${w('cleaned')}`)),
      ),
      h('div', { class: 'grid' }, film, h('aside', { class: 'side', label: 'results.title' }, judged, choice, cards)),
    ),
  );
}

// Dropping.
addEventListener('dragover', (e) => {
  e.preventDefault();
  document.body.classList.add('over');
});
addEventListener('dragleave', () => document.body.classList.remove('over'));
addEventListener('drop', (e) => {
  e.preventDefault();
  document.body.classList.remove('over');
  open(e.dataTransfer?.files);
});
addEventListener('keydown', (e) => {
  if (keys.some((k) => k.key(e))) e.preventDefault();
});

document.body.append(input);
speak();
home();
