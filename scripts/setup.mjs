// Makes a fresh clone ready: packages, the right Node, the bundle. Runs on any Node from 20; silent when nothing is due.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..');
const stampFile = path.join(root, 'node_modules', '.ken-setup');

function say(text) {
  process.stderr.write(`setup: ${text}\n`);
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) {
    say(`"${command} ${args.join(' ')}" failed${result.error ? `: ${result.error.message}` : ''}`);
    process.exit(result.status || 1);
  }
}

function installPackages() {
  const stamp = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  say('installing packages (npm ci)');
  // Grammar packages would compile natively on install; only these two scripts are wanted.
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']);
  run('npm', ['rebuild', 'node', 'esbuild', '--loglevel=error']);
  writeFileSync(stampFile, stamp);
}

const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  say(`Node ${process.versions.node} is too old to set ken up; Node 20 or newer is needed.`);
  process.exit(1);
}
installPackages();
run(path.join(root, 'node_modules', 'node', 'bin', 'node'), [path.join(root, 'scripts', 'build.mjs')]);
