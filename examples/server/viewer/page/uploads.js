// Dropping, choosing and uploading files.
import { h, button } from './dom.js';
import { say, label } from './i18n.js';
import { Problem } from './api.js';
import { hold, kindOf } from './files.js';
import { md5 } from './md5.js';

export class Uploads {
  #api;
  #list = h('ul', { class: 'uploads', label: 'upload.list' });
  #made;

  // made is called with the new keypoint record of each file.
  constructor(api, made) {
    this.#api = api;
    this.#made = made;
    const input = h('input', { type: 'file', multiple: true, id: 'files', class: 'hidden-file', accept: 'image/*,video/*,.mkv,.avi,.tif,.tiff,.bmp',
      on: { change: () => { this.add(input.files); input.value = ''; } } });
    const zone = h('div', { class: 'zone' }, h('p', { t: 'upload.drop', class: 'wide-only' }), input,
      h('label', { for: 'files', class: 'button main', t: 'upload.choose' }));
    this.el = h('section', { class: 'card', label: 'upload.title' }, h('h2', { t: 'upload.title' }), zone, this.#list);
    this.#dropping(zone);
  }

  // dropping takes files anywhere on the page.
  #dropping(zone) {
    const carries = (e) => e.dataTransfer?.types.includes('Files');
    let inside = 0;
    const mark = () => zone.classList.toggle('over', inside > 0);
    addEventListener('dragenter', (e) => { if (carries(e)) { inside++; mark(); } });
    addEventListener('dragleave', (e) => { if (carries(e)) { inside--; mark(); } });
    addEventListener('dragover', (e) => { if (carries(e)) e.preventDefault(); });
    addEventListener('drop', (e) => {
      if (!carries(e)) return;
      e.preventDefault();
      inside = 0;
      mark();
      this.add(e.dataTransfer.files);
    });
  }

  // add uploads files one after the other.
  async add(files) {
    for (const row of Array.from(files, (f) => this.#row(f))) await row();
  }

  #row(file) {
    const stop = new AbortController();
    const bar = h('progress', { max: 1, value: 0, label: 'upload.progress', labelArgs: { name: file.name } });
    const state = h('span', { class: 'state', role: 'status', t: 'upload.waits' });
    const cancel = button('upload.cancel', () => stop.abort(), { label: 'upload.cancelOf', labelArgs: { name: file.name } });
    const row = h('li', {}, h('span', { class: 'name' }, file.name), bar, state, cancel);
    this.#list.prepend(row);
    return async () => {
      try {
        const record = await this.#send(file, stop.signal, (key, part) => { say(state, key); bar.value = part; });
        row.remove();
        this.#made(record);
      } catch (e) {
        const aborted = stop.signal.aborted;
        if (!aborted && !(e instanceof Problem)) throw e;
        say(state, aborted ? 'upload.cancelled' : e.key, e.args);
        row.classList.toggle('failed', !aborted);
        bar.remove();
        say(cancel, 'upload.dismiss');
        label(cancel, 'upload.dismissOf', { name: file.name });
        cancel.addEventListener('click', () => row.remove());
      }
    };
  }

  // send registers and uploads a file and asks for its keypoints.
  async #send(file, signal, progress) {
    signal.throwIfAborted();
    const kind = kindOf(file);
    if (!kind) throw new Problem('upload.neither');
    if (file.size === 0) throw new Problem('upload.empty');
    progress('upload.sums', 0);
    let sum;
    try {
      sum = await md5(file, { signal, progress: (p) => progress('upload.sums', p) });
    } catch {
      signal.throwIfAborted();
      throw new Problem('upload.unreadable');
    }
    progress('upload.sends', 0);
    const media = await this.#api.post(`${kind}/`, { name: file.name, contentMd5: sum }, signal);
    await this.#api.upload(media.uploadUrl, file, { signal, progress: (p) => progress('upload.sends', p) });
    hold(sum, file);
    return this.#api.post('keypoints/', { [kind === 'images' ? 'imageId' : 'movieId']: media.id }, signal);
  }
}
