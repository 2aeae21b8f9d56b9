import path from 'node:path';
import { secondsOf } from '../../../../base/time.ts';
import {
  EXPORT_HEAD,
  exportedClaims,
  exportedEntry,
} from '../../../../domain/ledger/exchange/exported-entry.ts';
import { type Command, command } from '../../command.ts';
import { OUTPUT, outputFile } from '../../options.ts';
import { addKnowledge } from './add.ts';
import { auditKnowledge } from './audit.ts';
import { knowledgeClaims } from './claims.ts';
import { decayKnowledge } from './decay.ts';
import { confirmKnowledge, editKnowledge } from './edit.ts';
import { eraseKnowledge } from './erase.ts';
import { diffKnowledge, knowledgeHistory } from './history.ts';
import { importKnowledge } from './import.ts';
import { listKnowledge } from './list.ts';
import { promoteKnowledge, revokePromotion } from './promote.ts';
import { logRetrieval } from './retrieval-log.ts';
import { knowledgeSchema } from './schema.ts';
import { searchKnowledge } from './search.ts';
import { acceptProposal, declineProposal, listProposals } from './shared/proposals.ts';
import { showKnowledge } from './show.ts';
import { deprecateKnowledge, restoreKnowledge } from './status.ts';
import { verifyKnowledge } from './verify.ts';

const exportKnowledge = command({
  name: 'export',
  summary: 'export every entry with all its versions as JSON lines',
  description: 'The first line describes the format; "ken knowledge import" reads it, here or elsewhere.',
  examples: ['k export > ledger.jsonl', 'k export --output ledger.jsonl'],
  options: [OUTPUT],

  async run({ options, terminal, directory, open }) {
    const app = await open();
    const file = outputFile(options, directory);
    const heads = [EXPORT_HEAD, ...exportedClaims(await app.ledger.claims(secondsOf(app.clock.now())))];
    if (file === undefined) {
      for (const line of heads) terminal.printJsonLine(line);
      await app.ledger.histories((history) => terminal.printJsonLine(exportedEntry(history)));
      return;
    }
    let entries = 0;
    await app.newFiles.createInParts(path.dirname(file), path.basename(file), async (put) => {
      const lines = lineWriter(put);
      for (const head of heads) lines.add(head);
      await app.ledger.histories((history) => {
        entries += 1;
        lines.add(exportedEntry(history));
      });
      lines.flush();
    });
    if (terminal.json) terminal.printJson({ path: file, entries });
    else terminal.note(`wrote ${file}`);
  },
});

const PART_LETTERS = 1024 * 1024;

/** Writes several lines at once, and never holds many: a large ledger is longer than a string can be. */
function lineWriter(put: (part: Uint8Array) => void) {
  let gathered = '';
  const flush = () => {
    put(Buffer.from(gathered));
    gathered = '';
  };
  return {
    flush,
    add(value: object) {
      gathered += `${JSON.stringify(value)}\n`;
      if (gathered.length > PART_LETTERS) flush();
    },
  };
}

const COMMANDS: readonly Command[] = [
  addKnowledge,
  editKnowledge,
  confirmKnowledge,
  eraseKnowledge,
  searchKnowledge,
  showKnowledge,
  listKnowledge,
  knowledgeHistory,
  diffKnowledge,
  knowledgeClaims,
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
  listProposals,
  acceptProposal,
  declineProposal,
];

export const knowledge = command({
  name: 'knowledge',
  aliases: ['k'],
  summary: 'keep facts with their sources, and find them again',
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
