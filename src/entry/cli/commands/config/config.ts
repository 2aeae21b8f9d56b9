import { counted } from '../../../../base/text.ts';
import { formatKeyPath } from '../../../../config/key-path.ts';
import { omissionWarnings, placeOf } from '../../../../config/report.ts';
import { configJsonSchema } from '../../../../config/schema/json-schema.ts';
import { command } from '../../command.ts';
import { editConfig, setConfig, unsetConfig } from './set.ts';
import { getConfig, showConfig } from './show.ts';

const checkConfig = command({
  name: 'check',
  summary: 'check all config files for mistakes',
  description: 'Exit 6 when anything is wrong.',
  examples: ['config check', 'config check --json'],

  async run({ terminal, openAnywhere }) {
    const { settings } = await openAnywhere({ toleratesTrouble: true });
    const problems = await Promise.all(
      settings.problems.map(async (trouble) => ({
        place: await placeOf(settings.files, trouble),
        key: formatKeyPath(trouble.path),
        message: trouble.message,
        hint: trouble.hint,
      })),
    );
    const omissions = await omissionWarnings(settings, settings.omissions);
    if (terminal.json) {
      terminal.printJson({ files: settings.files.map(({ file }) => file), problems, omissions });
    } else {
      for (const { place, message, hint } of problems) {
        terminal.print(`${place}: ${message}.${hint ? ` ${hint}` : ''}`);
      }
      const count = settings.files.length;
      if (problems.length === 0) terminal.print(`${counted(count, 'config file')}, nothing wrong.`);
    }
    return problems.length > 0 ? 6 : 0;
  },
});

const configSchema = command({
  name: 'schema',
  summary: 'print the JSON Schema of the configuration',
  examples: ['config schema > ken.schema.json'],

  async run({ terminal }) {
    terminal.printStyled(JSON.stringify(configJsonSchema(), null, 2));
  },
});

export const config = command({
  name: 'config',
  summary: 'show, set and check the configuration',
  examples: ['config show kb', 'config set assistant.name ada', 'config show --origin'],
  subcommands: [showConfig, getConfig, setConfig, unsetConfig, editConfig, checkConfig, configSchema],
});
