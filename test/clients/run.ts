// npm run test:clients [-- NAME…]: installs real clients outside of node_modules, starts them with a stand-in for their
// model, and records what that model would have read. A client that does not install is skipped with the reason. The
// directory in KEN_CLIENTS, if it is set, keeps what was installed.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LAUNCHER } from '../cli/launcher.ts';
import { REAL_CLIENTS, type RealClient } from './clients.ts';
import { type ModelServer, modelServer } from './model-server.ts';
import { problemsOf, type Recording, recordedResult, recordingFile } from './recordings.ts';
import { RULE, SCENARIOS } from './scenarios.ts';
import { fillWorkspace } from './workspace.ts';

const SERVER = path.join(import.meta.dirname, '../mcp/odd-server-child.ts');
const PATIENCE_MS = 180_000;
/** Claude Code's names of ken's tools. */
const OF_KEN = 'mcp__ken__';

const base = realpathSync(mkdtempSync(path.join(tmpdir(), 'ken-clients-')));
const installed = process.env.KEN_CLIENTS ?? path.join(base, 'installed');
const wanted = process.argv.slice(2);
let isGood = true;
try {
  for (const client of REAL_CLIENTS) {
    if (wanted.length > 0 && !wanted.includes(client.program)) continue;
    const program = install(client);
    if (program === undefined) continue;
    const recording = await record(client, program);
    const problems = problemsOf(recording);
    mkdirSync(path.dirname(recordingFile(client.program)), { recursive: true });
    if (problems.length === 0)
      writeFileSync(recordingFile(client.program), `${JSON.stringify(recording, null, 2)}\n`);
    say(`${problems.length === 0 ? 'ok' : 'FAILED'}\t${client.npm}`);
    for (const problem of problems) say(`\t${problem}`);
    isGood &&= problems.length === 0;
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}
process.exit(isGood ? 0 : 1);

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function install({ npm, program }: RealClient): string | undefined {
  const directory = path.join(installed, npm.replaceAll(/[@/]/g, '_'));
  const file = path.join(directory, 'node_modules/.bin', program);
  if (existsSync(file)) return file;
  mkdirSync(directory, { recursive: true });
  writeFileSync(path.join(directory, 'package.json'), '{"private":true}');
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', npm], {
    cwd: directory,
    encoding: 'utf8',
  });
  if (status === 0 && existsSync(file)) return file;
  say(`skipped\t${npm}: it does not install: ${stderr.trim().split('\n').at(-1)}`);
  return undefined;
}

async function record(client: RealClient, program: string): Promise<Recording> {
  const { root, home, environment, hookText } = await workspaceFor(client);
  const model = await modelServer(SCENARIOS);
  try {
    const env = { KEN_HOME: environment.KEN_HOME };
    const server = { command: process.execPath, args: [SERVER], env };
    const { environment: own, words } = client.prepare({ root, home, url: model.url, server });
    const start = (given: readonly string[], more = {}) =>
      startClient(program, given, { root, environment: { ...environment, ...own, ...more } });
    const textAtStart = hookText();
    await start(words);
    const atStart = toldIn(model.exchanges, textAtStart);
    for (const further of client.afterwards?.(words) ?? []) await start(further);
    const hooks = { atStart, afterCompaction: toldIn(afterCompaction(model), hookText()) };
    const recording = recordingOf(client, model);
    if (client.deferring) await start(words, client.deferring);
    return {
      ...recording,
      ...(client.afterwards && { hooks }),
      ...(client.deferring && { shownAtOnce: shownTools(model) }),
    };
  } finally {
    await model.close();
  }
}

async function workspaceFor({ program, setUp }: RealClient) {
  const root = path.join(base, program, 'work');
  const home = path.join(base, program, 'home');
  // A hook finds ken on the path.
  mkdirSync(`${home}/bin`, { recursive: true });
  writeFileSync(`${home}/bin/ken`, `#!/bin/sh\nexec "${process.execPath}" "${LAUNCHER}" "$@"\n`);
  chmodSync(`${home}/bin/ken`, 0o755);
  const environment = {
    PATH: `${home}/bin:${process.env.PATH}`,
    HOME: home,
    KEN_HOME: `${home}/ken`,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  };
  const ken = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(`${home}/bin/ken`, words, {
      cwd: root,
      env: environment,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`ken ${words.join(' ')}: ${stderr}`);
    return stdout;
  };
  await fillWorkspace({
    root,
    home: environment.KEN_HOME,
    jobAfterSeconds: 5,
    async ken(...words) {
      ken(...words);
    },
  });
  if (setUp) ken('setup', setUp.as);
  if (program === 'claude') ken('setup', 'claude-code', '--hooks');
  if (program === 'codex') ken('setup', 'codex', '--hooks');
  if (program === 'claude') rmSync(`${root}/.mcp.json`);
  if (program === 'codex') rmSync(`${root}/.codex/config.toml`);
  const hookText = (): string =>
    JSON.parse(ken('hook', 'session-start')).hookSpecificOutput.additionalContext;
  return { root, home, environment, hookText };
}

interface Start {
  readonly root: string;
  readonly environment: Record<string, string>;
}

async function startClient(
  program: string,
  words: readonly string[],
  { root, environment }: Start,
): Promise<void> {
  const child = spawn(program, words, { cwd: root, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said += chunk;
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  if (code !== 0) say(`${program} ended with ${code}: ${said.slice(-2000)}`);
}

function recordingOf(client: RealClient, model: ModelServer): Recording {
  const { npm, name, hasBothForms, keepsInstructions, setUp } = client;
  return {
    name,
    npm,
    ...(hasBothForms && { hasBothForms }),
    ...(keepsInstructions && { keepsInstructions }),
    ...(setUp && { setUpTools: toolsOf(setUp.beginning, model) }),
    results: SCENARIOS.map((scenario, at) =>
      recordedResult(scenario.name, (model.results[at] ?? '').replaceAll(base, '/tmp/clients')),
    ),
    hasInstructions: model.exchanges.some(({ body }) =>
      body.includes('Ask it before you guess or read many files'),
    ),
    hasRule: model.exchanges.some(({ body }) => body.includes(RULE)),
  };
}

/** The words of a hook, if they stand in a request. */
function toldIn(exchanges: ModelServer['exchanges'], text: string): string {
  return exchanges.some(({ body }) => body.includes(JSON.stringify(text).slice(1, -1))) ? text : '';
}

/** Tools of ken that the last request offers by name and schema. */
function shownTools(model: ModelServer): string {
  return toolsOf(OF_KEN, model);
}

function toolsOf(beginning: string, { offered }: ModelServer): string {
  const names = (offered.at(-1) ?? []).filter((name) => name.startsWith(beginning));
  return names
    .map((name) => name.slice(beginning.length))
    .sort()
    .join(', ');
}

/** After a compaction, what the last call answered is not in the conversation any more. */
function afterCompaction({ exchanges }: ModelServer): ModelServer['exchanges'] {
  const holds = (body: string) => body.includes('There is no topic');
  const at = exchanges.findIndex(({ body }) => holds(body));
  return at === -1 ? [] : exchanges.slice(at).filter(({ body }) => !holds(body));
}
