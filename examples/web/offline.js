// @ts-check
// Keeps the page and all that it needs in the browser, so that it works without a network.
const kept = 'motion-/*version*/';
const files = /*files*/ [];

addEventListener('install', (/** @type {any} */ e) => {
  e.waitUntil(caches.open(kept).then((cache) => cache.addAll(files.map((name) => new Request(name, { cache: 'no-cache' })))));
});

addEventListener('activate', (/** @type {any} */ e) => {
  const others = async () => {
    for (const name of await caches.keys()) if (name.startsWith('motion-') && name !== kept) await caches.delete(name);
    await /** @type {any} */ (globalThis).clients.claim();
  };
  e.waitUntil(others());
});

addEventListener('fetch', (/** @type {any} */ e) => {
  if (e.request.method !== 'GET' || new URL(e.request.url).origin !== location.origin) return;
  const answer = async () => {
    const cache = await caches.open(kept);
    const known = await cache.match(e.request, { ignoreSearch: true });
    if (known) return known;
    const fresh = await fetch(e.request);
    if (fresh.ok && new URL(e.request.url).pathname.endsWith('.onnx')) await cache.put(e.request, fresh.clone());
    return fresh;
  };
  e.respondWith(answer());
});
