/** The examples of docs/json.md, and how to make ken print them. */

import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface JsonCall {
  /** `ID` stands for the id of the newest approval, `EVENT` for the promotion event of `procedural/ports`. */
  readonly words: readonly string[];
  readonly config?: string;
  /** Below the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** A git repository of these files, at `repository` below the workspace. */
  readonly repository?: Readonly<Record<string, string>>;
  /** Comes before, and may fail: a call, or a line in the operator's own config file. */
  readonly before?: readonly (readonly string[] | string)[];
  readonly code?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** It needs the compilers of tools. */
  readonly compiles?: true;
  /** KEN_TEAM_URL names a database. */
  readonly hasTeam?: true;
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

const READ_FILE = path.join(import.meta.dirname, '../../guests/read-file/read-file.wasm');

const TALK = '.ken/conversations/1m7ezjkjqnxq';
const AT = '2030-01-01T12:00:00.000Z';
const TALKED = {
  config: '',
  files: {
    [`${TALK}/metadata.json`]: `{"title":"How do we deploy?","created_at":"${AT}","active_at":"${AT}","labels":{"team":"garden"}}`,
    [`${TALK}/base_config.json`]: '{}',
    [`${TALK}/events.jsonl`]: [
      `{"type":"turn_start","at":"${AT}","turn":1}`,
      `{"type":"user_message","at":"${AT}","text":"How do we deploy?"}`,
      `{"type":"tool_call","at":"${AT}","id":"1","name":"learn","arguments":{"topic":"project","subjects":["deploy"]}}`,
      `{"type":"approval","at":"${AT}","id":"3f2a9c41d07e","decision":"approved","summary":"Run tool 'learn'?","call":"1","by":"ada","through":"terminal"}`,
      `{"type":"usage","at":"${AT}","model":"x/y","input_tokens":10,"output_tokens":5}\n`,
    ].join('\n'),
  },
};

const KNOWN = {
  config: '',
  files: { 'docs/ports.md': '# Ports\n\nThe API listens on 8080.\n' },
  before: [
    // biome-ignore format: one command line
    ['k', 'add', '--id', 'ports', '--title', 'Ports', '--text', 'The API listens on 8080.', '--provenance', 'file:docs/ports.md#L3', '--merge-key', 'ports', '--tag', 'net', '--label', 'team=garden'],
  ],
};
const RETIRED = { ...KNOWN, before: [...KNOWN.before, ['k', 'deprecate', 'ports']] };
// biome-ignore format: one command line
const PASSING = ['k', 'add', '--id', 'ports', '--title', 'x', '--text', 'y', '--provenance', 'cmd:z', '--ttl-policy', 'decay', '--expires-ts', '1Z'];
// biome-ignore format: one command line
const HELPED = ['k', 'retrieval-log', '--query', 'q', '--returned-ids', 'ports', '--used-ids', 'ports', '--outcome', 'helped'];

// biome-ignore format: one command line
const PROMOTE = ['k', 'promote', 'ports', '--evidence-ref', 'commit:abc123', '--reason', 'agreed', '--as', 'procedural/ports'];

const MANUALS = {
  config: '',
  files: { 'manuals/signals.md': '# Signals\n\nA signal tells its readers when it changes.\n' },
  before: [['ref', 'import', 'manuals', '--title', 'Manuals', '--tag', 'ui', '--label', 'team=garden']],
};

/** By the title of a section, one call for each JSON block in it. Its answer has every key that the block shows. */
const SHARED = {
  ...KNOWN,
  config: `${KNOWN.config}[kb.topic.project]\nsubjects = ".ken/kb/project"\ntitle = "Project"\n`,
  files: { ...KNOWN.files, '.ken/kb/project/deploy.md': '# Deploy\n' },
  before: [...KNOWN.before, 'team.workspace = "shapes"\n'],
  hasTeam: true,
} as const;

export const JSON_CALLS: Readonly<Record<string, readonly JsonCall[]>> = {
  Errors: [{ words: ['inti'], code: 2 }],
  'ken approvals approve': [{ words: APPROVE, config: SERVER, before: [['trust'], ALLOWED] }],
  'ken approvals deny': [{ words: ['approvals', 'deny', 'ID'], ...WAITING }],
  'ken approvals log': [
    { words: ['approvals', 'log'], config: SERVER, before: [['trust'], ALLOWED, APPROVE] },
  ],
  'ken approvals ls': [{ words: ['approvals', 'ls'], ...WAITING }],
  'ken approvals revoke': [{ words: ['approvals', 'revoke', '--all'] }],
  'ken approvals show': [
    { words: ['approvals', 'show', 'ID'], config: SERVER, before: [['trust'], ALLOWED, APPROVE] },
  ],
  'ken backup': [
    {
      words: ['backup', 'out.ken.tar.gz'],
      config: '[kb.topic.docs]\nsubjects = "docs"\n',
      files: { 'docs/.env': 'A=1\n' },
    },
    { words: ['backup', '--list'], config: '', before: [['backup']] },
  ],
  'ken bench search': [
    {
      words: ['bench', 'search', 'questions.jsonl'],
      ...SKILLS,
      files: {
        ...SKILLS.files,
        'questions.jsonl': [
          '{"question": "what reads PDF files", "expected": "ken://kb/skills/pdf"}',
          '{"question": "what is gone", "expected": ["ken://kb/skills/gone", "skills/pdf/SKILL.md"]}',
        ].join('\n'),
      },
      code: 6,
    },
  ],
  'ken config check': [{ words: ['config', 'check'], config: 'asistant.name = "ada"', code: 6 }],
  'ken config edit': [{ words: ['config', 'edit'], config: '', environment: { VISUAL: '/usr/bin/true' } }],
  'ken config get': [{ words: ['config', 'get', 'assistant.name'], config: 'assistant.name = "ada"' }],
  'ken config set': [{ words: ['config', 'set', 'assistant.name', 'ada'], config: '' }],
  'ken config show': [
    { words: ['config', 'show', 'assistant.name', '--origin'], config: 'assistant.name = "ada"' },
  ],
  'ken config unset': [{ words: ['config', 'unset', 'assistant.name'], config: 'assistant.name = "ada"' }],
  'ken conversation archive': [{ words: ['c', 'archive', '@last'], ...TALKED }],
  'ken conversation compact': [{ words: ['c', 'compact', '@last', '--keep', '0'], ...TALKED }],
  'ken conversation edit': [{ words: ['c', 'edit', '@last', '--title', 'How do we deploy?'], ...TALKED }],
  'ken conversation export': [{ words: ['c', 'export', '@last', '--output', 'talk.md'], ...TALKED }],
  'ken conversation fork': [{ words: ['c', 'fork', '@last'], ...TALKED }],
  'ken conversation grep': [{ words: ['c', 'grep', 'deploy'], ...TALKED }],
  'ken conversation import': [
    {
      words: ['c', 'import', 'talk.jsonl'],
      config: '',
      files: {
        'talk.jsonl': `{"type":"user","uuid":"u","sessionId":"s","timestamp":"${AT}","message":{"content":"Hi"}}\n`,
      },
    },
    {
      words: ['c', 'import', 'talk.jsonl', '--dry-run'],
      config: '',
      files: {
        'talk.jsonl': `{"type":"user","uuid":"u","sessionId":"s","timestamp":"${AT}","message":{"content":"Hi"}}\n`,
      },
    },
  ],
  'ken conversation label add': [{ words: ['c', 'label', 'add', '--id', '@last', 'branch=main'], ...TALKED }],
  'ken conversation label ls': [{ words: ['c', 'label', 'ls', '--id', '@last'], ...TALKED }],
  'ken conversation label rm': [{ words: ['c', 'label', 'rm', '--id', '@last', 'team'], ...TALKED }],
  'ken conversation ls': [{ words: ['c', 'ls'], ...TALKED }],
  'ken conversation path': [{ words: ['c', 'path', '@last'], ...TALKED }],
  'ken conversation print': [{ words: ['c', 'print', '@last'], ...TALKED }],
  'ken conversation rm': [{ words: ['c', 'rm', '@last', '--yes'], ...TALKED }],
  'ken conversation show': [{ words: ['c', 'show', '@last'], ...TALKED }],
  'ken conversation unarchive': [{ words: ['c', 'unarchive', '1m7ezjkjqnxq'], ...TALKED }],
  'ken conversation use': [{ words: ['c', 'use', '@last'], ...TALKED }],
  'ken doctor': [
    { words: ['doctor'] },
    {
      words: ['doctor', '--repair', '--yes'],
      config: '',
      files: { '.ken/index.db': '' },
      before: [ALLOWED],
    },
  ],
  'ken init': [{ words: ['init'] }],
  'ken jobs ls': [{ words: ['jobs', 'ls', '--all'], config: SERVER, before: [['trust'], ALLOWED, APPROVE] }],
  'ken jobs show': [{ words: ['jobs', 'show', 'ID'], config: SERVER, before: [['trust'], ALLOWED, APPROVE] }],
  'ken kb add': [{ words: ['kb', 'add', 'skills/forms', 'pdf.txt'], ...SKILLS }],
  'ken kb check': [
    {
      words: ['kb', 'check'],
      config: '[kb.topic.skills]\nsubjects = "skills"\n',
      files: { 'skills/logo.md': '\0' },
      code: 6,
    },
  ],
  'ken kb edit': [
    { words: ['kb', 'edit', 'skills/pdf'], ...SKILLS, environment: { VISUAL: '/usr/bin/true' } },
  ],
  'ken kb export-skills': [{ words: ['kb', 'export-skills', 'skills', 'out'], ...SKILLS }],
  'ken kb ls': [{ words: ['kb', 'ls'], ...SKILLS }],
  'ken kb mv': [{ words: ['kb', 'mv', 'skills/pdf', 'skills/forms'], ...SKILLS }],
  'ken kb new': [{ words: ['kb', 'new', 'project'], config: '' }],
  'ken kb prompt': [{ words: ['kb', 'prompt'], ...SKILLS }],
  'ken kb rm': [
    { words: ['kb', 'rm', 'skills/pdf', '--yes'], ...SKILLS },
    { words: ['kb', 'rm', 'skills/pdf', '--dry-run'], ...SKILLS },
  ],
  'ken knowledge add': [
    { words: ['k', 'add', '--title', 'a', '--text', 'b', '--provenance', 'cmd:x'], config: '' },
  ],
  'ken knowledge audit': [{ words: ['k', 'audit'], config: '', before: [PASSING, HELPED], code: 6 }],
  'ken knowledge claims': [
    {
      words: ['k', 'claims'],
      config: '',
      before: [['k', 'claims', 'retries', '--text', 'Retrying is safe.']],
    },
  ],
  'ken knowledge decay': [{ words: ['k', 'decay', '--dry-run'], config: '', before: [PASSING] }],
  'ken knowledge deprecate': [{ words: ['k', 'deprecate', 'ports'], ...KNOWN }],
  'ken knowledge diff': [{ words: ['k', 'diff', 'ports'], ...RETIRED }],
  'ken knowledge edit': [
    { words: ['k', 'edit', 'ports'], ...KNOWN, environment: { VISUAL: '/usr/bin/true' } },
  ],
  'ken knowledge export': [{ words: ['k', 'export', '--output', 'ledger.jsonl'], ...KNOWN }],
  'ken knowledge history': [{ words: ['k', 'history', 'ports'], ...KNOWN }],
  'ken knowledge import': [
    {
      words: ['k', 'import', 'ledger.jsonl', '--dry-run'],
      config: '',
      files: { 'ledger.jsonl': '{"format":"ken-ledger","version":1}\n{"id":"ports"}\n' },
      code: 1,
    },
  ],
  'ken knowledge list': [{ words: ['k', 'list'], ...KNOWN }],
  'ken knowledge promote': [{ words: PROMOTE, ...KNOWN, before: [...KNOWN.before, ALLOWED] }],
  'ken knowledge restore': [{ words: ['k', 'restore', 'ports'], ...RETIRED }],
  'ken knowledge retrieval-log': [{ words: HELPED, ...KNOWN }],
  'ken knowledge revoke': [
    {
      words: ['k', 'revoke', 'EVENT', '--reason', 'x'],
      ...KNOWN,
      before: [...KNOWN.before, ALLOWED, PROMOTE],
    },
  ],
  'ken knowledge schema': [{ words: ['k', 'schema'] }],
  'ken knowledge search': [
    { words: ['k', 'search', 'ports', '--explain', '--rank', 'recency_decay'], ...KNOWN },
  ],
  'ken knowledge show': [{ words: ['k', 'show', 'ports'], ...KNOWN }],
  'ken knowledge verify': [{ words: ['k', 'verify'], ...KNOWN }],
  'ken learn': [
    { words: ['learn', 'skills'], ...SKILLS },
    { words: ['learn', 'skills', 'pdf', 'old*'], ...SKILLS },
    { words: ['learn', 'skills', '--search', 'PDF'], ...SKILLS },
  ],
  'ken models': [{ words: ['models'] }],
  'ken ref create': [
    {
      words: [
        'ref',
        'create',
        '--title',
        'Signals',
        '--git',
        './repository',
        '--path',
        'README.md',
        '--path',
        'docs/',
      ],
      config: '',
      repository: { 'README.md': '# Signals\n', 'docs/logo.png': 'x' },
      before: [ALLOWED],
    },
  ],
  'ken ref delete': [{ words: ['ref', 'delete', 'manuals', '--yes'], ...MANUALS }],
  'ken ref doctor': [
    {
      words: ['ref', 'doctor'],
      config: '',
      files: { '../home/data/references/broken/topic.md': 'nothing' },
      code: 6,
    },
  ],
  'ken ref export': [{ words: ['ref', 'export', 'manuals', 'out'], ...MANUALS }],
  'ken ref import': [
    { ...MANUALS, words: ['ref', 'import', 'manuals'], before: [] },
    { ...MANUALS, words: ['ref', 'import', 'manuals', '--dry-run'], before: [] },
  ],
  'ken ref ls': [{ words: ['ref', 'ls'], ...MANUALS }],
  'ken ref refresh': [{ words: ['ref', 'refresh', 'manuals'], ...MANUALS }],
  'ken ref reindex': [{ words: ['ref', 'reindex'], ...MANUALS }],
  'ken ref search': [
    { words: ['ref', 'search', 'signal', 'readers'], ...MANUALS },
    { words: ['ref', 'search', '--topics', 'signal', 'readers'], ...MANUALS },
  ],
  'ken ref show': [{ words: ['ref', 'show', 'manuals', '--files'], ...MANUALS }],
  'ken ref update': [{ words: ['ref', 'update', 'manuals', '--max-age-days', '90'], ...MANUALS }],
  'ken restore': [
    { words: ['restore', 'out.ken.tar.gz', '--dry-run'], config: '', before: [['backup', 'out.ken.tar.gz']] },
  ],
  'ken search': [{ words: ['search', 'Reads PDF files'], ...SKILLS }],
  'ken setup': [{ words: ['setup', 'claude-code'], config: '', files: { '.mcp.json': '{}' } }],
  'ken show': [{ words: ['show', 'ken://kb/skills/pdf#L5'], ...SKILLS }],
  'ken status': [{ words: ['status'], ...SKILLS }],
  'ken team pull': [{ words: ['team', 'pull', '--dry-run'], ...SHARED }],
  'ken team push': [{ words: ['team', 'push', '--dry-run', '--ledger', '--topic', 'project'], ...SHARED }],
  'ken team status': [{ words: ['team', 'status'], ...SHARED }],
  'ken tools build': [
    {
      words: ['tools', 'build', 'hello', '--yes'],
      config: '',
      before: [['tools', 'new', 'hello']],
      compiles: true,
    },
  ],
  'ken tools check': [
    { words: ['tools', 'check', READ_FILE] },
    { words: ['tools', 'check', 'README.md'], files: { 'README.md': '# Hi' }, code: 6 },
  ],
  'ken tools inspect': [{ words: ['tools', 'inspect', READ_FILE] }],
  'ken tools install': [{ words: ['tools', 'install', READ_FILE] }],
  'ken tools ls': [{ words: ['tools', 'ls'], ...SKILLS }],
  'ken tools new': [{ words: ['tools', 'new', 'hello'], config: '' }],
  'ken tools run': [{ words: ['tools', 'run', 'learn', '{"topic":"skills"}'], ...SKILLS }],
  'ken tools show': [{ words: ['tools', 'show', 'learn'], ...SKILLS }],
  'ken trust': [{ words: ['trust'], config: SERVER, before: [ALLOWED] }],
};

/** The JSON blocks of the page, by the title of their section. */
export function jsonExamples(): ReadonlyMap<string, readonly unknown[]> {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/json.md'), 'utf8');
  const sections = page.split(/^## /m).slice(1);
  const examples = sections.map((section): [string, unknown[]] => {
    const blocks = [...section.matchAll(/^```json\n([\s\S]*?)^```$/gm)];
    return [section.split('\n', 1)[0] ?? '', blocks.map(([, block = '']) => JSON.parse(block))];
  });
  return new Map(examples.filter(([, blocks]) => blocks.length > 0));
}
