// @ts-check
// The access token: from the server where it trusts this machine, else for a client id and
// secret that the user gives. It is kept for this tab alone, the secret nowhere.
import { Problem } from './api.js';
import { h, field } from './dom.js';
import { say } from './i18n.js';

const kept = 'motion-token';

export class Session {
  #place;
  #token = sessionStorage.getItem(kept);
  /** @type {Promise<string> | null} */
  #asking = null;

  // place is where the form is shown.
  constructor(place) {
    this.#place = place;
  }

  // token returns the token, and waits for the user if there is none.
  token() {
    if (this.#token) return this.#token;
    this.#asking ??= this.#obtain().finally(() => {
      this.#asking = null;
    });
    return this.#asking;
  }

  // forget drops a token that is no longer good.
  forget(token) {
    if (token === this.#token) this.#token = null;
    sessionStorage.removeItem(kept);
  }

  // out ends the session.
  out() {
    sessionStorage.removeItem(kept);
    location.reload();
  }

  async #obtain() {
    const local = await fetch('viewer/token', { method: 'POST' }).catch(() => {
      throw new Problem('error.network');
    });
    if (local.status === 200) return (this.#token = (await local.json()).accessToken);
    const form = local.status === 401 && local.headers.get('Location');
    if (form) {
      location.assign(new URL(form, document.baseURI));
      return new Promise(() => {}); // the page is left
    }
    return new Promise((done) => this.#ask(done));
  }

  #ask(done) {
    const id = h('input', { name: 'id', autocomplete: 'username', required: true });
    const secret = h('input', { name: 'secret', type: 'password', autocomplete: 'current-password', required: true });
    const error = h('p', { class: 'error', role: 'alert' });
    const submit = async (event) => {
      event.preventDefault();
      const body = { grantType: 'client_credentials', clientId: id.value, clientSecret: secret.value };
      const answer = await fetch('oauth/v1/accesstokens', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }).catch(() => null);
      if (answer?.status !== 200) {
        say(error, { 401: 'login.wrong', 404: 'login.nowhere' }[answer?.status ?? 0] ?? 'error.network');
        return;
      }
      const { accessToken } = await answer.json();
      this.#token = accessToken;
      sessionStorage.setItem(kept, accessToken);
      this.#place.replaceChildren();
      document.body.classList.remove('locked');
      document.body.classList.add('named');
      done(accessToken);
    };
    document.body.classList.add('locked');
    this.#place.replaceChildren(
      h(
        'main',
        {},
        h(
          'form',
          { class: 'login card', on: { submit } },
          h('h1', { t: 'login.title' }),
          h('p', { t: 'login.why' }),
          field('login.id', id),
          field('login.secret', secret),
          h('button', { type: 'submit', class: 'btn btn--primary', t: 'login.do' }),
          error,
        ),
      ),
    );
    id.focus();
  }
}
