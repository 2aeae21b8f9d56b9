/** How a subject's text is presented: prose as it is, everything else in a fence that names its language. */

import { withoutClosingTags } from './closing-tags.ts';
import { quoted, withVisibleControls } from './inert-text.ts';
import { extensionOf } from './slugs.ts';
import { cutLine, type SubjectText } from './subject-text.ts';

type ReadableText = Extract<SubjectText, { ok: true }>;

/** Formatted, controls shown; not yet fit for the inside of a tag. */
export function formatSubject(path: string, { text, shownBytes, sizeBytes }: ReadableText): string {
  const language = fenceLanguage(extensionOf(path));
  const shown = withVisibleControls(text);
  const formatted = language === undefined ? shown : fenced(shown, language);
  return sizeBytes > shownBytes ? `${ended(formatted)}${cutLine(shownBytes, sizeBytes)}` : formatted;
}

/** `<subject "slug">` … `</subject>` around a formatted text, which cannot close it. */
export function subjectTag(slug: string, formatted: string): string {
  return `<subject ${quoted(slug)}>\n${ended(withoutClosingTags(formatted))}</subject>`;
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
