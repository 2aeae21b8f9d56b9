/** How a subject's text is presented: prose as it is, everything else in a fence that names its language. */

import { inertText, quoted, withVisibleControls } from './inert-text.ts';
import { extensionOf } from './slugs.ts';
import { cutLine, type SubjectText } from './subject-text.ts';

export type ReadableText = Extract<SubjectText, { ok: true }>;

/** As it is given out alone: controls are shown, and nothing is around it that it could close. */
export function rawSubject(path: string, read: ReadableText): string {
  return formatted(path, read, withVisibleControls(read.text));
}

/** `<subject "slug">` … `</subject>` around a text that cannot close it. */
export function taggedSubject({ slug, path }: { slug: string; path: string }, read: ReadableText): string {
  return `<subject ${quoted(slug)}>\n${ended(formatted(path, read, inertText(read.text)))}</subject>`;
}

function formatted(path: string, { shownBytes, sizeBytes }: ReadableText, shown: string): string {
  const language = fenceLanguage(extensionOf(path));
  const presented = language === undefined ? shown : fenced(shown, language);
  return sizeBytes > shownBytes ? `${ended(presented)}${cutLine(shownBytes, sizeBytes)}` : presented;
}

const PROSE = new Set(['', 'md', 'txt', 'text']);
const LANGUAGES: Readonly<Record<string, string>> = {
  js: 'javascript',
  py: 'python',
  rs: 'rust',
  ts: 'typescript',
  yml: 'yaml',
};

/** Nothing for prose. An extension that no fence could carry gives a fence without a language. */
function fenceLanguage(extension: string): string | undefined {
  const known = extension.toLowerCase();
  if (PROSE.has(known)) return undefined;
  if (Object.hasOwn(LANGUAGES, known)) return LANGUAGES[known];
  return /^[\w+#-]+$/.test(known) ? known : '';
}

function fenced(text: string, language: string): string {
  const runs = text.match(/`+/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return `${fence}${language}\n${ended(text)}${fence}`;
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
