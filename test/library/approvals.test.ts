import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { writeOwnConfig } from '../cli/own-config.ts';
import { gardenWorkspace } from '../mcp/garden.ts';
import { serve } from '../web/servers.ts';

it('leaves a call of a tool that asks to the operator', async () => {
  const { openWorkspace } = await import('../../src/library.ts');
  const server = await serve((_request, response) => response.end('a page'));
  const place = gardenWorkspace();
  mkdirSync(path.join(place.home, 'config'), { recursive: true });
  writeOwnConfig(place.home, `[net]\nallow = ["127.0.0.1:${server.port}"]\n`);
  await using ken = await openWorkspace(place.root, {
    actor: 'planner',
    environment: { KEN_HOME: place.home, PATH: '' },
  });
  const url = `http://127.0.0.1:${server.port}/secret`;

  const answer = await ken.call('web_fetch', { url });

  expect(server.requests).toEqual([]);
  expect(answer).toEqual({
    isError: true,
    text: `APPROVAL_REQUIRED:TOOL_RUN:{"arguments":{"url":"${url}"},"tool":"web_fetch"}`,
    data: { approval_id: expect.any(String) },
  });
  const { stdout } = await place.ken(['approvals', 'ls', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({
    approvals: [{ id: answer.data?.approval_id, status: 'pending', actor: 'planner' }],
  });
});
