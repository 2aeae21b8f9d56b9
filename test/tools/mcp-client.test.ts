/** The adapter to MCP servers, with a server that is a program of its own. */

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { mcpToolServers } from '../../src/adapters/mcp-client/tool-servers.ts';
import { systemStarter } from '../../src/adapters/system/start-process.ts';
import { serverNamed } from '../../src/domain/tools/server-settings.ts';
import { itServesTools } from '../../src/domain/tools/tool-servers.contract.ts';
import type { ToolServers } from '../../src/domain/tools/tool-servers.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { isAlive, OFFICIAL, SCRIPTED } from './mcp-sandbox.ts';

const never = new AbortController().signal;

function servers(args: readonly string[]): ToolServers {
  const entry = { command: process.execPath, args, optional: false, startup_timeout_s: 20 };
  const opened = mcpToolServers(
    {
      starter: systemStarter,
      fetch: () => Promise.reject(new Error('no network')),
      directory: '/',
      environment: { PATH: process.env.PATH ?? '' },
    },
    (name) => serverNamed({ s: entry }, name, {}),
  );
  onTestFinished(() => opened.close());
  return opened;
}

itServesTools('MCP', () => servers([SCRIPTED, temporaryDirectory()]), {
  echo: 'echo',
  fail: 'fail',
  progress: 'progress',
  hang: 'hang',
  die: 'die',
});

it('starts one server however many ask at once, and ends it', async () => {
  const directory = path.join(temporaryDirectory(), 'log');
  mkdirSync(directory);
  const opened = servers([SCRIPTED, directory]);
  await Promise.all(Array.from({ length: 20 }, () => opened.list('s', never)));
  const started = readFileSync(path.join(directory, 'log'), 'utf8').match(/start \d+/g) ?? [];
  expect(started).toHaveLength(1);
  await opened.close();
  expect(started.map((line) => Number(line.slice(6))).filter(isAlive)).toEqual([]);
});

it('ends what a server left behind when it ended by itself', async () => {
  const opened = servers([SCRIPTED, temporaryDirectory()]);
  const offer = (await opened.list('s', never)).find(({ tool }) => tool === 'leave');
  if (!offer) throw new Error('it cannot leave');
  const limits = { idleMs: 10_000, totalMs: 10_000 };
  const { outcome } = await opened.call({ server: 's', offer, arguments: {}, limits }, never);
  const child = outcome.type === 'success' ? Number(outcome.text) : 0;
  expect(child).toBeGreaterThan(1);
  await vi.waitFor(() => expect(isAlive(child)).toBe(false), { timeout: 30_000 });
});

it('tells of the official everything server that is killed during a call, and starts it again', async () => {
  const opened = servers([OFFICIAL.everything, 'stdio']);
  const offers = await opened.list('s', never);
  const [long, echo] = ['trigger-long-running-operation', 'echo'].map((name) =>
    offers.find(({ tool }) => tool === name),
  );
  if (!long || !echo) throw new Error('it offers other tools');
  const limits = { idleMs: 20_000, totalMs: 20_000 };
  const killed = opened.call(
    {
      server: 's',
      offer: long,
      arguments: { duration: 20, steps: 200 },
      limits,
      // It is at work.
      onProgress: () =>
        void childrenOf(process.pid, OFFICIAL.everything).map((pid) => process.kill(pid, 'SIGKILL')),
    },
    never,
  );
  await expect(killed).rejects.toMatchObject({
    code: 'tools/server-ended',
    hint: expect.stringContaining('It was ended by SIGKILL.'),
  });
  const again = await opened.call({ server: 's', offer: echo, arguments: { message: 'hi' }, limits }, never);
  expect(again.outcome).toEqual({ type: 'success', text: 'Echo: hi' });
});

/** Processes that this one started to run a script. */
function childrenOf(parent: number, script: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/stat`, 'latin1');
        const [, ppid] = line.slice(line.lastIndexOf(')') + 2).split(' ');
        return Number(ppid) === parent && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(script);
      } catch {
        return false;
      }
    });
}

it('waits longer for a tool that tells how far it is', async () => {
  const opened = servers([OFFICIAL.everything, 'stdio']);
  const offer = (await opened.list('s', never)).find(({ tool }) => tool === 'trigger-long-running-operation');
  if (!offer) throw new Error('it offers no long work');
  const call = { server: 's', offer, arguments: { duration: 4, steps: 16 }, onProgress: () => {} };
  const patient = { idleMs: 2000, totalMs: 60_000 };
  expect((await opened.call({ ...call, limits: patient }, never)).outcome.type).toBe('success');
  const hurried = { idleMs: 2000, totalMs: 1000 };
  await expect(opened.call({ ...call, limits: hurried }, never)).rejects.toMatchObject({
    code: 'tools/timeout',
  });
});

it('hears how far the official everything server is', async () => {
  const opened = servers([OFFICIAL.everything, 'stdio']);
  const offer = (await opened.list('s', never)).find(({ tool }) => tool === 'trigger-long-running-operation');
  if (!offer) throw new Error('it offers no long work');
  const told: number[] = [];
  const { outcome } = await opened.call(
    {
      server: 's',
      offer,
      arguments: { duration: 0.3, steps: 3 },
      limits: { idleMs: 10_000, totalMs: 10_000 },
      onProgress: ({ done }) => void told.push(done),
    },
    never,
  );
  expect(outcome.type).toBe('success');
  // The last may come after the answer.
  expect(told.slice(0, 2)).toEqual([1, 2]);
});
