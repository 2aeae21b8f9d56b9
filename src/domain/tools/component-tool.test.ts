import { expect, it } from 'vitest';
import type { ComponentCall, ComponentHost } from './component-host.ts';
import { type ComponentToolInput, componentTool } from './component-tool.ts';
import { failure, success, type ToolOutcome } from './tool.ts';

const never = new AbortController().signal;

const RECEIPT = { milliseconds: 1, filesRead: [], filesWritten: [], stdoutBytes: 0, stderrBytes: 0 };

function calling(more: Partial<ComponentToolInput> = {}, outcome: ToolOutcome = success('done')) {
  const calls: ComponentCall[] = [];
  const warmed: unknown[] = [];
  const components: ComponentHost = {
    run: async (call) => {
      calls.push(call);
      return { outcome, receipt: RECEIPT };
    },
    check: () => Promise.reject(new Error('nobody asked')),
    describe: async () => [],
    warm: async (source) => void warmed.push(source),
    walls: () => Promise.reject(new Error('is not asked')),
    close: async () => {},
  };
  const tool = componentTool(
    { components },
    {
      name: 'paint',
      description: 'Paints.',
      run: 'ask',
      parameters: undefined,
      component: () => ({ file: '/home/ada/garden/.ken/tools/paint.wasm' }),
      tool: 'brush',
      root: '/home/ada/garden',
      grants: [{ path: '', access: 'write' }],
      isUndeclared: false,
      timeoutMs: 30_000,
      ...more,
    },
  );
  const call = async (action: 'run' | 'format-arguments') => {
    await tool.call({ action, arguments: { color: 'red' }, answers: {} }, never);
    return calls.at(-1);
  };
  return { tool, call, warmed };
}

it('gives a component the workspace under a name of its own, and its time', async () => {
  expect(await calling().call('run')).toEqual({
    component: { file: '/home/ada/garden/.ken/tools/paint.wasm' },
    tool: 'brush',
    request: { action: 'run', arguments: { color: 'red' }, answers: {} },
    root: '/workspace',
    directories: [
      { guestPath: '/workspace', hostPath: '/home/ada/garden', access: 'write', within: '/home/ada/garden' },
    ],
    timeoutMs: 30_000,
  });
});

it('lets a component that formats arguments read, for a second, whatever it may do otherwise', async () => {
  const grants = ['src', 'out'].map((path) => ({ path, access: 'write' as const }));
  const { call } = calling({ run: 'unattended', grants });
  const formatting = await call('format-arguments');
  expect(formatting).toMatchObject({ timeoutMs: 1000, root: '/workspace' });
  expect(formatting?.directories.map(({ access }) => access)).toEqual(['read', 'read']);
  expect((await call('run'))?.directories.map(({ access }) => access)).toEqual(['write', 'write']);
});

it('executes nothing of a component that waits for approval, not even to show the call', async () => {
  expect(await calling({ run: 'ask' }).call('format-arguments')).toBeUndefined();
});

it('shows a component only the paths that are named, each inside the workspace', async () => {
  const { tool, call } = calling({ grants: ['src', 'docs/a'].map((path) => ({ path, access: 'read' })) });
  const within = '/home/ada/garden';
  expect((await call('run'))?.directories).toEqual([
    { guestPath: '/workspace/src', hostPath: `${within}/src`, access: 'read', within },
    { guestPath: '/workspace/docs/a', hostPath: `${within}/docs/a`, access: 'read', within },
  ]);
  expect(tool.reach).toBe('read');
});

it('takes nothing where no parameters are configured, and gets ready when it is told to', () => {
  const { tool, warmed } = calling();
  expect(tool.parameters).toEqual({ type: 'object', properties: {}, additionalProperties: false });
  tool.warmForCall?.();
  expect(warmed).toEqual([{ file: '/home/ada/garden/.ken/tools/paint.wasm' }]);
});

it('tells a tool that fails without files which line grants them, unless it is said that it has none', async () => {
  const request = { action: 'run', arguments: {}, answers: {} } as const;
  const advice =
    'The tool sees no files, as its configuration does not say which. Add access = "read" or access = "write" to [conversation.tools.paint], or access = "none" if it needs none.';
  const run = (isUndeclared: boolean, outcome: ToolOutcome) =>
    calling({ grants: [], isUndeclared }, outcome).tool.call(request, never);
  expect(await run(true, failure('no'))).toMatchObject({ outcome: { message: 'no', trace: [advice] } });
  expect(await run(true, success('done'))).toMatchObject({ outcome: success('done') });
  expect(await run(false, failure('no'))).toMatchObject({ outcome: failure('no') });
});
