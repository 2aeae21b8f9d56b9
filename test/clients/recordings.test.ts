import { expect, it } from 'vitest';
import { sandboxHere } from '../cli/ken-here.ts';
import { connect, ODD_SERVER, textOf } from '../mcp/connect.ts';
import { problemsOf, recordings } from './recordings.ts';
import { SCENARIOS } from './scenarios.ts';
import { fillWorkspace } from './workspace.ts';

it.each(recordings().map((recording) => [recording.npm, recording] as const))(
  'what matters reached the model of %s',
  (_, recording) => {
    expect(problemsOf(recording)).toEqual([]);
  },
);

it('is recorded from clients that read the data and from clients that read the text', () => {
  const firsts = recordings().map(({ results }) => results[0]?.seen ?? '');
  expect(firsts.some((seen) => seen.includes('{"outcome":"answers"'))).toBe(true);
  expect(firsts.some((seen) => !seen.includes('{"outcome"'))).toBe(true);
});

it('holds what hooks told Claude Code and Codex, after a compaction too', () => {
  const hooked = recordings().filter(({ hooks }) => hooks);
  expect(hooked.map(({ name }) => name)).toEqual(['Claude Code', 'Codex']);
});

it('holds what ken answers today', async () => {
  const { root, home, ken } = sandboxHere('');
  await fillWorkspace({
    root,
    home,
    jobAfterSeconds: 1,
    async ken(...words) {
      expect(await ken(words)).toMatchObject({ code: 0 });
    },
  });
  const { client } = await connect({ ...sandboxHere(''), root, home }, { program: ODD_SERVER, words: [] });
  const hookText = async () =>
    JSON.parse((await ken(['hook', 'session-start'])).stdout).hookSpecificOutput.additionalContext;
  const atStart = await hookText();
  const outdated: string[] = [];
  for (const { name, tool, arguments: given } of SCENARIOS) {
    const { structuredContent, ...answer } = await client.callTool({ name: tool, arguments: { ...given } });
    const forms = [textOf(answer), JSON.stringify(structuredContent)].flatMap((form) => asQuoted(form));
    for (const { npm, results } of recordings()) {
      const { seen = '' } = results.find(({ scenario }) => scenario === name) ?? {};
      if (!forms.some((form) => withoutIds(seen).includes(form))) outdated.push(`${npm}: ${name}`);
    }
  }
  const afterwards = await hookText();
  expect(afterwards).toContain("1 request waits for the operator's decision");
  for (const { npm, hooks } of recordings())
    if (hooks && !(hooks.atStart.includes(atStart) && hooks.afterCompaction.includes(afterwards)))
      outdated.push(`${npm}: hooks`);
  expect(outdated, 'run "npm run test:clients"').toEqual([]);
}, 60_000);

/** The answer (if it is long, its beginning) as it is, and as clients quote an answer in JSON, once or in each other. */
function asQuoted(answer: string | undefined): readonly string[] {
  if (answer === undefined) return [];
  const forms = [answer.length > 2_000 ? answer.slice(0, 300) : answer];
  for (let depth = 0; depth < 3; depth++) forms.push(JSON.stringify(forms.at(-1)).slice(1, -1));
  return forms.map(withoutIds);
}

function withoutIds(text: string): string {
  return text.replaceAll(/(?<![0-9a-f])(?:[0-9a-f]{12}|[0-9a-f]{16})(?![0-9a-f])|01[0-9A-Z]{24}/g, '#');
}

it('holds that Claude Code shows search and learn when it defers the tools of servers', () => {
  const [claude] = recordings().filter(({ name }) => name === 'Claude Code');
  expect(claude?.shownAtOnce).toBe('learn, search');
});

it('finds what is missing', () => {
  const [first] = recordings();
  const empty = first && { ...first, results: [], hasRule: false, shownAtOnce: '' };
  expect(empty && problemsOf(empty)).toContain('a search without an answer: no /Nothing/');
  expect(empty && problemsOf(empty)).toContain('the rule did not reach the model');
  expect(empty && problemsOf(empty)).toContain('its model is shown  at once, not learn and search');
});
