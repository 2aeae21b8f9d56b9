import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../../../base/fault.ts';

/** The real path of a transcript; a Fault for a file outside of the directories where the clients keep theirs. */
export async function ownTranscript(
  file: string,
  { HOME = '/', CLAUDE_CONFIG_DIR, CODEX_HOME }: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const directories = [
    path.join(CLAUDE_CONFIG_DIR ?? path.join(HOME, '.claude'), 'projects'),
    path.join(CODEX_HOME ?? path.join(HOME, '.codex'), 'sessions'),
  ];
  const real = path.isAbsolute(file) ? await realpath(file).catch(() => undefined) : undefined;
  for (const directory of directories) {
    const own = await realpath(directory).catch(() => undefined);
    if (own !== undefined && real?.startsWith(`${own}/`) && real.endsWith('.jsonl')) return real;
  }
  throw new Fault('files/unreadable', 'The transcript is not in the directory of Claude Code or Codex.', {
    hint: 'Import it yourself with "ken c import".',
  });
}
