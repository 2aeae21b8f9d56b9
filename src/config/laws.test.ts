import fc from 'fast-check';
import { expect, it } from 'vitest';
import { partialConfig } from '../../test/arbitrary/config.ts';
import { Fault } from '../base/fault.ts';
import { parseAssignment } from './assignment.ts';
import { applyChange, applyChanges, type Change, parseChange } from './change.ts';
import { problemsIn } from './check-value.ts';
import { defaultTree, withDefaults } from './defaults.ts';
import { deltaBetween } from './delta.ts';
import { environmentLayers } from './environment.ts';
import { formatKeyPath, parseKeyPath } from './key-path.ts';
import { mergeValues } from './merge.ts';
import { SCHEMA } from './schema.ts';
import { setInToml } from './toml/edit-toml.ts';
import { tomlValue } from './toml/format-toml.ts';
import { parseToml } from './toml/parse-toml.ts';
import type { Tree } from './tree.ts';

const merge = (low: Tree, high: Tree) => mergeValues(SCHEMA, low, high) as Tree;
const resolved = (tree: Tree) => withDefaults(SCHEMA, merge(defaultTree(SCHEMA), tree)) as Tree;
/** Key order counts: menus are printed in it. */
const written = (tree: Tree) => JSON.stringify(tree);

it('generates what the schema accepts', () => {
  fc.assert(
    fc.property(partialConfig, (tree) => {
      expect(problemsIn(SCHEMA, tree, [])).toEqual([]);
    }),
  );
});

it('delta(a, b) applied to a gives b, order included', () => {
  fc.assert(
    fc.property(partialConfig, partialConfig, (a, b) => {
      const [before, after] = [resolved(a), resolved(b)];
      const delta = deltaBetween(SCHEMA, before, after);
      const kept = delta.map((change) => parseChange(JSON.parse(JSON.stringify(change)))) as Change[];
      const result = withDefaults(SCHEMA, applyChanges(SCHEMA, before, kept)) as Tree;
      expect(written(result)).toBe(written(after));
    }),
  );
});

it('merging layers is associative', () => {
  fc.assert(
    fc.property(partialConfig, partialConfig, partialConfig, (a, b, c) => {
      expect(merge(merge(a, b), c)).toEqual(merge(a, merge(b, c)));
    }),
  );
});

it('merging the same layer twice changes nothing', () => {
  fc.assert(
    fc.property(partialConfig, partialConfig, (a, b) => {
      const once = merge(a, b);
      expect(written(merge(once, b))).toBe(written(once));
    }),
  );
});

it('applying a change leaves its input alone', () => {
  fc.assert(
    fc.property(partialConfig, partialConfig, (a, b) => {
      const before = written(a);
      applyChange(SCHEMA, a, { op: 'merge', path: [], value: b });
      expect(written(a)).toBe(before);
    }),
  );
});

it('any text as TOML, assignment, key or variable is read or refused by a Fault', () => {
  const odd = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('"', "'", '=', '.', '[', ']', '{', '}', '+', ':', '@', 'kb', '\n', '#', '1'),
    }),
  );
  const tries = [
    (text: string) => parseToml(text),
    (text: string) => parseAssignment(text),
    (text: string) => parseAssignment(`kb.topic.a.learned${text}`),
    (text: string) => parseKeyPath(text),
    (text: string) =>
      environmentLayers({ [`KEN_CFG_${text}`]: text, KEN_CFG_KB__TOPIC__A__LEARNED: text }, () => ({})),
  ];
  fc.assert(
    fc.property(odd, (text) => {
      for (const attempt of tries) {
        try {
          attempt(text);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }
    }),
    { numRuns: 2000 },
  );
});

it('a TOML file nested a hundred thousand levels deep is refused', () => {
  expect(() => parseToml(`a = ${'['.repeat(100_000)}`)).toThrow(Fault);
});

it('keys and values survive being written and read', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1 }),
      fc.string({ unit: 'grapheme' }),
      (path, text) => {
        expect(parseKeyPath(formatKeyPath(path))).toEqual(path);
        expect(parseToml(`a = ${tomlValue(text)}`)).toEqual({ a: text });
      },
    ),
  );
});

it('setting a key in a TOML text changes that key alone', () => {
  const text = '# top\neditor = "vi"\n\n[kb]\nmax_subject_bytes = 5 # five\n\n[kb.topic.a]\ntitle = "A"\n';
  fc.assert(
    fc.property(
      fc.constantFrom('kb.max_subject_bytes', 'kb.preload_budget_tokens', 'web.port'),
      fc.nat(),
      (key, value) => {
        const edited = setInToml(text, parseKeyPath(key), value);
        for (const line of text.split('\n').filter((each) => !each.startsWith('max_')))
          expect(edited).toContain(line);
        expect(edited).toContain('# five');
      },
    ),
  );
});
