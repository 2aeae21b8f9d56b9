/** Reads the two attributes of `.gitattributes` that matter here: linguist-generated and linguist-vendored. */

import { type Glob, parseGlob } from '../../../base/glob.ts';

export interface GitAttributes {
  isGenerated(path: string): boolean | undefined;
  /** `false`: explicitly not vendored, whatever its name suggests. */
  isVendored(path: string): boolean | undefined;
}

/** One `.gitattributes` file and its directory (`''` for the root). */
export interface AttributesFile {
  readonly directory: string;
  readonly text: string;
}

export const NO_ATTRIBUTES: GitAttributes = { isGenerated: () => undefined, isVendored: () => undefined };

/** Deeper files win over those above them, later lines over earlier ones, as in git. */
export function parseAttributes(files: readonly AttributesFile[]): GitAttributes {
  const rules = [...files].sort((a, b) => levelsOf(a.directory) - levelsOf(b.directory)).flatMap(rulesIn);
  const lookUp = (attribute: Attribute, path: string) =>
    rules.findLast((rule) => rule.attribute === attribute && rule.matches(path))?.value;
  return {
    isGenerated: (path) => lookUp('linguist-generated', path),
    isVendored: (path) => lookUp('linguist-vendored', path),
  };
}

type Attribute = 'linguist-generated' | 'linguist-vendored';

interface Rule {
  readonly attribute: Attribute;
  /** Undefined for `!attribute`, which resets it. */
  readonly value: boolean | undefined;
  matches(path: string): boolean;
}

/** Further lines are ignored; no honest file has more. */
const MAX_LINES = 2000;

function rulesIn({ directory, text }: AttributesFile): Rule[] {
  const prefix = directory === '' ? '' : `${directory}/`;
  return text
    .split(/\r?\n/, MAX_LINES)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && line.includes('linguist-'))
    .flatMap((line) => {
      const [pattern, words] = splitLine(line);
      const glob = globFor(pattern);
      if (!glob) return [];
      const matches = (path: string) => path.startsWith(prefix) && glob.matches(path.slice(prefix.length));
      return words.flatMap((word) => {
        const read = readAttribute(word);
        return read ? [{ ...read, matches }] : [];
      });
    });
}

function splitLine(line: string): [pattern: string, attributes: readonly string[]] {
  const [, quoted, plain = '', rest = ''] = /^(?:"((?:[^"\\]|\\.)*)"|(\S+))(.*)$/.exec(line) ?? [];
  const pattern = quoted === undefined ? plain : quoted.replace(/\\(["\\])/g, '$1');
  return [pattern, rest.split(/\s+/)];
}

/** Without a slash a pattern means the name at any depth; with one, the path from the file's directory. */
function globFor(pattern: string): Glob | undefined {
  if (pattern.startsWith('!') || pattern.endsWith('/')) return undefined;
  // Git treats braces and negations literally.
  const literal = pattern
    .replace(/^\//, '')
    .replace(/[{}!]/g, (sign) => `\\${sign}`)
    .replace(/\[\\!/g, '[!');
  const parsed = parseGlob(pattern.includes('/') ? literal : `**/${literal}`);
  return parsed.ok ? parsed.glob : undefined;
}

function readAttribute(word: string): Pick<Rule, 'attribute' | 'value'> | undefined {
  const [, sign, name, text] = /^([-!]?)(linguist-generated|linguist-vendored)(?:=(.*))?$/.exec(word) ?? [];
  if (name !== 'linguist-generated' && name !== 'linguist-vendored') return undefined;
  if (sign === '!') return { attribute: name, value: undefined };
  return { attribute: name, value: sign !== '-' && text !== 'false' };
}

function levelsOf(directory: string): number {
  return directory === '' ? 0 : directory.split('/').length;
}
