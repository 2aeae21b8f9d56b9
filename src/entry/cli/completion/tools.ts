import { toolSettings } from '../../../domain/tools/tool-settings.ts';
import type { Completer } from './completer.ts';

/** Configured ones, and what ken brings itself. */
export const completeTools: Completer = async ({ openAnywhere }) => {
  const { config } = await openAnywhere();
  const configured = toolSettings(config.conversation.tools);
  const hasLearn = configured.some(({ name }) => name === 'learn');
  return [
    ...(hasLearn ? [] : [{ value: 'learn', description: 'reads the knowledge base' }]),
    ...configured.map(({ name, description }) => ({ value: name, description })),
  ];
};

/** MCP servers. */
export const completeServers: Completer = async ({ openAnywhere }) => {
  const { config } = await openAnywhere();
  return Object.entries(config.providers.mcp).map(([value, { command, url }]) => ({
    value,
    description: url ?? command,
  }));
};
