#!/usr/bin/env node
// Starts ken. Plain JavaScript for any Node: an old one hands over to the Node that came with the packages.
// No import statements: for "node:fs" alone, one would cost more than the rest of the way to `ken --version`.

const REQUIRED_MAJOR = 24;
const inPackage = (relative) => new URL(`../${relative}`, import.meta.url);

async function handOver(node) {
  const [{ spawn }, { fileURLToPath }] = await Promise.all([
    import('node:child_process'),
    import('node:url'),
  ]);
  const words = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(fileURLToPath(node), words, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Under the user's own cache, never in a shared temporary directory: cached code is executed. */
function compileCacheDirectory() {
  const { KEN_HOME, XDG_CACHE_HOME, HOME } = process.env;
  if (KEN_HOME) return `${KEN_HOME}/cache/compiled`;
  if (XDG_CACHE_HOME) return `${XDG_CACHE_HOME}/ken/compiled`;
  return HOME && `${HOME}/.cache/ken/compiled`;
}

async function start() {
  const directory = compileCacheDirectory();
  if (directory) process.getBuiltinModule('node:module').enableCompileCache(directory);
  const bundle = inPackage('dist/main.js');
  const isBuilt = process.getBuiltinModule('node:fs').existsSync(bundle);
  await import(isBuilt ? bundle : inPackage('src/main.ts'));
}

async function startWithOldNode() {
  const { existsSync } = await import('node:fs');
  const bundled = inPackage('node_modules/node/bin/node');
  if (existsSync(bundled)) return handOver(bundled);
  process.stderr.write(`ken needs Node ${REQUIRED_MAJOR} or newer; this is ${process.versions.node}.\n`);
  process.exitCode = 1;
}

if (process.platform === 'win32') {
  process.stderr.write('ken does not support Windows yet; Linux and macOS work.\n');
  process.exitCode = 1;
} else if (Number(process.versions.node.split('.')[0]) >= REQUIRED_MAJOR) {
  await start();
} else {
  await startWithOldNode();
}
