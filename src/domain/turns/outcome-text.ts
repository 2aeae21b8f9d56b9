import type { Outcome } from '../tools/tool.ts';

/** An outcome as the model reads it. */
export function outcomeText(outcome: Outcome): string {
  if (outcome.type === 'success') return outcome.text;
  if (outcome.type === 'needs-input') return `The tool needs an answer first: ${outcome.question.text}`;
  const trace = outcome.trace.map((cause) => `\nCaused by: ${cause}`).join('');
  const retry = outcome.transient ? '\nTrying again may help.' : '';
  return `Error: ${outcome.message}${trace}${retry}`;
}
