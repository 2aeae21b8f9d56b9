import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const src = path.join(import.meta.dirname, '../src');
const shipped = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/\.(test|contract)\.ts$/.test(file),
);

/** Everything in the sources that has a method `call`, and where it is called. A new place is a decision. */
const CALLED = [
  'adapters/mcp-client/tool-servers.ts: (await connect(call.server, signal)).call',
  'adapters/wasm/component-host.ts: guest.call',
  'domain/conversations/import/claude-code.ts: this.#gatherer.call',
  'domain/conversations/import/codex.ts: this.#gatherer.call',
  'domain/conversations/import/opencode.ts: gatherer.call',
  // Within a tool that callTool calls: it is one of two that differ in where they add.
  'domain/team/visibility/visibility-tool.ts: own.call',
  'domain/team/visibility/visibility-tool.ts: shared.call',
  'domain/tools/call-tool.ts: tool.call',
  'domain/tools/run-tool.ts: tool.call',
  'domain/tools/server-tool.ts: ports.toolServers.call',
  'domain/turns/run-turn.ts: ports.tools.call',
];

it('a tool is called by callTool alone', () => {
  const found = shipped.flatMap((file) =>
    [
      ...readFileSync(path.join(src, file), 'utf8').matchAll(
        /((?:\([^()]*(?:\([^()]*\))?[^()]*\)|[\w.#?]+))\??\.call\(/g,
      ),
    ].map(([, callee]) => `${file}: ${callee}.call`),
  );
  expect([...new Set(found)].sort()).toEqual(CALLED);
});

it.each([
  ['runTool', ['domain/tools/call-tool.ts']],
  [
    'callTool',
    [
      'domain/turns/tools/turn-tools.ts',
      'entry/cli/commands/tools/run.ts',
      'entry/library.ts',
      'entry/mcp/call-tool.ts',
      'entry/web/pages/tools.ts',
    ],
  ],
])('%s is used only by those who may', (name, users) => {
  const from = name === 'runTool' ? 'run-tool' : 'tools/call-tool';
  const imported = new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '[^']*${from}\\.ts'`);
  expect(shipped.filter((file) => imported.test(readFileSync(path.join(src, file), 'utf8'))).sort()).toEqual(
    users,
  );
});
