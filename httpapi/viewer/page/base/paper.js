// @ts-check
// A report of the service in an iframe.

// lay shows the HTML of a report in a frame that is in the page. The page allows no style and no picture inside a document: both are
// handed over. It returns the object URLs of the pictures, to be revoked when the frame is gone.
/** @param {HTMLIFrameElement} frame @param {string} html */
export function lay(frame, html) {
  const [before, css, after] = html.split(/<\/?style>/),
    report = new DOMParser().parseFromString(before + after, 'text/html'),
    page = /** @type {Document} */ (frame.contentDocument),
    style = new /** @type {any} */ (frame.contentWindow).CSSStyleSheet();
  style.replaceSync(css);
  const urls = [...report.querySelectorAll('image[href^="data:"]')].map((img) => {
    const bytes = Uint8Array.from(atob((img.getAttribute('href') ?? '').split(',')[1]), (c) => c.charCodeAt(0)),
      url = URL.createObjectURL(new Blob([bytes], { type: 'image/jpeg' }));
    img.setAttribute('href', url);
    return url;
  });
  page.adoptedStyleSheets = [style];
  page.body.replaceChildren(...report.body.children);
  return urls;
}
