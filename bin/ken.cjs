#!/usr/bin/env node
// Starts ken. Plain JavaScript for any Node: one that is too old hands over to the Node that came with the packages.
// CommonJS, and few files: what Node does to load an ES module takes longer than all the rest of `ken --version`.
'use strict';

// biome-ignore lint/style/useNodejsImportProtocol: Node 12 knows these names only, and is to be told what ken needs.
const { existsSync, writeSync } = require('fs');
// biome-ignore lint/style/useNodejsImportProtocol: see above
const path = require('path');

const { nodeProblem } = require('./node-version.cjs');

const problem = nodeProblem(process.versions.node);

const inPackage = (relative) => path.join(__dirname, '..', relative);
const bundle = inPackage('dist/main.cjs');
const ownNode = inPackage('node_modules/node/bin/node');

/** The variable with the process that handed over. */
const STARTER = 'KEN_STARTED_BY';
const STARTER_MS = 500;

function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

function handOver() {
  const { spawn } = require('node:child_process');
  const env = { ...process.env, [STARTER]: `${process.pid}` };
  const child = spawn(ownNode, [__filename, ...process.argv.slice(2)], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => refuse(`ken cannot start ${ownNode}: ${error.message}.`));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

/** Ends as at a closed terminal when the process that handed over to this one was killed, which cannot say so. */
function endWithStarter() {
  const starter = Number(process.env[STARTER]);
  delete process.env[STARTER];
  const timer = setInterval(() => {
    if (process.ppid === starter) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGHUP');
  }, STARTER_MS);
  timer.unref();
}

function start() {
  if (process.env[STARTER]) endWithStarter();
  if (process.argv[2] === '--version' && printVersion()) return;
  if (existsSync(bundle)) require('./compiled-code.cjs').runBundle(bundle);
  else void import(inPackage('src/main.ts'));
}

/** Straight to the file descriptor: the bundle, or a stream, takes longer than all the rest. Answers whether it worked. */
function printVersion() {
  try {
    writeSync(1, `${require('../package.json').version}\n`);
    return true;
  } catch {
    return false;
  }
}

if (process.platform === 'win32') {
  refuse('ken does not support Windows yet; Linux and macOS work.');
} else if (!existsSync(bundle) && !existsSync(inPackage('node_modules'))) {
  refuse(`ken is not set up yet; run "npm start" in ${inPackage('/')} once.`);
} else if (problem === undefined) {
  start();
} else if (existsSync(ownNode)) {
  handOver();
} else {
  refuse(problem);
}
