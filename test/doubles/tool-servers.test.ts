import { itServesTools } from '../../src/domain/tools/tool-servers.contract.ts';
import type { ServerOffer } from '../../src/domain/tools/tool-servers.ts';
import { type ScriptedTool, scriptedToolServers } from './tool-servers.ts';

const deeds: readonly ScriptedTool[] = ['echo', 'fail', 'progress', 'hang', 'die'];
const offers = deeds.map(
  (tool): ServerOffer => ({ tool, definition: { name: tool, inputSchema: { type: 'object' } } }),
);

itServesTools(
  'scripted',
  () => scriptedToolServers({ s: offers }, Object.fromEntries(deeds.map((deed) => [deed, deed]))),
  { echo: 'echo', fail: 'fail', progress: 'progress', hang: 'hang', die: 'die' },
);
