import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scaled } from '../../../../test/scale.ts';
import { Fault } from '../../../base/fault.ts';
import { isJsonObject, type Json } from '../../../base/json.ts';
import { parseToml } from '../../../config/toml/parse-toml.ts';
import { withKen, withoutKen, withUniqueName } from './edit-client-file.ts';
import { parseJsonc } from './edit-jsonc.ts';
import { parseYaml } from './edit-yaml.ts';

const SERVER = { command: 'ken', args: ['mcp'] };
const JSONC = { format: 'jsonc', servers: 'mcpServers', name: 'ken', server: SERVER } as const;
const TOML = { format: 'toml', servers: 'mcp_servers', name: 'ken', server: SERVER } as const;

/** Lines that a file may have, in any order: what fits together and parses is taken. */
const JSONC_PIECES = [
  '"theme": "dark"',
  '"theme":   "light" // twice',
  '"deep": {"mcpServers": {"ken": 1}}',
  '"list": [1,2,   3 , ]',
  '/* { "ken": */ "wide": "界 \\u0000 \\" ken"',
  '"mcpServers": {}',
  '"mcpServers": { }',
  '"mcpServers": {"files": {"command": "files-mcp"}}',
  '"mcpServers": {\n\t"files": {"command": "x"}, // mine\n\t"more": {},\n}',
  '"mcpServers": {"ken": {"command": "old", "env": {"A": "b"}}}',
  '"mcpServers": {"ken": {"command": "ken", "args": ["mcp"]}, "z": 1}',
];
const TOML_PIECES = [
  '# a comment',
  '',
  '   ',
  'model = "o9"   # spaces',
  'dotted . key = 1',
  'mcp_servers.files.command = "x"',
  'mcp_servers = { files = { command = "x" } } # inline',
  'mcp_servers = {}',
  'text = """\n[mcp_servers.ken]\n"""',
  "lit = '''\n# [x]\n'''",
  'when = 2026-11-15T12:00:00Z',
  '[mcp_servers]',
  '[mcp_servers.files]',
  'command = "files-mcp"',
  'args = [ "--root",\n  ".", # here\n]',
  '[mcp_servers.ken]',
  'command = "old"',
  'env = { A = "b" }',
  '[[products]]',
  'name = "array of tables"',
  '[ profiles . "quoted key" ]',
];

const YAML = { format: 'yaml', servers: 'extensions', name: 'ken', server: SERVER } as const;
const YAML_PIECES = [
  '# a comment',
  '',
  'GOOSE_MODEL: "o9"   # spaces',
  'list: [1, 2,   3]',
  'text: |\n  extensions:\n    ken: 1',
  'extensions:',
  'extensions: {}',
  'extensions: {ken: {cmd: x}}',
  'extensions:\n  # mine\n  files:\n    cmd: files-mcp\n    args: [a, "b"]',
  'extensions:\n    wide: {name: "界 # no comment"}\n    # last',
  'extensions:\n  ken:\n    cmd: old\n    envs: {A: b} # kept\n  z: 1',
  'extensions:\n  "quoted key": &anchor\n    a: 1\n  more: *anchor',
  'extensions:\n  files:\n    args:\n    - a\n    - b',
  'extensions: &all\n  files: 1',
  'deep:\n  extensions:\n    ken: 1',
  '? odd\n: 1',
];

const BREAKS = ['\n', '\r\n'];
const MARKS = ['', '\uFEFF'];

const jsoncText = fc
  .tuple(
    fc.array(fc.constantFrom(...JSONC_PIECES), { maxLength: 4 }),
    fc.constantFrom('', '\n', '\n  ', '\n\t', '\n// note\n'),
    fc.boolean(),
    fc.constantFrom(...BREAKS),
    fc.constantFrom(...MARKS),
    fc.constantFrom('', '\n', '// head\n'),
    fc.constantFrom('', '\n', ' // tail'),
  )
  .map(([pieces, between, trailing, lineBreak, mark, head, tail]) => {
    const inner = pieces.join(`,${between}`);
    const comma = trailing && pieces.length > 0 ? ',' : '';
    return `${mark}${`${head}{${between}${inner}${comma}\n}${tail}`.replaceAll('\n', lineBreak)}`;
  });

const tomlText = fc
  .tuple(
    fc.array(fc.constantFrom(...TOML_PIECES), { maxLength: 9 }),
    fc.constantFrom(...BREAKS),
    fc.constantFrom(...MARKS),
    fc.boolean(),
  )
  .map(([pieces, lineBreak, mark, isEnded]) => {
    const text = `${pieces.join('\n')}${isEnded ? '\n' : ''}`;
    return `${mark}${text.replaceAll('\n', lineBreak)}`;
  })
  .filter((text) => parsesAsToml(text));

const yamlText = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom(...YAML_PIECES), { maxLength: 5 }),
    fc.constantFrom(...BREAKS),
    fc.constantFrom(...MARKS),
    fc.boolean(),
  )
  .map(([pieces, lineBreak, mark, isEnded]) => {
    const text = `${pieces.join('\n')}${isEnded ? '\n' : ''}`;
    return `${mark}${text.replaceAll('\n', lineBreak)}`;
  })
  .filter(parsesAsYaml);

function parsesAsYaml(text: string): boolean {
  try {
    parseYaml(text);
    return true;
  } catch {
    return false;
  }
}

function parsesAsToml(text: string): boolean {
  try {
    parseToml(text);
    return true;
  } catch {
    return false;
  }
}

const blank = fc.constantFrom('', ' ', '\n', '\r\n\t\n');

const FORMATS = [
  { target: JSONC, texts: fc.oneof({ weight: 9, arbitrary: jsoncText }, blank), read: readJsonc },
  { target: TOML, texts: fc.oneof({ weight: 9, arbitrary: tomlText }, blank), read: parseToml },
  { target: YAML, texts: fc.oneof({ weight: 9, arbitrary: yamlText }, blank), read: parseYaml },
] as const;

function readJsonc(text: string): Json {
  return text.trim() === '' ? {} : parseJsonc(text);
}

function serversIn(root: Json, name: string): Readonly<Record<string, Json>> {
  const servers = isJsonObject(root) ? root[name] : undefined;
  return isJsonObject(servers) ? servers : {};
}

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (let place = 0; place < whole.length; place++) if (part[at] === whole[place]) at += 1;
  return at === part.length;
}

describe.each(FORMATS)('in $target.format', ({ target, texts, read }) => {
  /** The edited text, or nothing where the edit was refused with a reason. */
  function edited(text: string): string | undefined {
    try {
      return withKen(target, text);
    } catch (error) {
      expect(error).toBeInstanceOf(Fault);
      return undefined;
    }
  }

  it('says what it said before, and ken', () => {
    let taken = 0;
    fc.assert(
      fc.property(texts, (before) => {
        const after = edited(before);
        if (after === undefined) return;
        taken += 1;
        const root = read(before);
        const servers = serversIn(root, target.servers);
        const old = isJsonObject(servers.ken) ? servers.ken : {};
        expect(read(after)).toEqual({
          ...(root as object),
          [target.servers]: { ...servers, ken: { ...old, ...SERVER } },
        });
        expect(withKen(target, after)).toBe(after);
        // What is not ken's is there byte by byte, the line ends and the mark at the beginning included.
        if (servers.ken === undefined && before.trim() !== '') {
          expect(isSubsequence(before, after)).toBe(true);
          expect(after.startsWith('\uFEFF')).toBe(before.startsWith('\uFEFF'));
          if (before.includes('\r\n')) expect(after).not.toMatch(/[^\r]\n/);
        }
      }),
      { numRuns: scaled(400) },
    );
    expect(taken).toBeGreaterThan(scaled(400) / 2);
  });

  it('is, after the removal, what it was to the last byte', () => {
    fc.assert(
      fc.property(texts, (before) => {
        const after = edited(before);
        if (after !== undefined && after !== before) expect(withoutKen(target, after, before)).toBe(before);
      }),
      { numRuns: scaled(400) },
    );
  });

  it('loses ken also when what was kept is the text itself', () => {
    fc.assert(
      fc.property(texts, (before) => {
        const after = edited(before);
        if (after !== undefined) expect(removedFrom(after, after)).toBe(removedFrom(after));
      }),
      { numRuns: scaled(100) },
    );
  });

  it('loses ken and nothing else when nobody knows what it was before', () => {
    fc.assert(
      fc.property(texts, (before) => {
        const after = edited(before);
        if (after === undefined) return;
        const rest = removedFrom(after);
        if (rest === undefined) return;
        const { ken: _, ...others } = serversIn(read(before), target.servers);
        const { [target.servers]: left, ...outside } = read(rest) as Record<string, Json>;
        expect(left ?? {}).toEqual(others);
        const { [target.servers]: __, ...expected } = read(before) as Record<string, Json>;
        expect(outside).toEqual(expected);
        expect(isSubsequence(rest, after)).toBe(true);
      }),
      { numRuns: scaled(400) },
    );
  });

  function removedFrom(text: string, kept?: string): string | undefined {
    try {
      return withoutKen(target, text, kept);
    } catch (error) {
      expect(error).toBeInstanceOf(Fault);
      return undefined;
    }
  }
});

describe('two workspaces of one name', () => {
  const desktop = (root: string) => ({
    ...JSONC,
    name: 'ken-web',
    server: { command: 'node', args: ['ken.mjs', 'mcp', '--workspace', root] },
  });
  const here = { root: '/a/web', digest: 'aaaaaaaa' };
  const there = { root: '/b/web', digest: 'bbbbbbbb' };
  const set = (text: string, at: typeof here) => withKen(withUniqueName(desktop(at.root), text, at), text);
  const namesIn = (text: string) => Object.keys(serversIn(readJsonc(text), 'mcpServers'));

  it('have a server each, and each is taken out alone', () => {
    const both = set(set('', here), there);
    expect(namesIn(both)).toEqual(['ken-web', 'ken-web-bbbbbbbb']);
    expect(set(set(both, here), there)).toBe(both);
    const one = withoutKen(withUniqueName(desktop(here.root), both, here), both, undefined) ?? '';
    expect(namesIn(one)).toEqual(['ken-web-bbbbbbbb']);
    expect(set(one, there)).toBe(one);
    const other = withoutKen(withUniqueName(desktop(there.root), both, there), both, undefined) ?? '';
    expect(namesIn(other)).toEqual(['ken-web']);
  });

  it('leave the other alone when there is nothing to take out', () => {
    const text = set('', here);
    const target = withUniqueName(desktop(there.root), text, there);
    expect(withoutKen(target, text, undefined)).toBe(text);
  });
});
