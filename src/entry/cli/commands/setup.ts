import { userInfo } from 'node:os';
import path from 'node:path';
import type { WorkspaceApp } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import { lineDifference } from '../../../base/line-difference.ts';
import { isInBinary } from '../../../base/package-files.ts';
import { command, type Invocation } from '../command.ts';
import { CLIENT_NAMES, CLIENTS, type Client, type ClientName, type ClientPlace } from '../setup/clients.ts';
import { serverIn, withKen, withoutKen, withUniqueName } from '../setup/edit-client-file.ts';
import { hasHooks, hookPlace, nextForHooks, withHooks, withoutHooks } from '../setup/hooks.ts';
import { isHere } from '../setup/is-here.ts';
import type { Terminal } from '../terminal.ts';

export const setup = command({
  name: 'setup',
  summary: 'connect an MCP client to this workspace',
  description:
    'Adds ken to the client’s file of MCP servers, or removes it. Everything else in the file, comments included, ' +
    'stays unchanged, and ken keeps a copy of the old file. Hooks tell the assistant at the start of a conversation, and ' +
    'after a compaction, which rules you approved and what waits for you; "ken hook" is what they run.',
  examples: [
    'setup claude-code',
    'setup claude-code --hooks',
    'setup codex --dry-run',
    'setup gemini-cli --user',
    'setup --list',
  ],
  arguments: [{ name: 'client', summary: 'the client', choices: CLIENT_NAMES }],
  options: [
    { flags: '--user', summary: 'write your own file, for all projects, instead of the repository’s' },
    {
      flags: '--hooks',
      summary: 'also install hooks (Claude Code and Codex); with --remove, remove only them',
    },
    { flags: '--list', summary: 'show which clients are here, and which have ken in their files' },
    { flags: '--dry-run', summary: 'show what would change without changing it' },
    { flags: '--remove', summary: 'remove ken from the file' },
  ],

  async run(invocation) {
    const { options, terminal } = invocation;
    const [name] = invocation.arguments;
    if (options.has('list')) return list(invocation, await invocation.open());
    if (name === undefined) throw new Fault('cli/usage', `Name a client: ${CLIENT_NAMES.join(', ')}.`);
    const app = await invocation.open();
    const isDry = options.has('dry-run');
    const planned = () => plansFor(invocation, app, name as ClientName);
    const home = homeIn(invocation);
    const plans = isDry
      ? await planned()
      : await app.clientLock.exclusively(() => carriedOut(app, home, planned));
    tell(terminal, plans, isDry);
    if (isDry || options.has('remove')) return;
    if (plans.some(({ isChange }) => isChange)) await warnWhereNotFound(invocation, app, plans);
  },
});

interface Plan {
  readonly name: ClientName;
  readonly client: Client;
  readonly what: 'server' | 'hooks';
  readonly place: Pick<ClientPlace, 'file' | 'standing'>;
  /** Keeps the previous content. */
  readonly backup: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly isChange: boolean;
  readonly isRemoval: boolean;
}

interface ListedFile {
  readonly client: ClientName;
  readonly file: string;
  /** The client is on this machine. */
  readonly here: boolean;
  readonly set_up: boolean;
  /** Why the file cannot be read. */
  readonly problem: string | null;
}

/** The files that `ken setup` would write, and whether ken is in them. One that cannot be read hides no other. */
async function list(invocation: Invocation, app: WorkspaceApp): Promise<void> {
  const { terminal, environment } = invocation;
  const context = surroundings(invocation, app);
  const rows: ListedFile[] = [];
  for (const client of CLIENT_NAMES) {
    const { place, ownPlace } = CLIENTS[client];
    const here = isHere(CLIENTS[client], context, environment.PATH ?? '');
    for (const each of [place(context), ...(ownPlace ? [ownPlace(context)] : [])])
      rows.push({ client, here, ...(await standingOf(app, CLIENTS[client], each)) });
  }
  if (terminal.json) return terminal.printJson({ clients: rows });
  for (const row of rows) {
    terminal.print(`${standingWord(row)}\t${row.client}\t${row.file}`);
    if (row.problem !== null) terminal.warn(row.problem);
  }
}

async function standingOf(
  app: WorkspaceApp,
  client: Client,
  place: ClientPlace,
): Promise<Pick<ListedFile, 'file' | 'set_up' | 'problem'>> {
  const { file, standing } = place;
  try {
    const text =
      (await app.configFiles.read(file, standing === 'user' ? undefined : app.workspace.root)) ?? '';
    const isThere = named(file, () => serverIn(targetIn(app, client, place, text), text) !== undefined);
    return { file, set_up: isThere, problem: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { file, set_up: false, problem: error.message };
  }
}

function standingWord({ set_up: isSetUp, here, problem }: ListedFile): string {
  if (problem !== null) return 'unreadable';
  if (isSetUp) return 'set up';
  return here ? 'here' : '-';
}

/** The entry of this workspace: another one may have its name. */
function targetIn(app: WorkspaceApp, client: Client, place: ClientPlace, text: string) {
  const { root } = app.workspace;
  return withUniqueName({ ...client, ...place }, text, {
    root,
    digest: app.hasher.sha256(root).slice(0, 8),
  });
}

type SetupInvocation = Invocation<'remove' | 'user' | 'hooks', never>;

/** The entry of the server, and the hooks where they are asked for or are to go with it. */
async function plansFor(invocation: SetupInvocation, app: WorkspaceApp, name: ClientName): Promise<Plan[]> {
  const { options } = invocation;
  const isRemoval = options.has('remove');
  const client = CLIENTS[name];
  const context = surroundings(invocation, app);
  const isOwn = options.has('user');
  const place = isOwn && client.ownPlace ? client.ownPlace(context) : client.place(context);
  const hooks = hookPlace(name, context, isOwn);
  if (options.has('hooks') && hooks === undefined)
    throw new Fault('cli/usage', `ken has no hooks for ${client.title}.`, {
      hint: 'There are hooks for claude-code and codex.',
    });
  const server = await planFor(app, { name, client, what: 'server', place, isRemoval }, (before, kept) => {
    const target = targetIn(app, client, place, before ?? '');
    if (!isRemoval) return withKen(target, before);
    return before === undefined ? undefined : withoutKen(target, before, kept);
  });
  if (!hooks) return [server];
  const hooked = await planFor(
    app,
    { name, client, what: 'hooks', place: hooks, isRemoval },
    (before, kept) => {
      if (!isRemoval) return options.has('hooks') ? withHooks(hooks, before) : before;
      return before !== undefined && hasHooks(before) ? withoutHooks(hooks, before, kept) : before;
    },
  );
  if (options.has('hooks')) return isRemoval ? [hooked] : [server, hooked];
  return hooked.isChange ? [server, hooked] : [server];
}

async function planFor(
  app: WorkspaceApp,
  planned: Pick<Plan, 'name' | 'client' | 'what' | 'place' | 'isRemoval'>,
  edit: (before: string | undefined, kept: string | undefined) => string | undefined,
): Promise<Plan> {
  const { name, place } = planned;
  const digest = app.hasher.sha256(place.file).slice(0, 8);
  const backup = path.join(app.directories.state, 'clients', `${name}-${digest}.bak`);
  refuseWayOut(app, place);
  const before = await app.configFiles.read(place.file);
  const kept = await app.configFiles.read(backup);
  const after = named(place.file, () => edit(before, kept));
  return { ...planned, backup, before, after, isChange: after !== before };
}

/** A symbolic link in the workspace must not lead to a file outside of it. */
function refuseWayOut({ configFiles, workspace }: WorkspaceApp, { file, standing }: Plan['place']): void {
  if (standing === 'user' || configFiles.leadsInside(file, workspace.root)) return;
  throw new Fault('files/unwritable', `${file} is a link to a place outside the workspace.`, {
    hint: 'Replace the symbolic link with a file.',
  });
}

/** An account without a home has the root directory, as in containers. */
function homeIn({ environment }: Invocation): string {
  const told = absolute(environment.HOME);
  if (told) return told;
  try {
    return userInfo().homedir;
  } catch {
    return '/';
  }
}

function absolute(directory: string | undefined): string | undefined {
  return directory && path.isAbsolute(directory) ? directory : undefined;
}

function surroundings(invocation: Invocation, { workspace }: WorkspaceApp) {
  const home = homeIn(invocation);
  const { environment } = invocation;
  return {
    root: workspace.root,
    home,
    configHome: absolute(environment.XDG_CONFIG_HOME) ?? path.join(home, '.config'),
    claudeHome: absolute(environment.CLAUDE_CONFIG_DIR),
    codexHome: absolute(environment.CODEX_HOME),
    platform: process.platform,
    program: isInBinary ? [process.execPath] : [process.execPath, process.argv[1] ?? ''],
    variables: Object.fromEntries(
      OWN_VARIABLES.flatMap((name): [string, string][] => {
        const value = absolute(environment[name]);
        return value === undefined ? [] : [[name, value]];
      }),
    ),
  };
}

/** Without them, a server that a client starts with a small environment looks for its files elsewhere. */
const OWN_VARIABLES = ['KEN_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'];

/** Adds the file's name to errors about its content. */
function named<Value>(file: string, edit: () => Value): Value {
  try {
    return edit();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault('config/invalid', `${file}:${error.message.replace(/^TOML:/, '')}`, {
      hint: error.hint ?? 'Correct the file, or move it away; nothing was changed.',
      cause: error,
    });
  }
}

/** Every file is read before one is written, so that a broken one leaves the others alone. */
async function carriedOut(
  app: WorkspaceApp,
  home: string,
  planned: () => Promise<readonly Plan[]>,
): Promise<readonly Plan[]> {
  const { configFiles } = app;
  const plans = await planned();
  for (const { place, backup, before, after } of plans.filter(({ isChange }) => isChange)) {
    // Clients' files often hold API keys.
    if (before !== undefined) await configFiles.replace(backup, before, 'user', 0o600);
    if (after === undefined) await takeAway(app, home, place);
    else await configFiles.replace(place.file, after, place.standing);
  }
  return plans;
}

/** Also removes empty directories below the workspace; in the user's home it stays, since ken may not have made it. */
async function takeAway(
  { configFiles, workspace }: WorkspaceApp,
  home: string,
  { file, standing }: Plan['place'],
): Promise<void> {
  await configFiles.remove(file);
  if (standing !== 'workspace' || configFiles.leadsInside(home, workspace.root)) return;
  let directory = configFiles.directoryOf(file);
  while (directory.startsWith(`${workspace.root}/`)) {
    await configFiles.removeEmpty(directory);
    directory = path.dirname(directory);
  }
}

function tell(terminal: Terminal, plans: readonly Plan[], isDry: boolean): void {
  if (!terminal.json) {
    for (const plan of plans) tellOne(terminal, plan, isDry);
    return;
  }
  const part = (wanted: Plan['what']) => {
    const plan = plans.find(({ what }) => what === wanted);
    return plan && { file: plan.place.file, changed: plan.isChange, backup: keptCopy(plan, isDry) };
  };
  const hooks = part('hooks');
  const client = plans[0]?.name ?? '';
  terminal.printJson({ client, dry_run: isDry, ...part('server'), ...(hooks && { hooks }) });
}

function keptCopy({ isChange, before, backup }: Plan, isDry: boolean): string | null {
  return isChange && !isDry && before !== undefined ? backup : null;
}

function tellOne(terminal: Terminal, plan: Plan, isDry: boolean): void {
  const { name, client, what, place, before, after, isChange, isRemoval } = plan;
  if (!isChange) terminal.note(`${place.file} needs no change.`);
  else if (isDry) terminal.print(`${place.file}\n${lineDifference(before ?? '', after ?? '').trimEnd()}`);
  else {
    terminal.note(`${after === undefined ? 'Removed' : 'Wrote'} ${place.file}.`);
    const kept = keptCopy(plan, isDry);
    if (kept) terminal.note(`The old file is in ${kept}.`);
    if (isRemoval) return;
    terminal.note(what === 'hooks' ? nextForHooks(name) : client.next);
    if (what === 'server' && name === 'claude-code' && place.standing === 'workspace')
      terminal.note('Copilot CLI and other clients read .mcp.json too.');
  }
}

/** Warns if the client will not find the program by its name. */
async function warnWhereNotFound(
  { terminal }: Invocation,
  app: WorkspaceApp,
  plans: readonly Plan[],
): Promise<void> {
  const [plan] = plans.filter(({ place }) => place.standing !== 'user');
  if (plan === undefined) return;
  try {
    await app.processes.run({
      command: ['ken', '--version'],
      directory: app.workspace.root,
      environment: { PATH: app.toolEnvironment.PATH ?? '' },
      limits: { timeoutMs: 10_000, stdoutBytes: 100, stderrBytes: 1000 },
    });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    terminal.warn(`there is no program "ken" on the PATH, where ${plan.client.title} will look for it.`);
  }
}
