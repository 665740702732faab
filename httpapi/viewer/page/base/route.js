// @ts-check
// The address of the page: which view is open, and what of it. "#/recordings/12?t=1.33&show=knee,hip"
// has the path ["recordings", "12"] and two parameters.

// here reads the address.
export function here() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  return { path: path.split('/').filter(Boolean).map(decodeURIComponent), query: new URLSearchParams(query) };
}

// address writes a path and parameters; empty ones are left out.
export function address(path, query = {}) {
  const known = Object.entries(query).filter(([, v]) => v !== undefined && v !== null && v !== '');
  const text = new URLSearchParams(known).toString().replaceAll('%2C', ',');
  return `#/${path.join('/')}${text ? `?${text}` : ''}`;
}

// go opens an address as a new step of the history.
export function go(path, query) {
  location.hash = address(path, query);
}

// become replaces the address without a step and without opening it again.
export function become(path, query) {
  history.replaceState(history.state, '', address(path, query));
}

// keep changes parameters of the address.
export function keep(changes) {
  const { path, query } = here();
  become(path, { ...Object.fromEntries(query), ...changes });
}
