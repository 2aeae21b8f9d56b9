/** The options for labels that several commands have. */

import type { OptionSpec } from '../command.ts';

export const LABEL = {
  flags: '--label <label>',
  summary: 'set k=v, k, :alias, or remove k-',
  repeatable: true,
  complete: 'labels',
} as const satisfies OptionSpec;

export const LABEL_SELECTOR = {
  flags: '--label <selector>',
  summary: 'only with matching labels',
  repeatable: true,
  complete: 'labels',
} as const satisfies OptionSpec;
