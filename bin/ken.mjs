#!/usr/bin/env node
// Starts ken. Plain JavaScript for any Node: an old one hands over to the Node that came with the packages.
// No import statements, on purpose: one for "node:fs" takes longer than all the rest of `ken --version`, and a test
// keeps them out.

const REQUIRED_MAJOR = 24;
const isOldNode = Number.parseInt(process.versions.node, 10) < REQUIRED_MAJOR;
const { existsSync } = isOldNode ? await import('node:fs') : process.getBuiltinModule('node:fs');

const inPackage = (relative) => new URL(`../${relative}`, import.meta.url);
const bundle = inPackage('dist/main.js');
const ownNode = inPackage('node_modules/node/bin/node');

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

async function handOver() {
  const [{ spawn }, { fileURLToPath }] = await Promise.all([
    import('node:child_process'),
    import('node:url'),
  ]);
  const node = fileURLToPath(ownNode);
  const words = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(node, words, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => refuse(`ken cannot start ${node}: ${error.message}.`));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Under the caller's own cache, never in a shared temporary directory: cached code is executed. */
function compileCacheDirectory() {
  const { KEN_HOME, XDG_CACHE_HOME, HOME } = process.env;
  if (KEN_HOME) return `${KEN_HOME}/cache/compiled`;
  if (XDG_CACHE_HOME?.startsWith('/')) return `${XDG_CACHE_HOME}/ken/compiled`;
  return HOME && `${HOME}/.cache/ken/compiled`;
}

async function start() {
  const directory = compileCacheDirectory();
  if (directory) process.getBuiltinModule('node:module').enableCompileCache(directory);
  await import(existsSync(bundle) ? bundle : inPackage('src/main.ts'));
}

if (process.platform === 'win32') {
  refuse('ken does not support Windows yet; Linux and macOS work.');
} else if (!existsSync(bundle) && !existsSync(inPackage('node_modules'))) {
  const { fileURLToPath } = await import('node:url');
  refuse(`ken is not set up yet; run "npm start" in ${fileURLToPath(inPackage('.'))} once.`);
} else if (!isOldNode) {
  await start();
} else if (existsSync(ownNode)) {
  await handOver();
} else {
  refuse(`ken needs Node ${REQUIRED_MAJOR} or newer; this is ${process.versions.node}.`);
}
