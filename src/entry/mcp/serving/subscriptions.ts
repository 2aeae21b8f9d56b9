import { isJsonList, type Json, memberOf } from '../../../base/json.ts';
import { isResourceUri } from '../resources.ts';
import type { ChangeWatch } from './change-watch.ts';

export const LISTEN = 'subscriptions/listen';

/** Addresses of the resources in a request `subscriptions/listen`. */
export function subscribedIn(message: unknown): readonly string[] {
  const params = memberOf(message as Json | undefined, 'params');
  const uris = memberOf(memberOf(params, 'notifications'), 'resourceSubscriptions');
  return isJsonList(uris) ? uris.filter((uri) => typeof uri === 'string') : [];
}

/** Returns those that are followed. */
export async function followAll(
  watch: Pick<ChangeWatch, 'follow'>,
  uris: readonly string[],
): Promise<readonly string[]> {
  const followed = await Promise.all(uris.map((uri) => isResourceUri(uri) && watch.follow(uri)));
  return uris.filter((_, at) => followed[at]);
}
