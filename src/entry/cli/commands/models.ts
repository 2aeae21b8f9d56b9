import type { ProviderReport } from '../../../domain/turns/model/models.ts';
import { command } from '../command.ts';
import { type ItemColumn, printTable } from '../render/table.ts';

const COLUMNS: readonly ItemColumn<ProviderReport>[] = [
  { title: 'provider', cell: ({ provider }) => provider },
  { title: 'state', cell: ({ state }) => state },
  { title: 'remark', flexible: true, cell: ({ remark }) => remark },
  { title: 'models', flexible: true, cell: ({ models: names }) => names.join(' ') },
];

export const models = command({
  name: 'models',
  summary: 'list configured and reachable models',
  description: 'Asks only servers that you configured by address; no key is sent anywhere.',
  examples: ['models', 'models --json'],

  async run({ terminal, signal, openAnywhere }) {
    const app = await openAnywhere();
    const providers = await app.models.survey(signal);
    const inUse = app.config.assistant.model;
    if (terminal.json) terminal.printJson({ model: inUse, providers });
    else {
      printTable(terminal, COLUMNS, providers);
      terminal.note(`In use: ${inUse}`);
    }
  },
});
