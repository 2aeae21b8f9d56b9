/** Checks that every configured tool and server can be used, without running or starting one. */

import { type App, isInWorkspace } from '../../../app.ts';
import { Fault } from '../../../base/fault.ts';
import type { ToolSettings } from '../../../domain/tools/tool-settings.ts';
import { type CheckContext, type CheckFinding, ok, problem } from './check.ts';
import { PROGRAM_LIMITS } from './machine-checks.ts';

/** Names every tool that a question would go on without. */
export async function checkTools({ app }: CheckContext, signal: AbortSignal): Promise<CheckFinding> {
  if (!isInWorkspace(app)) return ok('none here');
  const { assistantKnowledge } = await import('../../../domain/turns/assistant-knowledge.ts');
  const { assistantTools, openKnowledge } = await import('../../../domain/turns/tools/assistant-tools.ts');
  const { turnPorts } = await import('../../turn-ports.ts');
  const known = await openKnowledge(app, assistantKnowledge(app));
  const { settings, leftOut } = await assistantTools(turnPorts(app), known);
  const enabled = settings.filter(({ isEnabled }) => isEnabled);
  const wrong = [...leftOut];
  for (const tool of enabled) {
    const fault = await faultIn(() => checkTool(app, tool, signal));
    if (fault) wrong.push({ name: tool.name, fault });
  }
  return findingOf(wrong, `${enabled.length} configured`, 'Build it again.');
}

/** Also those that no tool uses. */
export async function checkServers(
  { app, environment }: CheckContext,
  signal: AbortSignal,
): Promise<CheckFinding> {
  const { serverNamed } = await import('../../../domain/tools/server-settings.ts');
  const { mcp } = app.config.providers;
  const names = Object.keys(mcp);
  const wrong: NamedFault[] = [];
  for (const name of names) {
    const fault = await faultIn(async () => {
      const { place } = serverNamed(mcp, name, environment);
      if (place.kind === 'process') await requireProgram(app, place.command[0], place.environment, signal);
    });
    if (fault) wrong.push({ name, fault });
  }
  return findingOf(wrong, `${names.length} configured`, 'Correct it in providers.mcp.');
}

interface NamedFault {
  readonly name: string;
  readonly fault: Fault;
}

async function faultIn(work: () => Promise<void>): Promise<Fault | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

const SHOWN = 5;

/** `fallback` is the hint of a Fault that has none. */
function findingOf(wrong: readonly NamedFault[], well: string, fallback: string): CheckFinding {
  if (wrong.length === 0) return ok(well);
  const shown = wrong
    .slice(0, SHOWN)
    .map(({ name, fault }) => `"${name}": ${fault.message.replace(/\.$/, '')}`);
  const more = wrong.length > SHOWN ? [`and ${wrong.length - SHOWN} more`] : [];
  const hints = new Set(wrong.slice(0, SHOWN).map(({ fault }) => fault.hint ?? fallback));
  return problem([...shown, ...more].join('; '), [...hints].join(' '));
}

async function checkTool(
  app: App,
  { name, source, parameters }: ToolSettings,
  signal: AbortSignal,
): Promise<void> {
  if (source.kind === 'wasm') {
    const { componentToCheck } = await import('../../../domain/tools/components/component-source.ts');
    await app.components.check(componentToCheck(app.workspace?.root ?? '', name, source.wasm.file), signal);
  }
  if (source.kind === 'mcp') await requireServer(app, source.server);
  if (source.kind !== 'command') return;
  const { commandWords } = await import('../../../domain/tools/command-words.ts');
  const known = Object.keys(Object(parameters?.properties));
  const { words, shell } = commandWords(`conversation.tools.${name}.command`, source.command, known);
  if (!shell) await requireProgram(app, words[0], {}, signal);
}

/** The check of servers tells what is wrong with the server itself. */
async function requireServer({ config, settings }: App, server: string): Promise<void> {
  if (Object.hasOwn(config.providers.mcp, server)) return;
  const { unknownServer } = await import('../../../domain/tools/server-settings.ts');
  throw unknownServer(
    server,
    Object.keys(config.providers.mcp),
    settings.omissions.map(({ path }) => path),
  );
}

async function requireProgram(
  app: App,
  program: string,
  added: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const { exitCode } = await app.processes.run(
    {
      command: ['command -v "$1"', program],
      shell: true,
      directory: app.workspace?.root ?? '/',
      environment: { ...app.toolEnvironment, ...added },
      limits: PROGRAM_LIMITS,
    },
    signal,
  );
  if (exitCode === 0) return;
  throw new Fault('process/not-found', `it needs ${program}, which is not installed.`, {
    hint: 'Install it, or check the PATH.',
  });
}
