import { expect, it } from 'vitest';
import type { ComponentCall, ComponentHost } from './component-host.ts';
import { type ComponentToolInput, componentTool } from './component-tool.ts';
import { success } from './tool.ts';

const never = new AbortController().signal;

function calling(more: Partial<ComponentToolInput> = {}) {
  const calls: ComponentCall[] = [];
  const warmed: unknown[] = [];
  const components: ComponentHost = {
    run: async (call) => {
      calls.push(call);
      const receipt = { milliseconds: 1, filesRead: [], filesWritten: [], stdoutBytes: 0, stderrBytes: 0 };
      return { outcome: success('done'), receipt };
    },
    check: () => Promise.reject(new Error('nobody asked')),
    warm: async (source) => void warmed.push(source),
    close: async () => {},
  };
  const tool = componentTool(
    { components },
    {
      name: 'paint',
      description: 'Paints.',
      run: 'ask',
      parameters: undefined,
      component: { file: '/home/ada/garden/.ken/tools/paint.wasm' },
      tool: 'brush',
      root: '/home/ada/garden',
      access: 'write',
      paths: [],
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
  const { call } = calling({ paths: ['src', 'out'] });
  const formatting = await call('format-arguments');
  expect(formatting).toMatchObject({ timeoutMs: 1000, root: '/workspace' });
  expect(formatting?.directories.map(({ access }) => access)).toEqual(['read', 'read']);
  expect((await call('run'))?.directories.map(({ access }) => access)).toEqual(['write', 'write']);
});

it('shows a component only the paths that are named, each inside the workspace', async () => {
  const { tool, call } = calling({ access: 'read', paths: ['src', 'docs/a'] });
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
  tool.warm?.();
  expect(warmed).toEqual([{ file: '/home/ada/garden/.ken/tools/paint.wasm' }]);
});
