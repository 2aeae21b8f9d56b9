import { lookup } from 'node:dns/promises';
import { unlessAborted } from '../../base/concurrency.ts';
import { Fault } from '../../base/fault.ts';
import type { NameResolver } from '../../domain/web/host-guard.ts';
import { errorCode } from './net-faults.ts';

/** Resolves names with the system's resolver, including the hosts file. */
export const systemNames: NameResolver = {
  async resolve(name, signal) {
    try {
      const answers = await unlessAborted(lookup(name, { all: true, order: 'verbatim' }), signal);
      return answers.map(({ address }) => address);
    } catch (cause) {
      signal.throwIfAborted();
      const isUnknown = errorCode(cause) === 'ENOTFOUND';
      throw new Fault('net/dns', isUnknown ? `There is no host ${name}.` : `${name} cannot be looked up.`, {
        hint: `Check ${isUnknown ? 'its spelling, and ' : ''}the connection of this machine.`,
        cause,
      });
    }
  },
};
