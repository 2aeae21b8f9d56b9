import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../src/adapters/paths/change-directory.ts';
import { NOBODY, runEnvironment, type Sandbox, sandbox } from '../cli/ken.ts';
import { LAUNCHER } from '../cli/launcher.ts';

describe('a workspace that may only be read', () => {
  const add = (id: string, text = 'warm the pot') => [
    'k',
    'add',
    '--id',
    id,
    '--title',
    'Tea',
    '--text',
    text,
    '--provenance',
    'cmd:x',
  ];

  async function readOnlyWorkspace(): Promise<Sandbox> {
    const place = sandbox('');
    await place.ken(add('a'));
    mkdirSync(temporaryOf(place));
    giveAway(path.dirname(place.root));
    allowWriting(place, false);
    return place;
  }

  it('answers, refuses changes with a clear error, and is left as it was', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root can hand files to somebody else');
    const place = await readOnlyWorkspace();
    const directory = path.join(place.root, '.ken/knowledge');
    const file = path.join(directory, 'knowledge.db');
    const bytes = readFileSync(file);
    const names = readdirSync(directory);
    const ken = (words: readonly string[]) => place.ken(words, { asNobody: true });
    const [show, list] = [await ken(['k', 'show', 'a', '--json']), await ken(['k', 'list', '--json'])];
    expect([show.code, show.stderr, list.code, list.stderr]).toEqual([0, '', 0, '']);
    expect(JSON.parse(show.stdout)).toMatchObject({ entry: { id: 'a', content: 'warm the pot' } });
    expect(await ken(['k', 'search', 'pot'])).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('warm the pot'),
    });
    const refused = {
      code: 1,
      stdout: '',
      stderr: `ken: ${file} may not be written.\nhint: Check who owns it and ${directory}, and whether you may write there.\n`,
    };
    expect(await ken(add('b'))).toEqual(refused);
    expect(await ken(['k', 'decay', '--as-of', '2099-01-01'])).toEqual(refused);
    expect(readFileSync(file).equals(bytes)).toBe(true);
    expect(readdirSync(directory)).toEqual(names);
    allowWriting(place, true);
    expect(await ken(add('b'))).toMatchObject({ code: 0 });
  });

  it('shows what a crashed process left in the log', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root can hand files to somebody else');
    const place = await readOnlyWorkspace();
    const directory = path.join(place.root, '.ken/knowledge');
    chmodSync(directory, 0o755);
    chmodSync(path.join(directory, 'knowledge.db'), 0o644);
    const other = new DatabaseSync(path.join(directory, 'knowledge.db'));
    other.exec("update version set text = 'cool the pot'");
    const files = ['knowledge.db', 'knowledge.db-wal'];
    for (const name of files) copyFileSync(path.join(directory, name), path.join(place.root, name));
    other.close();
    for (const name of files) copyFileSync(path.join(place.root, name), path.join(directory, name));
    giveAway(directory);
    chmodSync(directory, 0o555);
    const { stdout } = await place.ken(['k', 'show', 'a', '--json'], { asNobody: true });
    expect(JSON.parse(stdout)).toMatchObject({ entry: { content: 'cool the pot' } });
  });

  it('is read again by a server once somebody has changed it, and a kill leaves nothing', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root can hand files to somebody else');
    const place = await readOnlyWorkspace();
    const { ask, kill } = serverOfNobody(place);
    expect(await ask('pot')).toContain('warm the pot');
    allowWriting(place, true);
    expect(await place.ken(add('b', 'cool the pot'), { asNobody: true })).toMatchObject({ code: 0 });
    allowWriting(place, false);
    expect(await ask('pot')).toContain('cool the pot');
    await kill();
    expect(readdirSync(temporaryOf(place))).toEqual([]);
  });

  it('leaves no copy of a reader that was killed while it copied, after the next reader', async (context) => {
    if (process.getuid?.() !== 0) return context.skip('only root can hand files to somebody else');
    const place = await readOnlyWorkspace();
    const { ask, kill, pid } = serverOfNobody(place);
    await ask('pot');
    await kill();
    leaveCopy(place, pid);
    const environment = { TMPDIR: temporaryOf(place) };
    await place.ken(['k', 'show', 'a'], { asNobody: true, environment });
    expect(readdirSync(temporaryOf(place))).toEqual([]);
  });
});

function giveAway(directory: string): void {
  for (const entry of ['', ...readdirSync(directory, { recursive: true, encoding: 'utf8' })])
    chownSync(path.join(directory, entry), NOBODY, NOBODY);
}

function allowWriting({ root }: Sandbox, may: boolean): void {
  chmodSync(path.join(root, '.ken/knowledge'), may ? 0o755 : 0o555);
  chmodSync(path.join(root, '.ken/knowledge/knowledge.db'), may ? 0o644 : 0o444);
}

const temporaryOf = ({ root }: Sandbox) => path.join(path.dirname(root), 'temporary');

/** As a reader leaves it that is killed before its copy is open. */
function leaveCopy(place: Sandbox, pid: number): void {
  const name = temporaryDirectory('read', '0').replace(`-${process.pid}-`, `-${pid}-`);
  const copy = path.join(temporaryOf(place), name);
  mkdirSync(copy, { mode: 0o700 });
  chownSync(copy, NOBODY, NOBODY);
}

interface Answer {
  readonly id?: number;
  readonly result?: unknown;
}

/** "ken mcp", run by an account that may not write. */
function serverOfNobody(place: Sandbox) {
  const child = spawn(process.execPath, [LAUNCHER, 'mcp'], {
    cwd: place.root,
    env: runEnvironment(place.home, { TMPDIR: temporaryOf(place) }),
    uid: NOBODY,
    gid: NOBODY,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const request = requestsTo(child);
  const clientInfo = { name: 'test', version: '1' };
  const greeted = request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  return {
    pid: child.pid ?? 0,
    async ask(query: string): Promise<string> {
      await greeted;
      return JSON.stringify(await request('tools/call', { name: 'search', arguments: { query } }));
    },
    async kill() {
      child.kill('SIGKILL');
      await once(child, 'close');
    },
  };
}

function requestsTo({ stdin, stdout }: ChildProcessWithoutNullStreams) {
  const waiting = new Map<number, (result: unknown) => void>();
  let last = 0;
  createInterface({ input: stdout }).on('line', (line) => {
    const { id, result }: Answer = JSON.parse(line);
    if (id !== undefined) waiting.get(id)?.(result);
  });
  return (method: string, params: object): Promise<unknown> => {
    last += 1;
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: last, method, params })}\n`);
    return new Promise((resolve) => waiting.set(last, resolve));
  };
}
