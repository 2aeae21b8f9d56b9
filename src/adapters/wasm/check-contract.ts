/** Whether a component is a tool, judged by the declarations that the bindgen writes for it. */

import { ComponentError } from './component-error.ts';

export interface Declarations {
  /** By file name. */
  readonly files: ReadonlyMap<string, string>;
  readonly exports: readonly string[];
}

/** Answers the interfaces it wants, with versions, sorted. */
export function checkContract(declarations: Declarations): string[] {
  const imports = importsOf(declarations);
  requireKnown(imports);
  requireRun(declarations);
  requireTypes(declarations);
  return imports;
}

const WASI_INTERFACES: Record<string, readonly string[]> = {
  cli: [
    'environment',
    'exit',
    'stderr',
    'stdin',
    'stdout',
    'terminal-input',
    'terminal-output',
    'terminal-stderr',
    'terminal-stdin',
    'terminal-stdout',
  ],
  clocks: ['monotonic-clock', 'wall-clock'],
  filesystem: ['preopens', 'types'],
  io: ['error', 'poll', 'streams'],
  random: ['insecure', 'insecure-seed', 'random'],
  sockets: [
    'instance-network',
    'ip-name-lookup',
    'network',
    'tcp',
    'tcp-create-socket',
    'udp',
    'udp-create-socket',
  ],
};

/** `jp:tool` is the same contract under the name it was first published with. */
const CONTRACT = /^(?:ken|jp):tool\/types@0\.1\.\d+$/;
const WASI = /^wasi:([a-z]+)\/([a-z-]+)@0\.2\.\d+$/;

function importsOf({ files }: Declarations): string[] {
  const block =
    /^export interface ImportObject \{\n([\s\S]*?)^\}/m.exec(files.get('tool.d.ts') ?? '')?.[1] ?? '';
  return [...block.matchAll(/^ {2}(?:'([^']+)'|([\w$]+)): /gm)]
    .map(([, quoted, plain]) => quoted ?? plain ?? '')
    .sort();
}

function requireKnown(imports: readonly string[]): void {
  const unknown = imports.filter((name) => {
    const [, group = '', interfaceName = ''] = WASI.exec(name) ?? [];
    return !CONTRACT.test(name) && !WASI_INTERFACES[group]?.includes(interfaceName);
  });
  if (unknown.length === 0) return;
  const network = unknown.some((name) => name.startsWith('wasi:http/'));
  throw new ComponentError(
    'wasm/unknown-import',
    `The component wants what this host does not offer: ${unknown.join(', ')}.`,
    network ? 'Tools have no network; build it without HTTP.' : 'Tools may import WASI 0.2 and nothing else.',
  );
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

/** The types are those of the contract, whether they are referred to or written out again beside `run`. */
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
