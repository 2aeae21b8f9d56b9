import { expect, it } from 'vitest';
import { type BuiltinPorts, builtinTools } from './builtin-tools.ts';

it('makes one tool without the others', () => {
  const touched: string[] = [];
  const watched = <Value extends object>(name: string, value: Value) =>
    new Proxy(value, {
      get(target, key) {
        touched.push(`${name}.${String(key)}`);
        return Reflect.get(target, key);
      },
    });
  const config = {
    references: { max_files: 1, max_bytes: 1, max_file_bytes: 1 },
    conversation: { tools: {} },
  };
  const builtins = builtinTools({ config, workspace: { root: '/w' } } as BuiltinPorts, {
    knowledge: { topics: [], maxSubjectBytes: 1, preloadBudgetTokens: 0 },
    opened: watched('opened', []),
    actor: { name: 'ghost', run: 'r' },
  });

  expect(builtins.get('knowledge_add')?.make()?.name).toBe('knowledge_add');
  expect(touched).toEqual([]);

  expect(builtins.get('learn')?.make()).toBeUndefined();
  expect(touched).toContain('opened.filter');
});
