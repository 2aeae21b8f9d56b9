import { asText, isJsonObject } from '../../../base/json.ts';
import type { Tool } from '../../tools/tool.ts';

/** A tool that adds entries, except that the caller says who sees them: `own` adds what only this person sees. */
export function toolByVisibility(shared: Tool, own: Tool): Tool {
  const { properties } = shared.parameters;
  return {
    ...shared,
    parameters: {
      ...shared.parameters,
      properties: { ...(isJsonObject(properties) && properties), visibility: VISIBILITY },
    },
    call({ arguments: { visibility, ...given }, ...request }, signal) {
      const tool = asText(visibility) === 'me' ? own : shared;
      return tool.call({ ...request, arguments: given }, signal);
    },
  };
}

const VISIBILITY = {
  type: 'string',
  enum: ['me', 'workspace'],
  description: 'Who sees it: me for this person alone; workspace if absent.',
};
