import { Fault } from '../../../base/fault.ts';
import { toolSettings } from '../../../domain/tools/tool-settings.ts';
import { fromFault, ok, type RunCheck } from './check.ts';

/** Every configured component is one that can be run. */
export const checkTools: RunCheck = async ({ app }) => {
  const settings = toolSettings(app.config.conversation.tools).filter(({ isEnabled }) => isEnabled);
  for (const { name, source } of settings) {
    if (source.kind !== 'wasm') continue;
    try {
      await app.components.check({ file: `${app.workspace?.root}/${source.wasm.file}` });
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return fromFault(
        new Fault(error.code, `"${name}": ${error.message}`, { hint: error.hint }),
        'Build it again.',
      );
    }
  }
  return ok(settings.length === 1 ? '1 configured' : `${settings.length} configured`);
};

/** Wanted only by those who write tools in C. */
export const checkCCompiler: RunCheck = async ({ app }) => {
  const compiler = await app.toolAuthor.findCCompiler();
  return ok(compiler ?? 'none for WebAssembly, which only tools in C need');
};
