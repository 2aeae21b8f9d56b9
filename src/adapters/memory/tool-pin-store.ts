import { compareCodePoints } from '../../base/text.ts';
import type { ToolPin, ToolPinStore } from '../../domain/approvals/tool-pin.ts';

/** Lasts as long as the process. */
export function memoryToolPinStore(): ToolPinStore {
  const pins = new Map<string, ToolPin>();
  const keyOf = ({ workspace, server, tool }: Pick<ToolPin, 'workspace' | 'server' | 'tool'>) =>
    JSON.stringify([workspace, server, tool]);
  return {
    get: async (tool) => pins.get(keyOf(tool)),
    async put(pin) {
      pins.set(keyOf(pin), pin);
    },
    async list(workspace) {
      return [...pins.values()]
        .filter((pin) => pin.workspace === workspace)
        .sort((a, b) => compareCodePoints(a.server, b.server) || compareCodePoints(a.tool, b.tool));
    },
    remove: async (tool) => pins.delete(keyOf(tool)),
  };
}
