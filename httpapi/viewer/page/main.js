// @ts-check
// The page: the bar, the list of recordings, and the view that the address names.
import { h, button } from './base/dom.js';
import { choose as speakIn, language, say, speak, t } from './base/i18n.js';
import { icon } from './base/icons.js';
import { API, Problem, root } from './base/api.js';
import { kindOf } from './library/files.js';
import { first } from './library/first.js';
import { Library } from './library/library.js';
import { Rail } from './library/rail.js';
import { address, here } from './base/route.js';
import { Session } from './base/session.js';
import { Uploads } from './library/uploads.js';

const at = (id) => document.getElementById(id);
const session = new Session(at('login'));
const api = new API(session, (away) => (away ? fail(away) : mended()));
const library = new Library(api);
const uploads = new Uploads(api, async (name) => (await dialogs()).missing(name));

// reached is a module that is loaded when it is needed.
/** @template T @param {Promise<T>} module @returns {Promise<T>} */
const reached = (module) =>
  module.catch((e) => {
    throw e instanceof TypeError ? new Problem('error.network') : e;
  });
const dialogs = () => reached(import('./base/dialogs.js'));

// toast tells something at the foot of the page for a while, with a way to act on it, and then calls ended: what is
// undone is not ended, and shows the seconds that are left. While the pointer is on it, the time stands still.
let toasting = 0,
  toasted = () => {};
function toast(key, args, act, ended = () => {}) {
  const box = at('toast'),
    left = h('small', { 'aria-hidden': 'true' });
  let s = 10;
  const end = (f) => {
    clearInterval(toasting);
    box.hidden = true;
    toasted = () => {};
    f();
  };
  const tell = () => {
    left.textContent = String(s);
  };
  toasted();
  toasted = () => end(ended);
  const undo = act?.undo ? button('delete.undo', () => end(act.undo), { 'data-undo': '', title: 'Ctrl Z' }) : act;
  if (act?.undo) undo.append(' ', left);
  box.replaceChildren(
    h('span', { t: key, args }),
    ...(undo ? [undo] : []),
    button('page.close', () => toasted(), { icon: 'close', only: true }),
  );
  box.hidden = false;
  tell();
  toasting = setInterval(() => {
    if (box.matches(':hover')) return;
    s--;
    tell();
    if (s <= 0) toasted();
  }, 1000);
}
document.addEventListener(
  'keydown',
  (e) => {
    const undo = at('toast').querySelector('[data-undo]');
    if (e.key === 'z' && (e.ctrlKey || e.metaKey) && !at('toast').hidden && undo && !e.target?.matches('input, textarea, select')) {
      e.preventDefault();
      e.stopPropagation();
      undo.click();
    }
  },
  { capture: true },
);

// fail tells what went wrong, once.
function fail(e) {
  if (e?.name === 'AbortError') return;
  const box = at('alarm');
  say(at('alarm-words'), e?.key ?? 'error.page', e?.key ? e.args : { words: String(e?.message ?? e) });
  at('alarm-places').replaceChildren(...(e?.places ?? []).map((p) => h('li', {}, p)));
  box.hidden = false;
}
const mended = () => {
  at('alarm').hidden = true;
};
addEventListener('unhandledrejection', (e) => {
  fail(e.reason);
  if (e.reason instanceof Problem || e.reason?.name === 'AbortError') e.preventDefault();
});
at('alarm-close').addEventListener('click', mended);

// share copies the address of a view.
async function share(hash) {
  const url = new URL(hash, location.href).href;
  try {
    await navigator.clipboard.writeText(url);
    toast('head.copied');
  } catch {
    toast('head.copy', { url });
  }
}

const app = {
  api,
  library,
  uploads,
  toast,
  fail,
  mended,
  share,
  rename: async (item) => {
    const { rename } = await dialogs();
    rename(item.media.name ?? '', (name) => library.change(item, { name }).then(() => open(true), fail));
  },
  // remove deletes recordings some seconds later, if that is wanted, and returns whether it is.
  async remove(items) {
    const n = items.length,
      name = n === 1 ? items[0].media.name || t('list.unnamed') : t('pick.some', { n });
    const { ask } = await dialogs();
    if (!(await ask('delete.title', 'delete.what', { name }, 'delete.do'))) return false;
    const { hash } = location,
      open = items.some((item) => here().path[0] === 'recordings' && here().path[1] === String(item.id));
    const { finish, undo } = library.remove(items, 10_000);
    mended();
    if (open) location.hash = '#/';
    toast(
      'delete.done',
      { name },
      {
        undo: () => {
          undo();
          if (open) location.hash = hash;
        },
      },
      () => {
        finish().catch(fail);
      },
    );
    return true;
  },
};

// Choosing and dropping files.
const input = h('input', {
  type: 'file',
  multiple: true,
  id: 'files',
  hidden: true,
  accept: 'video/*,image/*,.mkv,.avi,.tif,.tiff,.bmp,.json,.jsonl,.csv,.trc',
  on: {
    change: () => {
      add(input.files, chosenFor);
      input.value = '';
    },
  },
});
let chosenFor = 0; // the person whose files are being chosen
const choose = (subjectId = 0) => {
  chosenFor = Number(subjectId) || 0;
  input.click();
};
function add(files, subjectId = 0) {
  const added = uploads.add(files, subjectId);
  const first = added.find((u) => u.kind && u.file.size) ?? added[0]; // one that can be measured
  if (first) location.hash = address(['uploads', first.n]);
}
uploads.addEventListener('done', ({ detail: upload }) => {
  library.refresh();
  const { path } = here();
  if (path[0] === 'uploads' && Number(path[1]) === upload.n) location.replace(address(['recordings', upload.id]));
});
uploads.addEventListener('part', ({ detail: upload }) => {
  if (shown.startsWith(`uploads/${upload.n}/`)) open(true);
});
uploads.addEventListener('dropped', ({ detail: upload }) => {
  const { path } = here();
  if (path[0] === 'uploads' && Number(path[1]) === upload.n) location.replace('#/');
});
async function sample() {
  try {
    const known = library.items.find((i) => i.media.name === t('first.name'));
    if (known) {
      location.hash = address(['recordings', known.id]);
      return;
    }
    const answer = await fetch('viewer/sample.mp4');
    if (!answer.ok) throw new Problem('error.status', { args: { status: answer.status } });
    add([new File([await answer.blob()], `${t('first.name')}.mp4`, { type: 'video/mp4' })]);
  } catch (e) {
    fail(e instanceof Problem ? e : new Problem('error.network'));
  }
}

/** @type {File[]} */
let pair = []; // two movies that were dropped together
// drop takes what was dropped: two movies at once are perhaps of one movement.
function drop(files) {
  const movies = files.length === 2 && files.every((file) => kindOf(file) === 'movies');
  if (view?.take) view.take(files);
  else if (movies) {
    pair = files;
    location.hash = address(['two']);
  } else add(files);
}

const carries = (e) => e.dataTransfer?.types.includes('Files');
let inside = 0;
const mark = () => document.body.classList.toggle('over', inside > 0);
addEventListener('dragenter', (e) => {
  if (carries(e)) {
    inside++;
    mark();
  }
});
addEventListener('dragleave', (e) => {
  if (carries(e)) {
    inside--;
    mark();
  }
});
addEventListener('dragover', (e) => {
  if (carries(e)) e.preventDefault();
});
addEventListener('drop', (e) => {
  if (!carries(e)) return;
  e.preventDefault();
  inside = 0;
  mark();
  drop([.../** @type {DataTransfer} */ (e.dataTransfer).files]);
});

const rail = new Rail(app, choose);
/** @type {any} */
let view = null; // what is open: a view with an el; some have close, speak and stage
let shown = ''; // its address without the parameters
let openings = 0; // only the last one puts its view, also where the same address is opened twice

// styled loads the styles of a view, which have their places in the document.
const styled = (name) =>
  Promise.all(
    [...document.querySelectorAll(`link[data-of=${name}]`)].map(
      (link) =>
        /** @type {Promise<void>} */ (
          new Promise((done, fail) => {
            if (link.sheet && !link.disabled) {
              done();
              return;
            }
            link.addEventListener('load', () => done(), { once: true });
            link.addEventListener(
              'error',
              () => {
                link.disabled = true;
                fail(new Problem('error.network'));
              },
              { once: true },
            );
            link.disabled = false;
          })
        ),
    ),
  );

// lazy is a view that is loaded when it is first opened, with its styles.
/** @param {string} styles @param {() => Promise<any>} load
 * @param {{make: (module: any, path: string[]) => any, open: (path: string[], query: URLSearchParams) => any, listed?: boolean}} view */
const lazy = (styles, load, view) => ({
  ...view,
  load: async () => (await Promise.all([reached(load()), styled('numbers'), ...styles.split(' ').map(styled)]))[0],
});
const recording = lazy('recording', () => import('./recording/view.js'), {
  make: (m) => new m.RecordingView(app),
  open: (path, query) => view.open(Number(path[1]), query),
  listed: true,
});
/** @type {{[kind: string]: typeof recording}} */
const views = {
  recordings: recording,
  uploads: { ...recording, open: (path) => view.upload(uploads.get(path[1])) },
  cut: lazy('recording', async () => ({ ...(await import('./recording/cut.js')), limits: await uploads.limits() }), {
    make: (m, path) => new m.CutView(app, uploads.get(path[1]), m.limits),
    open: () => {},
    listed: true,
  }),
  space: lazy('compare space', () => import('./space/space.js'), {
    make: (m) => new m.SpaceView(app),
    open: (path, query) => view.open(Number(path[1]), query),
    listed: true,
  }),
  two: lazy('space', () => import('./space/two.js'), {
    make: (m) => new m.TwoView(app, add),
    open: (_, query) => view.open(query, pair.splice(0)),
  }),
  people: lazy('people', () => import('./people/people.js'), {
    make: (m) => new m.PeopleView(app, choose, add),
    open: (path, query) => view.open(path[1] ?? '', query),
  }),
  exercises: lazy('exercises', () => import('./exercises/exercises.js'), {
    make: (m) => new m.ExercisesView(app),
    open: (path, query) => view.open(path[1] ?? '', query),
  }),
  phases: lazy('exercises', () => import('./exercises/phases.js'), {
    make: (m) => new m.PhasesView(app),
    open: (path, query) => view.open(Number(path[1]), query),
  }),
  compare: lazy('compare', () => import('./compare/compare.js'), {
    make: (m) => new m.CompareView(app),
    open: ([, a, b], query) => view.open(Number(a) || 0, Number(b) || 0, query),
  }),
  live: lazy('live', () => import('./live/live.js'), { make: (m) => new m.LiveView(app), open: (_, query) => view.open(query) }),
  film: lazy('live', () => import('./live/film.js'), {
    make: (m) => new m.FilmView(app, add),
    open: (path, query) => view.open(path[1] ?? '', query.get('with') ?? ''),
  }),
};

// named is the view that a path names, '' for the first screen.
/** @param {string[]} path */
function named([kind = '', id]) {
  if (kind === 'uploads') return uploads.get(id)?.movie ? 'cut' : uploads.get(id) ? kind : '';
  return ['two', 'people', 'exercises', 'compare', 'live', 'film'].includes(kind) || (id && ['recordings', 'phases'].includes(kind))
    ? kind
    : '';
}

// open shows what the address names. With again, it is built again even if it is shown already.
async function open(again = false) {
  const { path, query } = here(),
    name = [
      ...path,
      query.get('person') ?? '',
      query.get('targetPerson') ?? '',
      query.get('a') ?? '',
      query.get('b') ?? '',
      path[0] === 'exercises' ? (query.get('recording') ?? '') : '',
    ].join('/');
  if (!again && name === shown && view) return;
  shown = name;
  const opening = ++openings;
  view?.close?.();
  document.title = t('title');
  mended();
  delete document.documentElement.dataset.drawer;
  document.body.dataset.view = path[0] ?? 'first';
  const place = path[0] === 'film' ? 'live' : ['people', 'exercises', 'compare', 'live'].includes(path[0]) ? path[0] : 'recordings';
  for (const a of document.querySelectorAll('.bar__nav a')) {
    if (a.dataset.view === place) {
      a.setAttribute('aria-current', 'page');
      a.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else a.removeAttribute('aria-current');
  }
  const put = async (kind) => {
    const { load, make, open } = views[kind],
      { listed = false } = views[kind],
      module = await load();
    if (opening !== openings || (kind === 'cut' && named(path) !== kind)) return;
    view = make(module, path);
    stand(view.el, view.rail ?? listed);
    if (listed) rail.mark(path[0][0] + path[1]);
    return open(path, query);
  };
  try {
    const kind = named(path);
    if (!kind) {
      view = null;
      rail.mark('');
      stand(first(choose, sample), library.items.length > 0);
      return;
    }
    const other = await put(kind);
    if (opening !== openings || !other) return;
    if (other === true) {
      view.close();
      await put('space');
    } else {
      shown = ''; // so that whatever the address is when its change is told is opened
      location.replace(other);
    }
  } catch (e) {
    if (e?.name === 'AbortError') return;
    if (e?.status === 404)
      stand(h('main', { class: 'work', id: 'main', tabIndex: -1 }, h('h1', { t: 'error.gone' }), h('p', { t: 'error.gone.text' })), true);
    else fail(e);
  }
}

// stand puts a view beside the list of recordings, or another one, or alone.
function stand(el, listed) {
  at('place').classList.toggle('app', Boolean(listed));
  at('place').replaceChildren(...(listed ? [listed === true ? rail.el : listed] : []), el);
}

addEventListener('hashchange', () => open());
// The address names a view, so that a link to a part of the page must not change it.
document.querySelector('.skip')?.addEventListener('click', (e) => {
  e.preventDefault();
  at('main')?.focus({ preventScroll: true });
});
// A sheet of paper has another width, for which the picture has to be laid out before it is printed.
addEventListener('beforeprint', () => {
  document.documentElement.dataset.print = '';
  view?.stage?.draw();
});
addEventListener('afterprint', () => {
  delete document.documentElement.dataset.print;
});

library.addEventListener('change', () => {
  if (!view && !here().path.length) at('place').classList.contains('app') !== library.items.length > 0 && open(true);
});

at('menu').addEventListener('click', () => {
  document.documentElement.toggleAttribute('data-drawer');
});
document.addEventListener('click', (e) => {
  if (!e.target?.closest('.rail, #menu')) delete document.documentElement.dataset.drawer;
});
document.addEventListener('keydown', (e) => {
  if (e.key === 'Escape') delete document.documentElement.dataset.drawer;
  if (e.key === '?' && !e.target?.matches('input:not([type=checkbox], [type=radio]), textarea')) at('help').click();
});

// The bar: language, appearance, help, sign out.
for (const b of document.querySelectorAll('[data-language]')) {
  b.setAttribute('aria-pressed', String(b.dataset.language === language));
  b.addEventListener('click', async () => {
    try {
      await speakIn(b.dataset.language);
    } catch {
      fail(new Problem('error.network'));
      return;
    }
    for (const o of document.querySelectorAll('[data-language]')) o.setAttribute('aria-pressed', String(o === b));
    if (view?.speak)
      view.speak(); // what goes on must not restart
    else open(true);
  });
}
const theme = (name) => {
  if (name) document.documentElement.dataset.theme = name;
  else delete document.documentElement.dataset.theme;
};
theme(localStorage.getItem('theme'));
at('theme').append(icon('moon'));
at('theme').addEventListener('click', () => {
  const dark =
    getComputedStyle(document.documentElement).colorScheme === 'dark' ||
    (!document.documentElement.dataset.theme && matchMedia('(prefers-color-scheme: dark)').matches);
  const to = dark ? 'light' : 'dark';
  localStorage.setItem('theme', to);
  theme(to);
});
at('help').append(icon('help'));
at('menu').append(icon('menu'));
at('help').addEventListener('click', async () => (await dialogs()).help());
at('out').prepend(icon('leave'));
at('out').addEventListener('click', () => session.out());
if (sessionStorage.getItem('motion-token')) document.body.classList.add('named');
document.body.append(input);
fetch(new URL('live/', root), { method: 'OPTIONS' }).then(
  (answer) => {
    document.querySelector('.bar__nav [data-view=live]').hidden = !answer.ok;
  },
  () => {},
);
speak();
open();
library
  .refresh()
  .then(() => Promise.all([recording.load(), dialogs()]))
  .catch(() => {}); // what is opened most is loaded before it is asked for
