/** Dotted keys such as `kb.topic.project.title`; a segment with other characters is quoted. */

import { Fault } from '../base/fault.ts';

export type KeyPath = readonly string[];

const BARE = /^[A-Za-z0-9_*-]+$/;
const SEGMENT = /\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^."'\s]+))\s*(\.|$)/y;

/** A Fault when the text is not a dotted key. */
export function parseKeyPath(text: string): KeyPath {
  const path: string[] = [];
  SEGMENT.lastIndex = 0;
  while (SEGMENT.lastIndex < text.length || path.length === 0) {
    const match = SEGMENT.exec(text);
    if (!match) throw badKey(text);
    const [, doubled, single, bare, end] = match;
    path.push(doubled === undefined ? (single ?? bare ?? '') : unquoted(doubled, text));
    if (end === '' && SEGMENT.lastIndex < text.length) throw badKey(text);
    if (end === '.' && SEGMENT.lastIndex === text.length) throw badKey(text);
    if (end === '') break;
  }
  return path;
}

export function formatKeyPath(path: KeyPath): string {
  return path.map((segment) => (BARE.test(segment) ? segment : JSON.stringify(segment))).join('.');
}

function unquoted(inner: string, whole: string): string {
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    throw badKey(whole);
  }
}

function badKey(text: string): Fault {
  return new Fault('config/bad-key', `"${text}" is not a config key.`, {
    hint: 'Keys look like kb.topic.project.title; quote a part that has odd characters.',
  });
}
