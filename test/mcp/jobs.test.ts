import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { type Connected, connect, ERAS, type Era, ODD_SERVER, textOf } from './connect.ts';

const WAIT = { timeout: 20_000, interval: 50 };
/** A call that became no job would not be answered at all: its tool waits to be released. */
const PATIENCE = { timeout: 20_000 };

function workspace(): Sandbox {
  const place = sandboxHere('');
  mkdirSync(path.join(place.home, 'config'), { recursive: true });
  writeOwnConfig(place.home, 'mcp.job_after_s = 1\n');
  return place;
}

async function startJob(
  place: Sandbox,
  era: Era,
  transport: 'stdio' | 'http' = 'stdio',
  name = 'held',
): Promise<Connected & { id: string }> {
  const connected = await connect(place, { era, program: ODD_SERVER, words: [], transport });
  // What is pending makes the store of jobs, which a busy machine may take a while to open.
  await connected.client.callTool({ name: 'asks', arguments: {} });
  const answer = await connected.client.callTool({ name, arguments: {} }, PATIENCE);
  const { job } = answer.structuredContent as { job: { id: string; status: string } };
  expect(job.status).toBe('running');
  expect(textOf(answer)).toBe(
    `This takes long and goes on as job ${job.id}. Ask job_status {"id":"${job.id}"} what comes of it.`,
  );
  return { ...connected, id: job.id };
}

async function statusOf({ client }: Pick<Connected, 'client'>, id: string) {
  return (await client.callTool({ name: 'job_status', arguments: { id } })).structuredContent as {
    status: string;
    progress?: { phase: string };
  };
}

async function shown(place: Sandbox, id: string): Promise<{ status: string }> {
  return JSON.parse((await place.ken(['jobs', 'show', id, '--json'])).stdout).job;
}

describe.each(ERAS)('with a client of $revision', (era) => {
  it('answers with a job before a client gives up, and keeps what comes of it', async () => {
    const place = workspace();
    const started = await startJob(place, era);
    await vi.waitUntil(async () => (await statusOf(started, started.id)).progress?.phase === 'steps', WAIT);
    expect(await statusOf(started, started.id)).toMatchObject({ status: 'running' });
    const { stdout } = await place.ken(['jobs', 'ls', '--json']);
    expect(JSON.parse(stdout).jobs).toMatchObject([
      { id: started.id, status: 'running', title: 'held {} for test', workspace: place.root },
    ]);
    place.write('release', '');
    await vi.waitUntil(async () => (await statusOf(started, started.id)).status === 'done', WAIT);
    expect(await statusOf(started, started.id)).toMatchObject({
      message: 'released',
      data: { text: 'released' },
    });
  });

  it('has failed when its tool has', async () => {
    const place = workspace();
    const started = await startJob(place, era, 'stdio', 'breaks');
    place.write('release', '');
    await vi.waitUntil(async () => (await statusOf(started, started.id)).status !== 'running', WAIT);
    expect(await statusOf(started, started.id)).toMatchObject({
      status: 'failed',
      message: "breaks failed by a mistake of ken's own; its standard error says more.",
    });
  });

  it('is unknown in another workspace', async () => {
    const place = workspace();
    const started = await startJob(place, era);
    mkdirSync(path.join(place.root, 'other/.ken'), { recursive: true });
    const { client } = await connect({ ...place, root: path.join(place.root, 'other') }, { era });
    const status = await client.callTool({ name: 'job_status', arguments: { id: started.id } });
    expect(textOf(status)).toBe(`This workspace has no job and no request "${started.id}".`);
    place.write('release', '');
  });

  it('is cancelled from the command line', async () => {
    const place = workspace();
    const started = await startJob(place, era);
    const { code, stderr } = await place.ken(['jobs', 'cancel', started.id.slice(0, 6)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: `Job ${started.id} is being cancelled.\n` });
    await vi.waitUntil(async () => (await statusOf(started, started.id)).status === 'cancelled', WAIT);
    expect(existsSync(path.join(place.root, 'aborted'))).toBe(true);
    expect(await place.ken(['jobs', 'cancel', started.id])).toMatchObject({
      code: 5,
      stderr: `ken: Job ${started.id} has ended: cancelled.\nhint: See "ken jobs show ${started.id}".\n`,
    });
  });

  it('goes on over HTTP when the client that started it is gone', async () => {
    const place = workspace();
    const { client, id, another } = await startJob(place, era, 'http');
    await client.close();
    place.write('release', '');
    const second = await another();
    await vi.waitUntil(async () => (await statusOf(second, id)).status === 'done', WAIT);
  });
});

it('ends its jobs with the process, and says so', async () => {
  const place = workspace();
  const { client, id } = await startJob(place, ERAS[1]);
  await client.close();
  await vi.waitUntil(() => existsSync(path.join(place.root, 'aborted')), WAIT);
  await vi.waitUntil(async () => (await shown(place, id)).status === 'cancelled', WAIT);
});

it('tells a job whose process was killed from one that runs, and can still end it', async () => {
  const place = workspace();
  const { pid, id } = await startJob(place, ERAS[1]);
  process.kill(pid, 'SIGKILL');
  await vi.waitUntil(async () => (await shown(place, id)).status === 'interrupted', WAIT);
  expect((await place.ken(['jobs', 'cancel', id])).stderr).toBe(`Job ${id} is cancelled.\n`);
  expect((await place.ken(['jobs', 'ls'])).stderr).toBe('No job is running.\n');
});
