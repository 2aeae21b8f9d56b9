import { ok, type RunCheck, warning } from './check.ts';

export const checkTrust: RunCheck = async ({ app: { settings } }) => {
  switch (settings.trust) {
    case 'nothing':
      return ok('nothing here needs it');
    case 'trusted':
      return ok('what this workspace defines is as you saw it');
    case 'untrusted':
      return warning(
        'this workspace defines tools, servers or commands that are left out',
        'Look at them with "ken trust --show", and run "ken trust" if you want them.',
      );
    case 'changed':
      return warning(
        'this workspace has changed since you trusted it, so its definitions are left out',
        'See what changed with "ken trust --show", and decide with "ken trust".',
      );
  }
};

/** Also finds out whether the database can be read. */
export const checkApprovals: RunCheck = async ({ app: { approvals, clock } }) => {
  const waiting = await approvals.list({ statuses: ['pending'] }, clock.now());
  if (waiting.length === 0) return ok('nothing waits for you');
  return warning(
    waiting.length === 1 ? 'one request waits for you' : `${waiting.length} requests wait for you`,
    'See them with "ken approvals ls".',
  );
};
