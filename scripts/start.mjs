// `npm start`: shows ken at work on the example workspace. `npm start -- config show` runs that command instead.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import './setup.mjs';

const inRepository = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const EXAMPLE = inRepository('examples/workspace');
/** A copy to play with, and a home of its own outside of the repository: trying ken out leaves nothing behind that matters. */
const WORKSPACE = inRepository('build/example');
const HOME = path.join(mkdtempSync(path.join(tmpdir(), 'ken-example-')), 'home');
process.on('exit', () => rmSync(path.dirname(HOME), { recursive: true, force: true }));

function ken(words, options) {
  return spawnSync(process.execPath, [inRepository('bin/ken.cjs'), ...words], {
    stdio: 'inherit',
    ...options,
  });
}

const inExample = () => ({ cwd: WORKSPACE, env: { ...process.env, KEN_HOME: HOME } });

function prepareExample() {
  rmSync(WORKSPACE, { recursive: true, force: true });
  if (existsSync(EXAMPLE)) cpSync(EXAMPLE, WORKSPACE, { recursive: true });
  ken(['init', '-q', WORKSPACE], {
    env: { ...process.env, KEN_HOME: HOME },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** The first subject that can be read, as the words of a command. */
function firstSubject() {
  const { stdout } = ken(['kb', 'ls', '--json'], { ...inExample(), stdio: 'pipe', encoding: 'utf8' });
  for (const { id, subjects } of JSON.parse(stdout).topics) {
    const visible = subjects.find(({ hidden, learned, disabled }) => !hidden && !learned && !disabled);
    if (visible) return [id, visible.slug];
  }
  return [];
}

/** Shows the workspace, its topics, and an answer that quotes subjects offline. */
function tour() {
  const question = 'Who reviews a change to payments?';
  return [['status'], ['kb', 'ls'], ['learn', ...firstSubject()], ['query', '--new', question]];
}

function shown(word) {
  return word.includes(' ') ? `"${word}"` : word;
}

function showTour() {
  prepareExample();
  for (const words of tour()) {
    process.stdout.write(`$ ken ${words.map(shown).join(' ')}\n`);
    const { status } = ken(words, inExample());
    if (status !== 0) return status ?? 1;
    process.stdout.write('\n');
  }
  process.stdout.write(`Try more of it: cd ${WORKSPACE} && ${inRepository('bin/ken.cjs')} --help\n`);
  return 0;
}

process.stdout.on('error', () => process.exit());
const words = process.argv.slice(2);
process.exitCode = words.length > 0 ? (ken(words).status ?? 130) : showTour();
