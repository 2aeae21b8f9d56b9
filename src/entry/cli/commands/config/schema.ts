import { configJsonSchema } from '../../../../config/json-schema.ts';
import { command } from '../../command.ts';

export const configSchema = command({
  name: 'schema',
  summary: 'print the JSON Schema of the configuration',
  examples: ['config schema > ken.schema.json'],

  async run({ terminal }) {
    terminal.printStyled(JSON.stringify(configJsonSchema(), null, 2));
    return undefined;
  },
});
