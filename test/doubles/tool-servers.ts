import { Fault } from '../../src/base/fault.ts';
import { failure, success, type ToolOutcome } from '../../src/domain/tools/tool.ts';
import type { ServerCall, ServerOffer, ToolServers } from '../../src/domain/tools/tool-servers.ts';

export type ScriptedTool = 'echo' | 'fail' | 'progress' | 'hang' | 'die';

/** Tools do what `does` says, or their name. */
export function scriptedToolServers(
  servers: Readonly<Record<string, readonly ServerOffer[] | Fault>>,
  does: Readonly<Record<string, ScriptedTool>> = {},
): ToolServers & { readonly called: ServerCall[] } {
  const called: ServerCall[] = [];
  return {
    called,
    async list(server) {
      const offers = Object.hasOwn(servers, server) ? servers[server] : undefined;
      if (offers instanceof Fault) throw offers;
      if (offers) return offers;
      throw new Fault('tools/unknown-server', `There is no server "${server}".`);
    },
    async call(call, signal) {
      called.push(call);
      return { outcome: await DEEDS[does[call.offer.tool] ?? 'echo'](call, signal) };
    },
    async close() {},
  };
}

const DEEDS: Record<ScriptedTool, (call: ServerCall, signal: AbortSignal) => Promise<ToolOutcome>> = {
  echo: async ({ arguments: { text = '' } }) => success(String(text)),
  fail: async () => failure('It failed.'),
  progress: async ({ offer, onProgress }) => {
    for (const done of [1, 2, 3]) onProgress?.({ phase: offer.tool, done, total: 3 });
    return success('done');
  },
  hang: ({ limits }, signal) =>
    new Promise((_, reject) => {
      const late = setTimeout(() => reject(new Fault('tools/timeout', 'It took too long.')), limits.totalMs);
      signal.addEventListener('abort', () => {
        clearTimeout(late);
        reject(new Fault('tools/cancelled', 'It was stopped.'));
      });
    }),
  die: async () => {
    throw new Fault('tools/server-ended', 'The server ended.');
  },
};
