/** Detects the format of a transcript and reads it. */

import { Fault } from '../../../base/fault.ts';
import { isDeeperThan, parseDeepJson } from '../../../base/json.ts';
import { fromClaudeCode, isClaudeCode } from './claude-code.ts';
import { fromCodex, isCodex } from './codex.ts';
import { importLines, MAX_DEPTH } from './import-lines.ts';
import type { ImportedConversation } from './imported-conversation.ts';
import { fromKen, isKen } from './ken.ts';
import { fromOpencode, isOpencode } from './opencode.ts';

export interface TranscriptInput {
  readonly text: string;
  /** Id for a transcript that has none; the same for the same file. */
  readonly fallbackId: string;
  readonly now: number;
}

/** Lines at the beginning that are tried for a known format; some may be foreign or torn. */
const LINES_LOOKED_AT = 50;

/** Throws a Fault if the format is not known. */
export function readTranscript(input: TranscriptInput): ImportedConversation {
  const whole = parseDeepJson(input.text);
  if (isOpencode(whole)) {
    if (isDeeperThan(whole, MAX_DEPTH)) throw unknown('it is nested deeper than any transcript.');
    return fromOpencode(whole, input);
  }
  const lines = [...importLines(input.text)];
  const beginning = lines.slice(0, LINES_LOOKED_AT);
  const [first] = beginning;
  if (first && isKen(first)) return fromKen(lines, input.now);
  if (beginning.some(isClaudeCode)) return fromClaudeCode(lines, input);
  if (beginning.some(isCodex)) return fromCodex(lines, input);
  throw unknown(
    first ? 'its lines are not in the format of Claude Code, Codex, opencode or ken.' : 'it is empty.',
  );
}

function unknown(why: string): Fault {
  return new Fault('conversations/invalid', `This is not a known transcript: ${why}`, {
    hint: 'Claude Code and Codex keep theirs as .jsonl; "opencode export" and "ken c export --format jsonl" print them.',
  });
}
