import { configJsonSchema } from '../../../../config/json-schema.ts';
import type { Command } from '../../command.ts';

export const configSchema: Command = {
  name: 'schema',
  summary: 'print the JSON Schema of the configuration',
  examples: ['config schema > ken.schema.json'],

  async run({ terminal }) {
    terminal.printStyled(JSON.stringify(configJsonSchema(), null, 2));
    return undefined;
  },
};
