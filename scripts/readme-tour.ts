/** The tour of the README: commands, each with lines that it must print. */

export interface TourStep {
  /** Lines of a shell. */
  readonly commands: string;
  /** Lines of its output; `…` stands for anything. */
  readonly shows: readonly string[];
}

export function tourSteps(readme: string): readonly TourStep[] {
  const section = readme.split(/^## /m).find((part) => part.startsWith('Five minutes\n')) ?? '';
  const blocks = [...section.matchAll(/^```(sh|text)\n([\s\S]*?)^```$/gm)];
  const steps: { commands: string; shows: string[] }[] = [];
  for (const [, kind, text = ''] of blocks) {
    if (kind === 'sh') steps.push({ commands: text, shows: [] });
    else steps.at(-1)?.shows.push(...text.split('\n').filter(Boolean));
  }
  return steps;
}
