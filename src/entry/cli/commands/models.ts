import { command } from '../command.ts';
import { type Column, table } from '../render/table.ts';

const COLUMNS: readonly Column[] = [
  { title: 'provider' },
  { title: 'state' },
  { title: 'remark', flexible: true },
  { title: 'models', flexible: true },
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
      const rows = providers.map(({ provider, state, remark, models: names }) => [
        provider,
        state,
        remark,
        names.join(' '),
      ]);
      terminal.printStyled(table(terminal, COLUMNS, rows));
      terminal.note(`In use: ${inUse}`);
    }
    return 0;
  },
});
