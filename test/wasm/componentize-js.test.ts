/**
 * A component of another compiler, with all that it brings by default: StarlingMonkey with `fetch`. It is a part of the
 * long form, as its packages are installed first; without npm's registry it is skipped.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connectPinned } from '../../src/adapters/http/connect.ts';
import { httpSender } from '../../src/adapters/http/http-sender.ts';
import { systemProcesses } from '../../src/adapters/system/run-process.ts';
import { systemSecrets } from '../../src/adapters/system/secret-store.ts';
import { wasmComponentHost } from '../../src/adapters/wasm/component-host.ts';
import type { JsonObject } from '../../src/base/json.ts';
import { parseAllowList } from '../../src/domain/web/allow-list.ts';
import { hostGuard } from '../../src/domain/web/host-guard.ts';
import { scaled } from '../scale.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { scriptedNames } from '../web/playground.ts';
import { serve } from '../web/servers.ts';

const VERSION = '0.23.0';
const root = path.join(import.meta.dirname, '../..');
const packages = path.join(root, `build/componentize-js-${VERSION}`);
const isLong = scaled(1, 2) > 1;

const SOURCE = `export async function run(context, name, given) {
  const { url, ...how } = JSON.parse(given);
  try {
    const response = await fetch(url, how);
    return { tag: 'success', val: response.status + ' ' + (await response.text()) };
  } catch (error) {
    return { tag: 'error', val: { message: String(error), trace: [], transient: false } };
  }
}`;

const COMPILE = `import { componentize } from '@bytecodealliance/componentize-js';
import { readFileSync, writeFileSync } from 'node:fs';
const source = readFileSync('tool.js', 'utf8');
const { component } = await componentize(source, { witPath: 'wit', worldName: 'fetching' });
writeFileSync('fetching.wasm', component);`;

/** Installs the packages outside of node_modules, once; why that was not possible, otherwise. */
function installed(): string | undefined {
  if (existsSync(path.join(packages, 'node_modules'))) return undefined;
  const fresh = `${packages}-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  writeFileSync(path.join(fresh, 'package.json'), '{ "private": true }');
  const words = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = spawnSync('npm', [...words, `@bytecodealliance/componentize-js@${VERSION}`], {
    cwd: fresh,
    encoding: 'utf8',
    timeout: 600_000,
  });
  if (status === 0) renameSync(fresh, packages);
  else rmSync(fresh, { recursive: true });
  return status === 0 ? undefined : `componentize-js cannot be installed: ${stderr.slice(0, 200)}`;
}

function compiled(): string {
  const file = path.join(packages, 'fetching.wasm');
  if (existsSync(file)) return file;
  mkdirSync(path.join(packages, 'wit/deps/ken-tool'), { recursive: true });
  cpSync(path.join(root, 'wit/deps'), path.join(packages, 'wit/deps'), { recursive: true });
  cpSync(path.join(root, 'wit/tool.wit'), path.join(packages, 'wit/deps/ken-tool/tool.wit'));
  const world = 'package test:fetching;\nworld fetching { include ken:tool/tool@0.1.0; }\n';
  writeFileSync(path.join(packages, 'wit/world.wit'), world);
  writeFileSync(path.join(packages, 'tool.js'), SOURCE);
  writeFileSync(path.join(packages, 'compile.mjs'), COMPILE);
  const { stderr } = spawnSync(process.execPath, ['compile.mjs'], { cwd: packages, encoding: 'utf8' });
  if (!existsSync(file)) throw new Error(stderr);
  return file;
}

/** A host in which the operator's `net.allow` lists these. */
function hostAllowing(allow: readonly string[]) {
  const guard = hostGuard({ names: scriptedNames({}) }, parseAllowList(allow));
  const limits = { maxBytes: 100_000, timeoutMs: 10_000, idleMs: 10_000, maxRedirects: 5 };
  const host = wasmComponentHost({
    cacheDirectory: temporaryDirectory(),
    memoryMib: 256,
    outputBytes: 1000,
    outside: {
      sender: httpSender({ guard, connect: connectPinned }, limits),
      secrets: systemSecrets({ processes: systemProcesses, environment: {} }),
    },
  });
  onTestFinished(() => host.close());
  return host;
}

it.runIf(isLong)(
  'a component of componentize-js sends requests where it may',
  { timeout: 900_000 },
  async ({ skip, annotate }) => {
    const problem = installed();
    skip(problem !== undefined, problem);
    const file = compiled();
    const { port, requests } = await serve((request, response) => {
      if (request.url === '/away')
        return void response.writeHead(302, { location: 'http://10.0.0.1/' }).end('away');
      const parts: Buffer[] = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => response.end(`${request.method} ${Buffer.concat(parts)}`));
    });
    const here = `127.0.0.1:${port}`;
    const host = hostAllowing([here]);
    const run = async (net: readonly string[], asked: JsonObject) => {
      const request = { action: 'run', arguments: asked, answers: {} } as const;
      const call = { component: { file }, tool: 'fetching', request, root: '/', directories: [] };
      const outside = { net, secrets: [] };
      return host.run({ ...call, outside, timeoutMs: 60_000 }, new AbortController().signal);
    };
    const url = `http://${here}/`;
    const posted = await run([here], { url, method: 'POST', body: 'tea' });
    await annotate(`${readFileSync(file).length} bytes, ${posted.receipt.milliseconds} ms`);
    expect(posted.outcome).toEqual({ type: 'success', text: '200 POST tea' });
    expect(posted.receipt.requests).toMatchObject([{ method: 'POST', url, status: 200, sentBytes: 3 }]);
    expect(await run([here], { url: `${url}away` })).toMatchObject({ outcome: { text: '302 away' } });
    expect(requests).toEqual(['POST /', 'GET /away']);
    for (const [net, other] of [
      [[], url],
      [[here], 'http://10.0.0.1/'],
    ] as const) {
      const { outcome, receipt } = await run(net, { url: other });
      expect(outcome).toMatchObject({ type: 'error' });
      expect(receipt.requests).toMatchObject([{ url: other, refused: expect.stringContaining('"net"') }]);
    }
  },
);
