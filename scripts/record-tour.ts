// Records the README's tour at a real terminal, and writes it as an animated picture: `node scripts/record-tour.ts`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { tourSteps } from './readme-tour.ts';
import { type Run, terminalPicture } from './terminal-picture.ts';

const root = path.join(import.meta.dirname, '..');
const COLUMNS = 100;
/** The rest of the tour prints much, and shows nothing that moves. */
const RECORDED_STEPS = 6;

/** Runs lines of a shell at a terminal of their own, each time in the directory that the last one ended in. */
function record(commands: string, place: { readonly home: string; directory: string }): Run {
  const cwd = path.join(place.home, 'cwd');
  const script = `stty cols ${COLUMNS} rows 40; ken() { "$NODE" "$KEN" "$@"; }; ${commands}\npwd > "${cwd}"`;
  const { stdout, status } = spawnSync('script', ['-qefc', 'bash -c "$SCRIPT"', '/dev/null'], {
    cwd: place.directory,
    encoding: 'utf8',
    input: '',
    env: {
      PATH: process.env.PATH,
      HOME: place.home,
      KEN_HOME: place.home,
      LANG: 'C.UTF-8',
      TZ: 'UTC',
      TERM: 'xterm-256color',
      PAGER: 'cat',
      NODE: process.execPath,
      KEN: path.join(root, 'bin/ken.cjs'),
      SCRIPT: script,
    },
  });
  if (status !== 0) throw new Error(`The tour stops at:\n${commands}\n${stdout}`);
  place.directory = readFileSync(cwd, 'utf8').trim();
  return { commands: commands.trimEnd(), output: stdout.replaceAll('\r\n', '\n') };
}

const home = mkdtempSync(path.join(tmpdir(), 'ken-tour-'));
try {
  const place = { home, directory: home };
  const steps = tourSteps(readFileSync(path.join(root, 'README.md'), 'utf8')).slice(0, RECORDED_STEPS);
  const runs = steps.map(({ commands }) => record(commands, place));
  const hidden = runs.map(({ commands, output }) => ({ commands, output: output.replaceAll(home, '~') }));
  writeFileSync(path.join(root, 'docs/pictures/tour.svg'), terminalPicture(hidden, COLUMNS));
} finally {
  rmSync(home, { recursive: true });
}
