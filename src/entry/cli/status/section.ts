/** One part of the screen that `ken status` prints: what is here, what is stale, what waits. */

import type { WorkspaceApp } from '../../../app.ts';
import type { JsonObject } from '../../../base/json.ts';

export interface Section {
  /** `snake_case`; its key in the JSON output. */
  readonly id: string;
  readonly title: string;
  /** Its code is read only when it is shown. */
  load(): Promise<ReadSection>;
}

/** `undefined`: nothing to say, and no line is printed. May throw; then the others are shown all the same. */
export type ReadSection = (app: WorkspaceApp, signal: AbortSignal) => Promise<SectionContent | undefined>;

export interface SectionContent {
  /** A few; the whole status is one screen. */
  readonly lines: readonly string[];
  readonly data: JsonObject;
}
