import { expect, it } from 'vitest';
import { countingIds } from '../../../test/doubles/ids.ts';
import { memoryWebClient } from '../../../test/doubles/web-client.ts';
import { fixedClock } from '../../base/time.ts';
import { webFetchTool } from '../references/tools/web-fetch-tool.ts';
import { commandTool } from './command-tool.ts';
import { componentTool } from './component-tool.ts';
import { toolOf } from './configured-tools.ts';
import type { CommandEntry, ToolSettings } from './tool-settings.ts';

const processes = { run: () => Promise.reject(new Error('nothing runs')) };
const settings: ToolSettings = {
  name: 'log',
  source: { kind: 'command', command: '', tool: 'log' },
  isEnabled: true,
  description: undefined,
  run: undefined,
  timeoutMs: undefined,
  resultLimitBytes: undefined,
  questions: {},
  parameters: { type: 'object', properties: { count: { type: 'string' } }, additionalProperties: false },
};

function ofCommand(command: string | CommandEntry) {
  const input = { settings, command, tool: 'log', root: '/w' };
  return commandTool({ processes, toolEnvironment: {} }, input).standingScope?.({ count: '1' });
}

it('a command covers its program with its fixed arguments', () => {
  expect(ofCommand('git log -n {{count}}')).toEqual({
    covers: "git log -n '{{count}}', with any values",
    definition: { words: ['git', 'log', '-n', '{{count}}'], shell: false },
  });
  expect(ofCommand('git log')).toMatchObject({ covers: 'git log' });
  const script = { program: 'git log -n "$1"', args: ['{{count}}'], shell: true };
  expect(ofCommand(script)).toMatchObject({
    covers: `the script 'git log -n "$1"' '{{count}}', with any values`,
  });
});

it.each(['sh -c {{count}}', 'python3 -c {{count}}', 'node --eval {{count}}', 'env bash -lc {{count}}'])(
  'a command whose argument is a program is asked about each time: %s',
  (command) => expect(ofCommand(command)).toBeUndefined(),
);

it('web_fetch covers one host with its scheme and port', () => {
  const ports = { web: memoryWebClient({ clock: fixedClock(0) }, {}), ids: countingIds() };
  const tool = webFetchTool({ ...ports, html: { toMarkdown: async () => ({ title: '', markdown: '' }) } });
  const host = (url: string) => tool.standingScope?.({ url })?.definition;
  expect(tool.standingScope?.({ url: 'https://a.example/x?y' })).toEqual({
    covers: 'every page of https://a.example',
    definition: { host: 'https://a.example' },
  });
  expect(host('HTTPS://A.example:443/')).toEqual({ host: 'https://a.example' });
  for (const other of ['http://a.example/', 'https://a.example:8443/', 'https://a.example.evil.example/'])
    expect(host(other)).not.toEqual({ host: 'https://a.example' });
  expect(host('https://a.example@evil.example/')).toEqual({ host: 'https://evil.example' });
  for (const none of ['file:///etc/passwd', 'nonsense', '']) expect(host(none)).toBeUndefined();
});

it('a component counts by its digest, and not with hosts, secrets or bytes that may change', () => {
  const base = {
    name: 'paint',
    description: '',
    run: 'ask' as const,
    parameters: undefined,
    grants: [],
    isUndeclared: false,
    tool: 'paint',
    root: '/w',
    timeoutMs: 1,
  };
  const scope = (given: object) =>
    componentTool(
      { components: undefined as never },
      { ...base, component: () => ({ installed: 'ab' }), ...given },
    ).standingScope?.({});
  expect(scope({})?.definition).toEqual({ source: { installed: 'ab' }, grants: [], ownFunction: null });
  expect(scope({ component: () => ({ file: '/w/a.wasm', sha256: 'cd' }) })).toBeDefined();
  expect(scope({ component: () => ({ file: '/a.wasm' }) })).toBeUndefined();
  expect(scope({ outside: { net: ['a.example'], secrets: [] } })).toBeUndefined();
});

it('a configured component is covered, unless its entry grants hosts or secrets', () => {
  const scope = (more: object) => {
    const wasm = { file: `sha256:${'ab'.repeat(32)}`, access: 'read' as const, ...more };
    const source = { kind: 'wasm' as const, tool: 'paint', wasm };
    const place = { root: '/w', trustedDigests: new Map<string, string>(), wasmTimeoutMs: 1 };
    const ports = { processes, toolEnvironment: {}, components: undefined as never };
    return toolOf(ports, place, { ...settings, name: 'paint', source }).standingScope?.({});
  };
  expect(scope({})?.covers).toBe('every call of paint, with any arguments. It may read the whole workspace.');
  expect(scope({ net: ['a.example:443'] })).toBeUndefined();
  expect(scope({ env: { TOKEN: { from: 'env:TOKEN' } } })).toBeUndefined();
});
