/** Checks that a component is a tool, by the TypeScript declarations that the bindgen writes for it. */

import { checkImports } from './check-imports.ts';
import { ComponentError } from './component-error.ts';

export interface Declarations {
  /** The declarations by file name. */
  readonly files: ReadonlyMap<string, string>;
  readonly exports: readonly string[];
}

/** Returns the imported interfaces, with versions, sorted. */
export function checkContract(declarations: Declarations): string[] {
  const imports = checkImports(declarations.files);
  requireRun(declarations);
  requireTypes(declarations);
  return imports;
}

const RUN = '  run(ctx: Context, name: string, arguments: string, answers: string): Outcome,';

function requireRun({ files, exports }: Declarations): void {
  if (!exports.includes('run')) {
    const found = exports.length > 0 ? exports.join(', ') : 'nothing';
    throw new ComponentError(
      'wasm/wrong-world',
      `The component does not implement ken:tool@0.1.0: it exports ${found}, and not "run".`,
      'Build it against the world "tool" of wit/tool.wit.',
    );
  }
  const lines = (files.get('tool.d.ts') ?? '').split('\n');
  if (lines.includes(RUN)) return;
  const found = lines.find((line) => /^ {2}(?:async )?run\(/.test(line))?.trim() ?? 'something else';
  throw wrongSignature(`its "run" is ${found.replace(/,$/, '')}`);
}

const TYPES = [
  "export type Action = 'run' | 'format-arguments';",
  'export interface Context { root: string, action: Action, }',
  'export interface ErrorInfo { message: string, trace: Array<string>, transient: boolean, }',
  "export interface Question { id: string, text: string, answerType: string, 'default'?: string, }",
  'export type Outcome = OutcomeSuccess | OutcomeError | OutcomeNeedsInput;',
  "export interface OutcomeSuccess { tag: 'success', val: string, }",
  "export interface OutcomeError { tag: 'error', val: ErrorInfo, }",
  "export interface OutcomeNeedsInput { tag: 'needs-input', val: Question, }",
];

/** Accepts types that are imported from the contract or that repeat it beside `run`. */
function requireTypes({ files }: Declarations): void {
  const own = ['ken', 'jp'].map((name) => files.get(`interfaces/${name}-tool-types.d.ts`)).find(Boolean);
  if (!own) throw wrongSignature('its types are not those of the interface "types"');
  const found = new Set(statements(own));
  const missing = TYPES.find((type) => !found.has(type));
  if (missing) throw wrongSignature(`its types lack ${JSON.stringify(missing)}`);
  const beside = statements(files.get('tool.d.ts') ?? '').filter((line) =>
    /^export (?:type|interface) (?:Context|Outcome\w*)\b/.test(line),
  );
  const stray = beside.find((line) => !TYPES.includes(line) && !REFERENCE.test(line));
  if (stray) throw wrongSignature(`its "run" uses ${JSON.stringify(stray)}`);
}

const REFERENCE =
  /^export type (Context|Outcome) = import\('\.\/interfaces\/(?:ken|jp)-tool-types\.js'\)\.\1;$/;

/** Each declaration on one line, without comments. */
function statements(declarations: string): string[] {
  return declarations
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\n(?! *(?:export|import)\b)/g, ' ')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim());
}

function wrongSignature(what: string): ComponentError {
  return new ComponentError(
    'wasm/wrong-signature',
    `The component does not implement ken:tool@0.1.0: ${what}.`,
    'Build it against the world "tool" of wit/tool.wit.',
  );
}
