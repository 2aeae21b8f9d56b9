import type { LanguageFn } from './core.d.ts';

/** One language of highlight.js. */
declare const language: LanguageFn;
// biome-ignore lint/style/noDefaultExport: the package has no other.
export default language;
