// Runs the checks of ken, and prints what they find as annotations of a pull request.
'use strict';

const { spawnSync } = require('node:child_process');
const path = require('node:path');

/** Runs a command of ken whose exit code 6 says that it found something. */
function ken(...words) {
  const { status, stdout, stderr, error } = spawnSync('ken', [...words, '--json'], { encoding: 'utf8' });
  if (status === 0 || status === 6) return JSON.parse(stdout);
  throw new Error(`ken ${words.join(' ')} failed: ${error?.message ?? stderr}`);
}

const CHECKS = { kb: checkTopics, knowledge: verifyEvidence };

/** Mistakes in topics; a finding about a subject is marked at its first line. */
function checkTopics() {
  const files = new Map();
  for (const { id, directory, subjects } of ken('kb', 'ls', '--hidden').topics)
    for (const { slug, path: file } of subjects)
      files.set(`${id}/${slug}`, path.join(directory ?? '', file ?? ''));
  return ken('kb', 'check').findings.map(({ topic, slug, message }) => ({
    level: 'error',
    file: files.get(`${topic}/${slug}`) ?? '.ken/config.toml',
    text: `${topic}${slug ? `/${slug}` : ''}: ${message}`,
  }));
}

const WORDS = {
  changed: 'what stood there has changed',
  missing: 'what stood there is gone',
  moved: 'what stood there has moved',
};

/** Evidence that is not as it was. Evidence that cannot be checked, such as a command, is no finding. */
function verifyEvidence() {
  return ken('knowledge', 'verify').citations.flatMap(({ id, provenance, verdict, moved_to: movedTo }) => {
    const words = WORDS[verdict];
    if (!words) return [];
    const [, file, line] = /^file:(.*?)(?:#L(\d+).*)?$/.exec(provenance) ?? [];
    const where = movedTo ? ` to ${movedTo}` : '';
    const text = `The entry "${id}" cites ${provenance}: ${words}${where}.`;
    return [{ level: verdict === 'moved' ? 'warning' : 'error', file, line, text }];
  });
}

/** As GitHub reads it: `%`, line ends and, in values, commas and colons are escaped. */
function annotation({ level, file, line, text }) {
  const property = (value) => escaped(value).replaceAll(':', '%3A').replaceAll(',', '%2C');
  const place = file ? ` file=${property(inRepository(file))}${line ? `,line=${line}` : ''}` : '';
  return `::${level}${place}::${escaped(text)}\n`;
}

function escaped(text) {
  return String(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function inRepository(file) {
  const root = process.env.GITHUB_WORKSPACE;
  return root ? path.relative(root, path.resolve(file)) : file;
}

const wanted = (process.env.KEN_CHECKS ?? 'kb knowledge').split(/\s+/).filter(Boolean);
const unknown = wanted.filter((name) => !Object.hasOwn(CHECKS, name));
if (unknown.length > 0) throw new Error(`There is no check "${unknown.join(' ')}".`);
const findings = wanted.flatMap((name) => CHECKS[name]());
for (const finding of findings) process.stdout.write(annotation(finding));
const failing = { error: ['error'], warning: ['error', 'warning'], never: [] }[
  process.env.KEN_FAIL_ON ?? 'error'
];
process.stdout.write(`${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}\n`);
if (findings.some(({ level }) => failing?.includes(level))) process.exitCode = 1;
