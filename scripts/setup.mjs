// Makes a fresh clone ready: packages, the right Node, the bundle. Runs on any Node from 18; silent when nothing is due.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLock } from './lock.mjs';

const OLDEST_MAJOR = 18;
const root = fileURLToPath(new URL('..', import.meta.url));
const stampFile = path.join(root, 'node_modules', '.ken-setup');
const ownNode = path.join(root, 'node_modules', 'node', 'bin', 'node');

/** Output of other programs is shown only when they fail. */
function run(command, args) {
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return;
  process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`);
  const reason = error ? `: ${error.message}` : '';
  process.stderr.write(`setup: "${[path.basename(command), ...args].join(' ')}" failed${reason}\n`);
  process.exit(status || 1);
}

async function installPackages() {
  const stamp = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  const isDone = () =>
    existsSync(ownNode) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (isDone()) return;
  await withLock(path.join(root, 'build/setup.lock'), () => {
    if (isDone()) return;
    process.stderr.write('setup: installing packages; this takes a while the first time\n');
    // Development and optional packages are needed even where the caller's npm is configured to leave them out. Only
    // the two packages whose binaries come by script may run one.
    run('npm', ['ci', '--ignore-scripts', '--include=dev', '--include=optional', '--no-audit', '--no-fund']);
    run('npm', ['rebuild', 'node', 'esbuild', '--ignore-scripts=false', '--foreground-scripts']);
    writeFileSync(stampFile, stamp);
  });
}

if (Number.parseInt(process.versions.node, 10) < OLDEST_MAJOR) {
  process.stderr.write(
    `setup: Node ${process.versions.node} is too old to set ken up; ${OLDEST_MAJOR} or newer is needed.\n`,
  );
  process.exit(1);
}
await installPackages();
run(ownNode, [path.join(root, 'scripts', 'build.mjs')]);
