/** What can stand in a place of the command line. Each part of ken adds its own to the registry. */

import type { App } from '../../../app.ts';
import type { RegisteredCommand } from '../command.ts';
import type { Options } from '../options.ts';

/**
 * Answers what fits; what does not begin with the typed text is left out afterwards. May throw or take long:
 * then there are no suggestions, and nobody is told.
 */
export type Completer = (request: CompletionRequest) => Promise<readonly Suggestion[]>;

export interface Suggestion {
  readonly value: string;
  /** A few words about it, for shells that show them. */
  readonly description?: string | undefined;
  /** More is to be typed after it, so no space follows. */
  readonly isPartial?: boolean;
}

export interface CompletionRequest {
  /** What there is of the word. */
  readonly typed: string;
  /** The arguments before it. */
  readonly arguments: readonly string[];
  /** The options so far. */
  readonly options: Options<string>;
  readonly commands: readonly RegisteredCommand[];
  /** With `--cfg` and `--workspace` as the line says. */
  openAnywhere(): Promise<App>;
}
