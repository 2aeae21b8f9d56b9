import { minuteTime } from '../../../base/time.ts';
import { shownTitle } from '../commands/conversation/shown-title.ts';
import type { ReadSection } from './section.ts';

export const readConversations: ReadSection = async ({ conversations }) => {
  const all = await conversations.list({ labels: [], archived: 'with', local: 'with' });
  if (all.length === 0) return undefined;
  const archived = all.filter(({ metadata }) => metadata.archivedAt !== undefined).length;
  const local = all.filter(({ isLocal }) => isLocal).length;
  const last = all.reduce((a, b) => (b.metadata.activeAt > a.metadata.activeAt ? b : a));
  const counts = [
    all.length === 1 ? '1 conversation' : `${all.length} conversations`,
    ...(archived > 0 ? [`${archived} archived`] : []),
    ...(local > 0 ? [`${local} kept out of the workspace`] : []),
  ];
  return {
    lines: [
      counts.join(', '),
      `last: ${last.id}  ${minuteTime(last.metadata.activeAt)}  ${shownTitle(last.metadata)}`,
    ],
    data: { count: all.length, archived, local, last: last.id },
  };
};
