import type { RegisteredCommand } from './command.ts';

export const COMMANDS: readonly RegisteredCommand[] = [
  {
    name: 'approvals',
    summary: 'show and decide requests that wait for your approval',
    load: async () => (await import('./commands/approvals/approvals.ts')).approvals,
  },
  {
    name: 'backup',
    summary: 'write a backup of what this workspace knows',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'bench',
    summary: 'measure how well ken does with your own questions',
    load: async () => (await import('./commands/bench.ts')).bench,
  },
  {
    name: 'chat',
    summary: 'ask the assistant at a prompt that stays',
    load: async () => (await import('./commands/query/chat.ts')).chat,
  },
  {
    name: 'complete',
    summary: 'print completions for a shell',
    hidden: true,
    load: async () => (await import('./commands/completion/complete.ts')).complete,
  },
  {
    name: 'completion',
    summary: 'print the completion script for a shell',
    load: async () => (await import('./commands/completion/completion.ts')).completion,
  },
  {
    name: 'config',
    summary: 'show, set and check the configuration',
    load: async () => (await import('./commands/config/config.ts')).config,
  },
  {
    name: 'conversation',
    aliases: ['c'],
    summary: 'list, read and change conversations',
    load: async () => (await import('./commands/conversation/conversation.ts')).conversation,
  },
  {
    name: 'doctor',
    summary: 'check the installation and suggest fixes',
    load: async () => (await import('./commands/doctor.ts')).doctor,
  },
  {
    name: 'help',
    summary: 'show how a command is used',
    load: async () => (await import('./commands/help.ts')).help,
  },
  {
    name: 'hook',
    summary: 'answer a hook of Claude Code or Codex',
    load: async () => (await import('./commands/hook/hook.ts')).hook,
  },
  {
    name: 'init',
    summary: 'make this directory a workspace',
    load: async () => (await import('./commands/init.ts')).init,
  },
  {
    name: 'jobs',
    summary: 'show and cancel long-running jobs',
    load: async () => (await import('./commands/jobs/jobs.ts')).jobs,
  },
  {
    name: 'kb',
    summary: 'manage the knowledge base: topics and subjects',
    load: async () => (await import('./commands/kb/kb.ts')).kb,
  },
  {
    name: 'knowledge',
    aliases: ['k'],
    summary: 'keep facts with their sources, and find them again',
    load: async () => (await import('./commands/knowledge/knowledge.ts')).knowledge,
  },
  {
    name: 'learn',
    summary: 'read subjects of the knowledge base',
    load: async () => (await import('./commands/learn.ts')).learn,
  },
  {
    name: 'mcp',
    summary: 'serve this workspace to an assistant over MCP',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  {
    name: 'models',
    summary: 'list configured and reachable models',
    load: async () => (await import('./commands/models.ts')).models,
  },
  {
    name: 'query',
    aliases: ['q'],
    summary: 'ask the assistant',
    load: async () => (await import('./commands/query/query.ts')).query,
  },
  {
    name: 'ref',
    summary: 'fetch libraries and pages once, search them offline, keep them fresh',
    load: async () => (await import('./commands/ref/ref.ts')).ref,
  },
  {
    name: 'restore',
    summary: 'restore the content of a backup',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
  {
    name: 'search',
    summary: 'search everything that ken knows here',
    load: async () => (await import('./commands/search.ts')).search,
  },
  {
    name: 'serve',
    summary: 'serve the page and MCP to the people of a team and their assistants',
    load: async () => (await import('./commands/serve/serve.ts')).serve,
  },
  {
    name: 'setup',
    summary: 'connect an MCP client to this workspace',
    load: async () => (await import('./commands/setup.ts')).setup,
  },
  {
    name: 'show',
    summary: 'print the text at a citation',
    load: async () => (await import('./commands/show.ts')).show,
  },
  {
    name: 'status',
    summary: 'show what is here, what is stale and what needs your approval',
    load: async () => (await import('./commands/status.ts')).status,
  },
  {
    name: 'team',
    summary: 'share the ledger and topics with a team',
    load: async () => (await import('./commands/team/team.ts')).team,
  },
  {
    name: 'tools',
    summary: 'list, run and create the tools of the assistant',
    load: async () => (await import('./commands/tools/tools.ts')).tools,
  },
  {
    name: 'trust',
    summary: 'let this workspace define tools, servers and commands',
    load: async () => (await import('./commands/trust.ts')).trust,
  },
  {
    name: 'watch',
    summary: 'keep the search index fresh while files change',
    load: async () => (await import('./commands/watch.ts')).watch,
  },
  {
    name: 'web',
    summary: 'open the page of this workspace in your browser',
    load: async () => (await import('./commands/web.ts')).web,
  },
];
