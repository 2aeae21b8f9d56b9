import { type Command, command } from '../command.ts';
import { addKnowledge } from './knowledge/add.ts';
import { auditKnowledge } from './knowledge/audit.ts';
import { decayKnowledge } from './knowledge/decay.ts';
import { diffKnowledge } from './knowledge/diff.ts';
import { exportKnowledge } from './knowledge/export.ts';
import { knowledgeHistory } from './knowledge/history.ts';
import { importKnowledge } from './knowledge/import.ts';
import { listKnowledge } from './knowledge/list.ts';
import { promoteKnowledge, revokePromotion } from './knowledge/promote.ts';
import { logRetrieval } from './knowledge/retrieval-log.ts';
import { knowledgeSchema } from './knowledge/schema.ts';
import { searchKnowledge } from './knowledge/search.ts';
import { showKnowledge } from './knowledge/show.ts';
import { deprecateKnowledge, restoreKnowledge } from './knowledge/status.ts';
import { verifyKnowledge } from './knowledge/verify.ts';

const COMMANDS: readonly Command[] = [
  addKnowledge,
  searchKnowledge,
  showKnowledge,
  listKnowledge,
  knowledgeHistory,
  diffKnowledge,
  deprecateKnowledge,
  restoreKnowledge,
  decayKnowledge,
  logRetrieval,
  verifyKnowledge,
  auditKnowledge,
  exportKnowledge,
  importKnowledge,
  promoteKnowledge,
  revokePromotion,
];

export const knowledge = command({
  name: 'knowledge',
  aliases: ['k'],
  summary: 'keep facts with where they come from, and find them again',
  description:
    'The ledger of this workspace. Every entry names its provenance, keeps all its versions and can be read as it ' +
    'was at any moment. Times are epoch seconds with a Z, or ISO-8601.',
  examples: [
    'k add --title "Deploys need a tag" --text "…" --provenance file:docs/deploy.md#L3-L9',
    'k search deploy',
    'k history 01K9ZC4N8Q',
  ],
  subcommands: [...COMMANDS, knowledgeSchema(COMMANDS)],
});
