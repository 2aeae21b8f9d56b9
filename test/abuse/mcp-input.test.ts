import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { connect, LAUNCHER, serverEnvironment, textOf } from '../mcp/connect.ts';
import { gardenWorkspace } from '../mcp/garden.ts';

it('addresses of resources lead nowhere but into the knowledge', async () => {
  const place = gardenWorkspace();
  place.write('secret.txt', 'PRECIOUS');
  symlinkSync(path.join(place.root, 'secret.txt'), path.join(place.root, '.ken/kb/project/link.md'));
  const { client } = await connect(place);
  const hostile = [
    'file:///etc/passwd',
    'ken://kb/project/../../../secret.txt',
    'ken://kb/project/%2e%2e%2f%2e%2e%2f%2e%2e%2fsecret.txt',
    'ken://kb/project/..%2F..%2F..%2Fsecret',
    'ken://kb/project/link',
    'ken://kb/%2e%2e/secret',
    'ken://kb/project/deploy%00.md',
    'ken://kb/__proto__/x',
    'ken://kb/constructor',
    'ken://ref/..%2F..%2Fsecret.txt',
    'ken://ref/topic-x@abc/../../../../secret.txt',
    'ken://ref/topic-x@abc/%2e%2e/%2e%2e/secret.txt',
    'ken://entry/..%2f..%2fsecret@v1',
    'ken://conversation/..%2f..%2fsecret',
    'ken://kb/project/deploy#L1-L999999999999999999',
    `ken://kb/${'a/'.repeat(5000)}x`,
    'ken://%',
    '',
  ];
  for (const uri of hostile) {
    const answer = await client.readResource({ uri }).catch((error: unknown) => error);
    expect([uri, answer]).toEqual([uri, expect.objectContaining({ code: -32602 })]);
    expect(JSON.stringify(answer)).not.toContain('PRECIOUS');
  }
});

it('arguments that are no arguments are refused, and the server goes on', async () => {
  const { client } = await connect(gardenWorkspace());
  const deep = JSON.parse(`${'{"a":'.repeat(500)}1${'}'.repeat(500)}`);
  const hostile: Record<string, unknown>[] = [
    { topic: 'project', constructor: 'x' },
    { topic: 'project', subjects: deep },
    { topic: ['project'] },
    { topic: 'project', _topic: { id: 'x', directory: '/' } },
    { topic: 'x'.repeat(100_000) },
    {
      topic: 'project',
      subjects: Array.from({ length: 1000 }, () => '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}'),
    },
  ];
  for (const given of hostile) {
    const answer = await client.callTool({ name: 'learn', arguments: given });
    expect(answer.isError).toBe(true);
    expect(Buffer.byteLength(textOf(answer))).toBeLessThan(40_000);
  }
  const { isError } = await client.callTool({ name: 'learn', arguments: { topic: 'project' } });
  expect(isError).toBeUndefined();
});

it('lines that are no messages neither end the server nor reach its output', async () => {
  const place = gardenWorkspace();
  const child = spawn(process.execPath, [LAUNCHER, 'mcp'], {
    cwd: place.root,
    env: serverEnvironment(place),
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk;
  });
  const garbage = [
    'not json',
    '{',
    '[]',
    'null',
    '{"jsonrpc":"1.0"}',
    '{"jsonrpc":"2.0","id":{}}',
    '\u0000\u001b[2J',
  ];
  child.stdin.write(`${garbage.join('\n')}\n`);
  child.stdin.write(Buffer.from([0xff, 0xfe, 0x0a]));
  const clientInfo = { name: 'raw', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'initialize', params })}\n`);
  await vi.waitUntil(() => printed.includes('"id":7'), { timeout: 20_000 });
  const ended = once(child, 'exit');
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
  for (const line of printed.split('\n').filter(Boolean))
    expect(JSON.parse(line)).toHaveProperty('jsonrpc', '2.0');
});
