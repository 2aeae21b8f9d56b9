import { describe, expect, it } from 'vitest';
import { sandbox } from '../cli/ken.ts';
import { openPty, ptyProblem } from '../cli/pty.ts';
import { sizedScreen } from '../cli/sized-screen.ts';

const problem = ptyProblem();

/** Enough that a fast machine takes longer to read them than a bar waits. */
const FILES = 2000;

describe.skipIf(problem)(`the first search${problem ? ` (${problem})` : ''}`, () => {
  it('shows a bar that moves, and leaves nothing of it behind', async () => {
    const place = sandbox('[kb.topic.code]\nsubjects = "code"\n');
    const functions = Array.from(
      { length: 150 },
      (_, at) => `export function tea${at}(cup: string) {\n  return cup;\n}\n`,
    );
    for (let at = 0; at < FILES; at++)
      place.write(
        `code/file${at}.md`,
        `# File ${at}\n\n${functions.join('\n').replaceAll('cup', `cup${at}`)}`,
      );
    const { output } = await openPty('ken search "where is cup7 returned"', {
      directory: place.root,
      environment: { KEN_HOME: place.home, PAGER: 'cat' },
    }).ended();
    const bars = [...output.matchAll(/Indexing {2}\[[#-]+\] {2}(\d+)% {2}\d+\/2000/g)].map(([, percent]) =>
      Number(percent),
    );
    expect(bars.length).toBeGreaterThan(1);
    expect(bars).toEqual(bars.toSorted((a, b) => a - b));
    const screen = sizedScreen({ columns: 80, rows: 24 });
    screen.write(output.replaceAll('\r\n', '\n'));
    expect(screen.rows().join('\n')).not.toContain('Indexing');
  });
});
