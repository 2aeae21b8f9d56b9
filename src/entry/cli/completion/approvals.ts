import type { Completer } from './completer.ts';

/** Those that wait first; whatever else there is only when it was begun to be typed. */
export const completeApprovals: Completer = async ({ typed, openAnywhere }) => {
  const { approvals, clock } = await openAnywhere();
  const found = await approvals.list(
    typed === '' ? { statuses: ['pending'], limit: 50 } : { idPrefix: typed, limit: 50 },
    clock.now(),
  );
  return found.map(({ id, summary }) => ({ value: id, description: summary }));
};

/** Those that run first; whatever else there is only when it was begun to be typed. */
export const completeJobs: Completer = async ({ typed, openAnywhere }) => {
  const { jobs } = await openAnywhere();
  const found = await jobs.list(typed === '' ? { isRunning: true, limit: 50 } : { limit: 1000 });
  const fitting = found.filter(({ id }) => id.startsWith(typed)).slice(0, 50);
  return fitting.map(({ id, title }) => ({ value: id, description: title }));
};
