/** Names of entries. */

import { Fault } from '../../base/fault.ts';

/**
 * The one spelling of an id: NFKC, trimmed, without invisible characters; a procedural one in small letters. What
 * is left is plain ASCII, so that no two ids look alike.
 */
export function entryId(given: string): string {
  const id = given.normalize('NFKC').replace(INVISIBLE, '').trim();
  if (id === '') throw new Fault('ledger/invalid', 'An entry needs an id that is not empty.');
  const isPlain = /^[\w.:@+~/-]{1,200}$/.test(id) && !/(^|\/)(\.{0,2})(\/|$)/.test(id);
  if (!isPlain) {
    throw new Fault('ledger/invalid', `"${given}" cannot be the id of an entry.`, {
      hint: 'Use up to 200 letters, digits and . _ : @ + ~ / -, without empty parts between slashes.',
    });
  }
  return isProcedural(id) ? id.toLowerCase() : id;
}

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Whether an id that `entryId` has spelled stands behind the promotion firewall. */
export function isProcedural(id: string): boolean {
  return id.toLowerCase().startsWith('procedural/');
}
