import { VERSION } from '../../base/version.ts';
import { ACCEPTED_ENCODINGS } from './decode-content.ts';

/** The name by which robots.txt may speak of us. */
export const PRODUCT = 'ken';

export function standardHeaders(accept: string): Record<string, string> {
  return { 'user-agent': `${PRODUCT}/${VERSION}`, accept, 'accept-encoding': ACCEPTED_ENCODINGS };
}
