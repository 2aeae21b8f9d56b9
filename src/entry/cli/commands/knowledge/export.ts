import path from 'node:path';
import { EXPORT_HEAD, exportedEntry } from '../../../../domain/ledger/exchange/exported-entry.ts';
import { command } from '../../command.ts';

export const exportKnowledge = command({
  name: 'export',
  summary: 'write every entry with all its versions as JSON lines',
  description: 'The first line says what it is; "ken knowledge import" reads it back, here or elsewhere.',
  examples: ['k export > ledger.jsonl', 'k export --output ledger.jsonl'],
  options: [{ flags: '--output <file>', summary: 'into a new file; one that exists is never overwritten' }],

  async run({ options, terminal, directory, open }) {
    const app = await open();
    const output = options.text('output');
    if (output === undefined) {
      terminal.printJsonLine(EXPORT_HEAD);
      await app.ledger.histories((history) => terminal.printJsonLine(exportedEntry(history)));
      return undefined;
    }
    const file = path.resolve(directory, output);
    const lines = [lineOf(EXPORT_HEAD)];
    await app.ledger.histories((history) => void lines.push(lineOf(exportedEntry(history))));
    await app.newFiles.create(path.dirname(file), [
      { path: path.basename(file), content: Buffer.concat(lines) },
    ]);
    if (terminal.json) terminal.printJson({ path: file, entries: lines.length - 1 });
    else terminal.note(`wrote ${file}`);
    return undefined;
  },
});

/** Bytes: a large ledger is longer than a text can be. */
function lineOf(value: object): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
