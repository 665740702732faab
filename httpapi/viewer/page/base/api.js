// @ts-check
// The v1 API. Every failure is a Problem whose message can be shown to the user.
import { plain } from './i18n.js';

export const root = new URL(document.documentElement.dataset.api ?? 'anymotion/v1/', document.baseURI); // of the API

// Problem is what went wrong: key and args of the dictionaries, or the words of the service,
// and the places of the request that the service names.
export class Problem extends Error {
  /** @param {string} key @param {{status?: number, args?: {[name: string]: any}, places?: string[]}} more */
  constructor(key, { status = 0, args = {}, places = [] } = {}) {
    super(key);
    this.key = key;
    this.status = status;
    this.args = args;
    this.places = places;
  }
}

// problemOf reads an answer that is an error.
function problemOf(status, text) {
  let p = {};
  try {
    p = JSON.parse(plain(text));
  } catch {
    /* not from the API: the status says it */
  }
  const places = (p.errors ?? [])
    .map((e) => `${e.pointer ?? e.parameter ?? ''} ${e.detail}`.trim())
    .filter((words) => !p.detail?.includes(words));
  return new Problem(p.detail || 'error.status', { status, args: { status }, places });
}

const pause = (ms, signal) =>
  /** @type {Promise<void>} */ (
    new Promise((done, fail) => {
      signal?.throwIfAborted();
      const timer = setTimeout(done, ms);
      signal?.addEventListener(
        'abort',
        () => {
          clearTimeout(timer);
          fail(signal.reason);
        },
        { once: true },
      );
    })
  );

export class API {
  #session;
  #tell;

  // tell is called with the Problem when the server is away, and with null when it is there again.
  /** @param {{token(): string | Promise<string>, forget(token: string): void}} session @param {(away: Problem | null) => void} tell */
  constructor(session, tell) {
    this.#session = session;
    this.#tell = tell;
  }

  // patiently does some work again and again until the server is not away.
  /** @template T @param {() => Promise<T>} work @param {AbortSignal} [signal] @returns {Promise<T>} */
  async patiently(work, signal) {
    for (let away = false; ; away = true) {
      try {
        const done = await work();
        if (away) this.#tell(null);
        return done;
      } catch (e) {
        if (signal?.aborted || e.key !== 'error.network') throw e;
        this.#tell(e);
      }
      await pause(1500, signal);
    }
  }

  async #send(method, path, body, signal) {
    const token = await this.#session.token();
    const headers = { Authorization: `Bearer ${token}` };
    if (body) headers['Content-Type'] = 'application/json';
    let answer, text;
    try {
      answer = await fetch(new URL(path, root), {
        method,
        headers,
        signal,
        body: body && JSON.stringify(body),
        keepalive: method === 'DELETE',
      }); // which goes on when the page is left
      text = await answer.text();
    } catch (e) {
      if (signal?.aborted) throw signal.reason;
      throw new Problem('error.network');
    }
    return { answer, text, token };
  }

  // call sends a request and returns the answer's document.
  async call(method, path, body, signal) {
    let { answer, text, token } = await this.#send(method, path, body, signal);
    if (answer.status === 401) {
      // expired, or the server was started again
      this.#session.forget(token);
      ({ answer, text } = await this.#send(method, path, body, signal));
    }
    if (!answer.ok) throw problemOf(answer.status, text);
    return text ? JSON.parse(plain(text)) : null; // 204 has none
  }

  get(path, signal) {
    return this.call('GET', path, undefined, signal);
  }

  post(path, body, signal) {
    return this.call('POST', path, body, signal);
  }

  patch(path, body, signal) {
    return this.call('PATCH', path, body, signal);
  }

  delete(path, signal) {
    return this.call('DELETE', path, undefined, signal);
  }

  // file reads what is not JSON: a picture, a table, a report.
  async file(path, signal) {
    const token = await this.#session.token();
    let answer;
    try {
      answer = await fetch(new URL(path, root), { headers: { Authorization: `Bearer ${token}` }, signal });
      if (!answer.ok) throw problemOf(answer.status, await answer.text());
      return await answer.blob();
    } catch (e) {
      if (signal?.aborted) throw signal.reason;
      throw e instanceof Problem ? e : new Problem('error.network');
    }
  }

  // socket opens a WebSocket with a protocol. The token goes along as another one, for browsers send no headers.
  async socket(path, protocol) {
    const token = await this.#session.token();
    return new WebSocket(new URL(path, root).href.replace(/^http/, 'ws'), [protocol, `bearer.${token}`]);
  }

  // finished polls a record until it is done, and throws what it failed with. It waits for a server that is away. tell is
  // called with the part of the work that is done, null where it is not known.
  /** @param {string} path @param {{signal?: AbortSignal, tell?: (part?: number | null) => void}} options */
  async finished(path, { signal, tell = () => {} } = {}) {
    for (let wait = 50; ; wait = Math.min(2000, wait * 1.5)) {
      const record = await this.patiently(() => this.get(path, signal), signal);
      tell(record.progress);
      if (record.execStatus === 'SUCCESS') return record;
      if (record.execStatus === 'FAILURE') throw new Problem(record.failureDetail);
      await pause(wait, signal);
    }
  }

  // upload sends a file to the address that its registration gave.
  /** @param {string} url @param {File} file @param {{signal: AbortSignal, progress: (part: number) => void}} options
   * @returns {Promise<void>} */
  upload(url, file, { signal, progress }) {
    return new Promise((done, fail) => {
      const request = new XMLHttpRequest(); // fetch does not tell how much is sent
      const stop = () => request.abort();
      signal.throwIfAborted();
      signal.addEventListener('abort', stop, { once: true });
      request.upload.onprogress = (e) => progress(e.total ? e.loaded / e.total : 1);
      request.onload = () => (request.status === 200 ? done() : fail(problemOf(request.status, request.responseText)));
      request.onerror = () => fail(new Problem('error.network'));
      request.onabort = () => fail(signal.reason);
      request.onloadend = () => signal.removeEventListener('abort', stop);
      request.open('PUT', url);
      request.send(file);
    });
  }
}
