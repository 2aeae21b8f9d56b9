import { accumulatedList, choice, flag, fraction, integer, list, table, text } from './build-node.ts';

const MIB = 1024 * 1024;

export const tools = table('How tools run.', {
  builtin_runtime: choice('Where builtin tools run in a query.', ['wasm', 'native'], {
    default: 'wasm',
    effect: 'weakens',
    narrows: (value) => value === 'wasm',
  }),
  wasm: table(
    'Limits of a Wasm tool.',
    {
      memory_mib: integer('Memory, in MiB.', { default: 256, min: 1, onlyDownFor: 'workspace' }),
      timeout_s: integer('Seconds.', { default: 30, min: 1, onlyDownFor: 'workspace' }),
      output_bytes: integer('Captured output.', { default: 262_144, min: 1, onlyDownFor: 'workspace' }),
    },
    { effect: 'costs' },
  ),
});

export const references = table(
  'The reference library.',
  {
    root: text('Where it is kept; absent: the data directory.', { by: 'user', effect: 'reads' }),
    max_file_bytes: integer('Longest file that is kept.', { default: MIB, min: 1, onlyDownFor: 'workspace' }),
    max_files: integer('Most files of one source.', { default: 20_000, min: 1, onlyDownFor: 'workspace' }),
    max_bytes: integer('Most bytes of one source.', { default: 512 * MIB, min: 1, onlyDownFor: 'workspace' }),
    timeout_s: integer('Seconds for one exchange with a repository.', {
      default: 600,
      min: 1,
      onlyDownFor: 'workspace',
    }),
    prompt_topics: integer('Topics named in the system prompt; 0 names none.', {
      default: 10,
      onlyDownFor: 'workspace',
    }),
    refresh: choice(
      'How often a server that runs refreshes stale topics by itself, within what you approved.',
      ['off', 'daily', 'weekly'],
      { default: 'off', by: 'user', effect: 'sends' },
    ),
    exclude: accumulatedList(
      'Files of the library that are never searched: *.test.ts, docs/old/ or src/**/*.snap.',
      text('A pattern of paths.'),
      { effect: 'harmless' },
    ),
    scope: list('Topics of the library that are searched here: ids, ["all"] or ["none"].', text('An id.'), {
      default: ['all'],
      effect: 'harmless',
    }),
  },
  { effect: 'costs' },
);

export const net = table(
  'Limits on the network.',
  {
    allow: list('Hosts that may be reached although their address is private.', text('A host.'), {
      by: 'authority',
      effect: 'sends',
    }),
    timeout_s: integer('Seconds for one request.', { default: 30, min: 1, onlyDownFor: 'everyone' }),
    max_bytes: integer('Longest answer.', { default: 10 * MIB, min: 1, onlyDownFor: 'everyone' }),
    max_redirects: integer('Most redirects.', { default: 5, onlyDownFor: 'everyone' }),
  },
  { effect: 'costs' },
);

export const search = table('Search.', {
  embedder: text('builtin, ollama/…, openai/… or transformers/….', {
    default: 'builtin',
    effect: 'sends',
    narrows: (value) => value === 'builtin',
  }),
  embedder_url: text('Where an embedder answers.', { by: 'user', effect: 'sends' }),
  weights: table(
    'How much each ranking counts; absent: as measured.',
    { lexical: fraction('Words.'), dense: fraction('Vectors.') },
    { effect: 'harmless' },
  ),
});

export const backup = table('Copies that ken makes by itself.', {
  keep: integer('So many of the latest copies are kept, and one of each week.', {
    default: 5,
    min: 1,
    by: 'user',
    effect: 'harmless',
  }),
});

export const knowledge = table(
  'The ledger.',
  {
    ephemeral_days: integer('An ephemeral entry without an expiry lasts so many days.', {
      default: 7,
      min: 1,
    }),
    decay_days: integer('A decaying entry without an expiry lasts so many days.', { default: 30, min: 1 }),
    share: choice('How the ledger is shared: not at all, or as files in the repository.', ['none', 'git'], {
      default: 'none',
      effect: 'sends',
      narrows: (value) => value === 'none',
    }),
    rules_tokens: integer('Rules in the system prompt take at most so many tokens.', {
      default: 2000,
      min: 0,
      by: 'user',
      effect: 'weakens',
    }),
  },
  { effect: 'harmless' },
);

export const approvals = table(
  'Approvals.',
  {
    noninteractive: choice('What happens when nobody can be asked.', ['pending', 'allow'], {
      default: 'pending',
    }),
    expires_hours: integer('A request waits so long.', { default: 24, min: 1 }),
  },
  { by: 'authority', effect: 'weakens' },
);

export const mcp = table(
  'The MCP server.',
  {
    trusted_clients: accumulatedList('Clients whose own yes counts as yours.', text('A client’s name.'), {
      by: 'authority',
      effect: 'weakens',
    }),
    job_after_s: integer('A call that takes longer goes on as a job.', {
      default: 45,
      min: 1,
      effect: 'harmless',
    }),
  },
  { by: 'user' },
);

const TEAM_NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}$/u;
const teamName = (name: string) =>
  TEAM_NAME.test(name) ? undefined : 'must be up to 100 letters, digits, dots, hyphens and underscores';

export const team = table('Sharing with a team.', {
  url: text('The team’s PostgreSQL: postgres://USER:PASSWORD@HOST/DATABASE. KEN_TEAM_URL goes before it.', {
    by: 'user',
    effect: 'sends',
  }),
  listen_url: text('Where notices of changes arrive, if team.url is a pooler that does not pass them on.', {
    by: 'user',
    effect: 'sends',
  }),
  name: text('The team’s name, for a database that several share.', {
    default: 'team',
    by: 'user',
    effect: 'sends',
    problem: teamName,
  }),
  search: choice(
    'Who finds the candidates of a question behind "ken serve": "process", "server" (PostgreSQL, with the extensions ' +
      'vector and pg_textsearch), or "auto": PostgreSQL once an index is large.',
    ['auto', 'server', 'process'],
    { default: 'auto', by: 'user', effect: 'harmless' },
  ),
  workspace: text('The name of this workspace in the team, the same for everyone.', {
    effect: 'sends',
    problem: teamName,
  }),
});

export const serve = table(
  'Serving a team; see "ken serve".',
  {
    public_url: text('The address under which everybody reaches it: https://….'),
    issuer: text('The identity provider whose tokens count, as it names itself.'),
    client_id: text('The name of ken there, for people who sign in with a browser.'),
    claim: text('The member of its tokens that names a person.', { default: 'sub' }),
  },
  { by: 'user', effect: 'sends' },
);

export const hooks = table(
  'Hooks in Claude Code and Codex; see "ken setup --hooks".',
  {
    import: flag('The transcript is imported before a compaction and after each answer.', { default: false }),
  },
  { by: 'user', effect: 'reads' },
);

export const web = table(
  'The web page.',
  { port: integer('Its port; 0 takes a free one.', { default: 0, max: 65_535 }) },
  { by: 'user', effect: 'harmless' },
);

const WHEN = ['auto', 'always', 'never'] as const;

export const style = table(
  'How output looks.',
  {
    color: choice('Colour.', WHEN, { default: 'auto' }),
    markdown: choice('Markdown rendered for the terminal.', WHEN, { default: 'auto' }),
    code: choice('Code in colours, where there are colours.', ['auto', 'never'], { default: 'auto' }),
    pager: choice('Long output through a pager.', WHEN, { default: 'auto' }),
  },
  { effect: 'harmless' },
);
