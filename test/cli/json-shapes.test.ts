import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { type Sandbox, sandbox } from './ken.ts';

interface Call {
  /** `ID` stands for the id of the newest approval. */
  readonly words: readonly string[];
  readonly config?: string;
  readonly files?: Readonly<Record<string, string>>;
  /** What happens before, whatever comes of it: a call, or a line in the operator's own config file. */
  readonly before?: readonly (readonly string[] | string)[];
  readonly code?: number;
}

const SERVER = '[providers.mcp.git]\ncommand = "git-mcp"\n';
const WAITING = { config: SERVER, before: [['trust']] };
const APPROVE = ['approvals', 'approve', 'ID'];
const ALLOWED = 'approvals.noninteractive = "allow"\n';

const SKILLS = {
  config: '[kb.topic.skills]\nsubjects = "skills"\nlearned = ["ast-grep"]\n',
  files: {
    'skills/ast-grep/SKILL.md':
      '---\nname: ast-grep\ndescription: Finds code by its shape.\n---\n# ast-grep\n',
    'skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDF files.\n---\n# PDF\n',
    'pdf.txt': 'Forms are filled in place.\n',
  },
};

/** How to make a command print every key that docs/json.md shows. A section there needs a line here. */
const CALLS: Readonly<Record<string, Call>> = {
  Errors: { words: ['inti'], code: 2 },
  'ken approvals approve': { words: APPROVE, config: SERVER, before: [['trust'], ALLOWED] },
  'ken approvals deny': { words: ['approvals', 'deny', 'ID'], ...WAITING },
  'ken approvals ls': { words: ['approvals', 'ls'], ...WAITING },
  'ken approvals show': {
    words: ['approvals', 'show', 'ID'],
    config: SERVER,
    before: [['trust'], ALLOWED, APPROVE],
  },
  'ken config check': { words: ['config', 'check'], config: 'asistant.name = "ada"', code: 6 },
  'ken config set': { words: ['config', 'set', 'assistant.name', 'ada'], config: '' },
  'ken config show': {
    words: ['config', 'show', 'assistant.name', '--origin'],
    config: 'assistant.name = "ada"',
  },
  'ken doctor': { words: ['doctor'] },
  'ken init': { words: ['init'] },
  'ken kb add': { words: ['kb', 'add', 'skills/forms', 'pdf.txt'], ...SKILLS },
  'ken kb check': {
    words: ['kb', 'check'],
    config: '[kb.topic.skills]\nsubjects = "skills"\n',
    files: { 'skills/logo.md': '\0' },
    code: 6,
  },
  'ken kb export-skills': { words: ['kb', 'export-skills', 'skills', 'out'], ...SKILLS },
  'ken kb ls': { words: ['kb', 'ls'], ...SKILLS },
  'ken kb new': { words: ['kb', 'new', 'project'], config: '' },
  'ken kb prompt': { words: ['kb', 'prompt'], ...SKILLS },
  'ken learn': { words: ['learn', 'skills'], ...SKILLS },
  'ken status': { words: ['status'], ...SKILLS },
  'ken trust': { words: ['trust'], config: SERVER, before: [ALLOWED] },
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
  const place = sandbox(call.config);
  for (const [file, text] of Object.entries(call.files ?? {})) place.write(file, text);
  for (const step of call.before ?? []) {
    if (typeof step === 'string') writeOwnConfig(place, step);
    else await place.ken(await withId(place, step));
  }
  const { code, stdout, stderr } = await place.ken([...(await withId(place, call.words)), '--json']);
  expect(code).toBe(call.code ?? 0);
  expect(shapeOf(JSON.parse(title === 'Errors' ? stderr : stdout))).toEqual(shapeOf(example));
});

async function withId({ ken }: Sandbox, words: readonly string[]): Promise<string[]> {
  if (!words.includes('ID')) return [...words];
  const { stdout } = await ken(['approvals', 'ls', '--all', '--json']);
  return words.map((word) => (word === 'ID' ? JSON.parse(stdout).approvals[0].id : word));
}

function writeOwnConfig({ home }: Sandbox, text: string): void {
  mkdirSync(path.join(home, 'config'), { recursive: true });
  writeFileSync(path.join(home, 'config/config.toml'), text);
}

/** Keys in order, and types; of a list its first element. An empty list or `null` could hold anything. */
function shapeOf(value: unknown): unknown {
  if (value === null) return expect.anything();
  if (Array.isArray(value)) return value.length > 0 ? [shapeOf(value[0])] : expect.any(Array);
  if (typeof value !== 'object') return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each)]));
}
