// ja.js, which the service makes of its library's words and the page's own.
declare const words: { [key: string]: string };
export default words;
