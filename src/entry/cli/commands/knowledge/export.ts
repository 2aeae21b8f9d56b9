import path from 'node:path';
import { EXPORT_HEAD, exportedEntry } from '../../../../domain/ledger/exported-entry.ts';
import type { Command } from '../../command.ts';

export const exportKnowledge: Command = {
  name: 'export',
  summary: 'write every entry with all its versions as JSON lines',
  description: 'The first line says what it is; "ken knowledge import" reads it back, here or elsewhere.',
  examples: ['k export > ledger.jsonl', 'k export --output ledger.jsonl'],
  options: [{ flags: '--output <file>', summary: 'into a new file; one that exists is never overwritten' }],

  async run({ options, terminal, directory, open }) {
    const app = await open();
    const entries = (await app.ledger.histories()).map(exportedEntry);
    const output = options.text('output');
    if (output === undefined) {
      terminal.printJsonLine(EXPORT_HEAD);
      for (const entry of entries) terminal.printJsonLine(entry);
      return undefined;
    }
    const file = path.resolve(directory, output);
    const content = [EXPORT_HEAD, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
    await app.newFiles.create(path.dirname(file), [{ path: path.basename(file), content }]);
    if (terminal.json) terminal.printJson({ path: file, entries: entries.length });
    else terminal.note(`wrote ${file}`);
    return undefined;
  },
};
