import { command } from '../command.ts';
import { checkConfig } from './config/check.ts';
import { configSchema } from './config/schema.ts';
import { setConfig } from './config/set.ts';
import { showConfig } from './config/show.ts';

export const config = command({
  name: 'config',
  summary: 'show, set and check the configuration',
  examples: ['config show kb', 'config set assistant.name ada', 'config show --origin'],
  subcommands: [showConfig, setConfig, checkConfig, configSchema],
});
