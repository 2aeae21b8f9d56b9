/** Topics on their way to and from other machines, as directories of the same form as the library's own. */

import type { TopicLock } from './lock.ts';
import type { ReferenceTopic } from './topic.ts';

export interface TopicTransfer {
  /** A Fault when there is something at `directory`. What fails half way is taken away again. */
  exportTo(slug: string, directory: string): Promise<void>;
  /** Undefined for a directory that is no exported topic; a Fault for one that is broken. */
  readExported(directory: string): Promise<ExportedTopic | undefined>;
}

export interface ExportedTopic {
  /** Its slug is the name of the directory and means nothing here. */
  readonly topic: ReferenceTopic;
  readonly lock: TopicLock;
  /** Undefined when it is not there, or not a plain file inside. */
  readFile(path: string): Promise<Uint8Array | undefined>;
}
