import type { ToolOrigin } from '../../../../domain/tools/tool-settings.ts';

/** Where a tool comes from, in a few words. */
export function describeSource(source: ToolOrigin): string {
  if (source.kind === 'wasm') return `wasm ${source.wasm.file}`;
  if (source.kind === 'mcp') return `mcp ${source.server}.${source.tool}`;
  if (source.kind === 'builtin') return 'builtin';
  const { command } = source;
  return `command ${typeof command === 'string' ? command : [command.program, ...command.args].join(' ')}`;
}
