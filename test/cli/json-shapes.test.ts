import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Sandbox, sandbox } from './ken.ts';

/** How to make a command print every key that docs/json.md shows. A section there needs a line here. */
const CALLS: Readonly<Record<string, { words: readonly string[]; config?: string; code?: number }>> = {
  Errors: { words: ['inti'], code: 2 },
  'ken config check': { words: ['config', 'check'], config: 'asistant.name = "ada"', code: 6 },
  'ken config set': { words: ['config', 'set', 'assistant.name', 'ada'], config: '' },
  'ken config show': {
    words: ['config', 'show', 'assistant.name', '--origin'],
    config: 'assistant.name = "ada"',
  },
  'ken doctor': { words: ['doctor'] },
  'ken init': { words: ['init'] },
  'ken status': { words: ['status'], config: '' },
};

const page = readFileSync(path.join(import.meta.dirname, '../../docs/json.md'), 'utf8');
const sections = [...page.matchAll(/^## (.+)\n[\s\S]*?(?=^## |(?![\s\S]))/gm)].flatMap(
  ([text, title = '']) => {
    const example = /^```json\n([\s\S]*?)^```$/m.exec(text)?.[1];
    return example ? [[title, JSON.parse(example)] as const] : [];
  },
);

it.each(sections)('%s has the shape that the page shows', async (title, example) => {
  const call = CALLS[title];
  expect(call, `${title} has no line in this test`).toBeDefined();
  if (!call) return;
  const place: Sandbox = sandbox(call.config);
  const { code, stdout, stderr } = await place.ken([...call.words, '--json']);
  expect(code).toBe(call.code ?? 0);
  expect(shapeOf(JSON.parse(title === 'Errors' ? stderr : stdout))).toEqual(shapeOf(example));
});

/** Keys in order, and types; of a list its first element. An empty list or `null` could hold anything. */
function shapeOf(value: unknown): unknown {
  if (value === null) return expect.anything();
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : expect.any(Array);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}
