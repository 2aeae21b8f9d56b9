import { createContext, Script } from 'node:vm';
import { Fault } from '../../base/fault.ts';
import type { Patterns } from '../../domain/conversations/grep.ts';

/** Longest time for the lines of one text, in milliseconds. */
const LIMIT_MS = 1000;

const testing = new Script('lines.map((line) => expression.test(line))');

/** V8 interrupts an expression that backtracks without end. */
export const systemPatterns: Patterns = {
  async test(expression, lines) {
    try {
      return testing.runInContext(createContext({ expression, lines }), { timeout: LIMIT_MS });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
      throw new Fault(
        'conversations/slow-pattern',
        `The expression ${expression.source} takes more than a second for one message.`,
        { hint: 'Write it without nested repetitions such as (a+)+.', cause: error },
      );
    }
  },
};
