import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openApp } from '../../src/compose.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { faultOf, never } from './playground.ts';
import { serve } from './servers.ts';

async function appWith(userConfig: string, assignments: readonly string[] = []) {
  const home = mkdtempSync(path.join(tmpdir(), 'ken-test-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  mkdirSync(path.join(home, 'config'));
  writeOwnConfig(home, userConfig);
  return openApp({
    assignments,
    workspace: undefined,
    directory: home,
    environment: { KEN_HOME: home },
    warn() {},
  });
}

it('the app fetches what the configuration of its operator allows', async () => {
  const server = await serve((_request, response) => response.end('0123456789'));
  const url = `http://127.0.0.1:${server.port}/`;
  const closed = await appWith('');
  expect((await faultOf(closed.web.get({ url }, never))).code).toBe('net/refused');
  expect(await closed.hosts.pin({ host: '93.184.216.34', port: 443 }, never)).toMatchObject({
    listed: undefined,
  });

  const open = await appWith(`[net]\nallow = ["127.0.0.1:${server.port}"]`);
  expect(await open.web.get({ url }, never)).toMatchObject({ type: 'page', wireBytes: 10 });
  expect(await open.hosts.pin({ host: '127.1', port: server.port }, never)).toMatchObject({
    host: '127.0.0.1',
    listed: 'host-and-port',
  });

  const narrow = await appWith(`[net]\nallow = ["127.0.0.1"]\nmax_bytes = 9`);
  expect((await faultOf(narrow.web.get({ url }, never))).code).toBe('net/too-large');
});

it('an entry of net.allow that is no host is said to be none', async () => {
  const app = await appWith('[net]\nallow = ["10.0.0.0/8"]');
  expect(await faultOf(app.hosts.pin({ host: '10.0.0.1', port: 80 }, never))).toEqual({
    code: 'config/invalid',
    message: 'net.allow: "10.0.0.0/8" is not a host.',
  });
});
