/** The style sheet and the scripts of the page, by names that change with their content. */

import { createHash } from 'node:crypto';
import { builtFile, readShipped } from '../../base/package-files.ts';

export interface Asset {
  readonly name: string;
  readonly type: string;
  readonly content: string;
}

export interface Assets {
  readonly style: Asset;
  readonly script: Asset;
  /** Holds the stream of events for all tabs. */
  readonly worker: Asset;
  /** Only for the page that edits a subject. */
  readonly editor: Asset;
}

export function readAssets(): Assets {
  return {
    style: asset('style.css', 'text/css; charset=utf-8'),
    script: asset('client.js', 'text/javascript; charset=utf-8'),
    worker: asset('worker.js', 'text/javascript; charset=utf-8'),
    editor: asset('editor.js', 'text/javascript; charset=utf-8'),
  };
}

function asset(file: string, type: string): Asset {
  const content = readShipped(builtFile(`web/${file}`)).toString('utf8');
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  return { name: `${hash}-${file}`, type, content };
}

/** With a number, that many things wait. */
export function favicon(waiting: number): string {
  const mark =
    waiting === 0
      ? ''
      : '<circle cx="25" cy="7" r="7" fill="#a8380a"/>' +
        `<text x="25" y="10.5" font-size="10" font-family="sans-serif" text-anchor="middle" fill="#fff">${waiting > 9 ? '9+' : waiting}</text>`;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1f5f5b"/>' +
    '<path d="M10 7v18M22 8 12 17l10 8" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/>' +
    `${mark}</svg>`
  );
}
