import { asText } from '../../../base/json.ts';
import type { Tool } from '../../tools/tool.ts';

/** `own` adds what only this person sees, and `shared` everything else. */
export function toolByVisibility(shared: Tool, own: Tool): Tool {
  return {
    ...shared,
    call({ arguments: { visibility, ...given }, ...request }, signal) {
      if (asText(visibility) === 'me')
        return own.call({ ...request, arguments: { ...given, visibility: 'me' } }, signal);
      return shared.call({ ...request, arguments: given }, signal);
    },
  };
}
