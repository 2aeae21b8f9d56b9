import { utf8Length } from '../../base/text.ts';
import { failure, success, type Tool, type ToolOutcome } from './tool.ts';
import { type ToolShape, unattendedTool } from './unattended-tool.ts';

export interface ResultPorts {
  readonly results: ResultStore;
}

/** Cuts the text to a number of bytes, and keeps the whole text if it is longer. */
export async function limitOutcome(
  { results }: ResultPorts,
  outcome: ToolOutcome,
  limitBytes: number,
): Promise<{ readonly outcome: ToolOutcome; readonly wasCut?: boolean }> {
  const whole = textOf(outcome);
  const sizeBytes = utf8Length(whole);
  if (sizeBytes <= limitBytes) return { outcome };
  const id = await results.keep(whole);
  const shown = (await results.read(id, 0, limitBytes)) ?? { text: '', next: 0 };
  const text = `${shown.text}\n${cutLine(id, shown.next, sizeBytes)}`;
  const cut = outcome.type === 'error' ? { ...outcome, message: text, trace: [] } : success(text);
  return { outcome: cut, wasCut: true };
}

function textOf(outcome: ToolOutcome): string {
  if (outcome.type === 'success') return outcome.text;
  return outcome.type === 'error' ? [outcome.message, ...outcome.trace].join('\n') : '';
}

function cutLine(id: string, next: number, sizeBytes: number): string {
  return `(cut: ${next} of ${sizeBytes} bytes are shown; read on with ${READ_RESULT} {"id":"${id}","offset":${next}})`;
}

const READ_RESULT = 'read_result';

const READ_ON: ToolShape = {
  description: 'Reads on in the result of a tool that was too long to be shown whole.',
  properties: {
    id: { type: 'string', description: 'The id that the cut result names.' },
    offset: { type: 'integer', minimum: 0, description: 'The byte to begin at.' },
  },
  required: ['id', 'offset'],
};

export function readResultTool({ results }: ResultPorts, limitBytes: number): Tool {
  return unattendedTool({
    name: READ_RESULT,
    reach: 'read',
    shape: READ_ON,
    faults: [],
    shown: ({ id, offset }) => `${id} from byte ${offset}`,
    async call({ id, offset }) {
      if (typeof id !== 'string' || typeof offset !== 'number')
        return { outcome: failure('No result is named.') };
      const part = await results.read(id, offset, limitBytes);
      if (!part)
        return { outcome: failure(`There is no result "${id}"; results are kept for a few days only.`) };
      const rest = part.next < part.sizeBytes ? `\n${cutLine(id, part.next, part.sizeBytes)}` : '';
      return { outcome: success(`${part.text}${rest}`) };
    },
  });
}

/** Keeps long results of tools for a while. */
export interface ResultStore {
  /** Returns the id to read it by. */
  keep(text: string): Promise<string>;
  /** Whole characters only; undefined when there is no result of that id. */
  read(id: string, offset: number, maxBytes: number): Promise<KeptPart | undefined>;
}

export interface KeptPart {
  readonly text: string;
  readonly sizeBytes: number;
  /** Offset of the next part; the size when this was the last. */
  readonly next: number;
}
