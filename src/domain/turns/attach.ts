import { Fault } from '../../base/fault.ts';
import type { AttachedText } from '../conversations/event.ts';

export interface AttachmentReader {
  /** Undefined when this reader does not handle the source. A directory or a glob gives several texts. */
  read(source: string, signal: AbortSignal): Promise<readonly AttachedText[] | undefined>;
}

const MAX_TEXTS = 200;

/** In the order given, each source once. A Fault for a source that cannot be read. */
export async function attach(
  readers: readonly AttachmentReader[],
  sources: readonly string[],
  signal: AbortSignal,
): Promise<readonly AttachedText[]> {
  const attached = new Map<string, AttachedText>();
  for (const source of new Set(sources)) {
    for (const text of await readWith(readers, source, signal)) attached.set(text.source, text);
    if (attached.size > MAX_TEXTS) {
      throw new Fault('attachments/too-many', `"${source}" has more than ${MAX_TEXTS} files.`, {
        hint: 'Name fewer, or narrow the pattern.',
      });
    }
  }
  return [...attached.values()];
}

async function readWith(
  readers: readonly AttachmentReader[],
  source: string,
  signal: AbortSignal,
): Promise<readonly AttachedText[]> {
  if (source.trim() === '') throw new Fault('attachments/invalid', 'An attachment has no name.');
  for (const reader of readers) {
    const texts = await reader.read(source, signal);
    if (texts) return texts;
  }
  throw new Fault('attachments/not-found', `There is nothing to attach at "${source}".`, {
    hint: 'Attach files, directories or globs of the workspace, http(s): addresses, or cmd: commands.',
  });
}
