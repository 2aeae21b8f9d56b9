/** Every config key. No key is defined anywhere else. */

import { asList } from './merge.ts';
import { assistant, providers } from './schema/assistant.ts';
import { accumulatedList, table, text } from './schema/build-node.ts';
import { conversation } from './schema/conversation.ts';
import { isPlainPath } from './schema/effects.ts';
import { kb } from './schema/kb.ts';
import {
  approvals,
  backup,
  hooks,
  knowledge,
  mcp,
  net,
  references,
  search,
  serve,
  style,
  team,
  tools,
  web,
} from './schema/limits.ts';
import type { ValueOf } from './schema/node.ts';

export const SCHEMA = table('ken’s configuration.', {
  extends: accumulatedList(
    'Files merged before this one, relative to it; globs work.',
    text('A path or a glob.'),
    // A workspace's file can extend only files inside the workspace; see `load.ts`.
    { effect: 'harmless' },
  ),
  config_load_paths: accumulatedList('Where --cfg NAME looks for NAME.toml.', text('A directory.'), {
    default: ['config.d'],
    effect: (paths) => (asList(paths).every(isPlainPath) ? 'harmless' : 'reads'),
  }),
  kb,
  assistant,
  providers,
  conversation,
  tools,
  references,
  net,
  search,
  knowledge,
  backup,
  approvals,
  mcp,
  hooks,
  web,
  team,
  serve,
  style,
  editor: text('The editor; absent: $VISUAL, then $EDITOR.', { by: 'user', effect: 'runs' }),
});

/** The configuration in force, in which every key with a default is present. */
export type Config = ValueOf<typeof SCHEMA>;
