import { Fault } from '../../base/fault.ts';
import { compareCodePoints } from '../../base/text.ts';

export type ConversationId = string & { readonly __brand: 'ConversationId' };

/** Lower-case Crockford digits: no two look alike. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 9;
const RANDOM_LENGTH = 3;
export const ID_LENGTH = TIME_LENGTH + RANDOM_LENGTH;
const FORM = new RegExp(`^[${DIGITS}]{${ID_LENGTH}}$`);
const SHORTEST_PART = 4;

/** Nine digits of time, three of `randomBytes` (two bytes, in hexadecimal). */
export function conversationIdAt(now: number, randomBytes: string): ConversationId {
  const random = encode(Number.parseInt(randomBytes.slice(0, 4), 16), RANDOM_LENGTH);
  return `${encode(now, TIME_LENGTH)}${random}` as ConversationId;
}

export function isConversationId(text: string): text is ConversationId {
  return FORM.test(text);
}

/** Finds the one id that equals `part` or contains it. A part has at least 4 characters. */
export function selectConversation(part: string, ids: readonly ConversationId[]): ConversationId {
  const wanted = part.toLowerCase();
  const exact = ids.find((id) => id === wanted);
  if (exact) return exact;
  if (wanted.length < SHORTEST_PART) {
    throw new Fault('conversations/bad-id', `"${part}" is too short to select a conversation.`, {
      hint: `Type at least ${SHORTEST_PART} characters of its id; "ken c ls" lists them.`,
    });
  }
  const found = ids.filter((id) => id.includes(wanted)).sort(compareCodePoints);
  const [first, second] = found;
  if (first && !second) return first;
  if (!first) {
    throw new Fault('conversations/not-found', `There is no conversation "${part}".`, {
      hint: '"ken c ls" lists them.',
    });
  }
  throw new Fault('conversations/bad-id', `"${part}" could be ${found.length} conversations.`, {
    hint: `Ids of one day begin alike, so type the end of one: ${found.slice(0, 5).join(', ')}${found.length > 5 ? ', …' : ''}.`,
  });
}

function encode(value: number, length: number): string {
  let rest = value;
  let text = '';
  for (let at = 0; at < length; at++) {
    text = `${DIGITS[rest % 32] ?? '0'}${text}`;
    rest = Math.floor(rest / 32);
  }
  return text;
}
