import { Fault } from '../../../base/fault.ts';
import { serverNamed } from '../../../domain/tools/server-settings.ts';
import { type ToolSettings, toolSettings } from '../../../domain/tools/tool-settings.ts';
import { type CheckContext, type CheckFinding, fromFault, ok, type RunCheck } from './check.ts';

/** Every configured component is one that can be run, and every server one that can be started. None is. */
export const checkTools: RunCheck = async (context, signal) => {
  const settings = toolSettings(context.app.config.conversation.tools).filter(({ isEnabled }) => isEnabled);
  for (const tool of settings) {
    const finding = await problemOf(context, tool, signal);
    if (finding) return finding;
  }
  return ok(settings.length === 1 ? '1 configured' : `${settings.length} configured`);
};

async function problemOf(
  context: CheckContext,
  { name, source }: ToolSettings,
  signal: AbortSignal,
): Promise<CheckFinding | undefined> {
  const { app } = context;
  try {
    if (source.kind === 'wasm')
      await app.components.check({ file: `${app.workspace?.root}/${source.wasm.file}` }, signal);
    if (source.kind === 'mcp') await checkServer(context, source.server, signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const fault = new Fault(error.code, `"${name}": ${error.message}`, { hint: error.hint });
    return fromFault(fault, 'Build it again.');
  }
}

async function checkServer(
  { app, environment }: CheckContext,
  server: string,
  signal: AbortSignal,
): Promise<void> {
  const { place } = serverNamed(app.config.providers.mcp, server, environment);
  if (place.kind !== 'process') return;
  const [program] = place.command;
  const { exitCode } = await app.processes.run(
    {
      command: ['command -v "$1"', program],
      shell: true,
      directory: app.workspace?.root ?? '/',
      environment: { ...app.toolEnvironment, ...place.environment },
      limits: { timeoutMs: LOOK_MS, stdoutBytes: 4096, stderrBytes: 4096 },
    },
    signal,
  );
  if (exitCode === 0) return;
  throw new Fault('process/not-found', `the server "${server}" needs ${program}, which is not here.`, {
    hint: 'Install it, or check the PATH.',
  });
}

const LOOK_MS = 3000;

/** Wanted only by those who write tools in C. */
export const checkCCompiler: RunCheck = async ({ app }) => {
  const compiler = await app.toolAuthor.findCCompiler();
  return ok(compiler ?? 'no clang that finds wasi-libc, which only tools in C need');
};
