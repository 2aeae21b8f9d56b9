import type { Feedback } from './entry.ts';

/** The most that feedback can add or take: enough to part equals, too little to beat a clearly better fit. */
const MOST = 0.1;
/** Votes that count as if neither way: one voice alone moves little. */
const DOUBT = 2;

/** What past use of an entry multiplies its score by. */
export function feedbackFactor({ helped, hurt }: Feedback): number {
  return 1 + (MOST * (helped - hurt)) / (helped + hurt + DOUBT);
}
