/** Clients that defer tools find them by BM25 over name and description, among the tools of other servers. */

import { expect, it } from 'vitest';
import { connect } from './connect.ts';
import { gardenWorkspace } from './garden.ts';
import others from './tools-of-others.json' with { type: 'json' };

const EVERYDAY = [
  'how do we deploy to production',
  'where is the runbook for an outage',
  'what did we decide about the database',
  'what are our naming conventions',
  'how do I run the tests in this project',
  'look up the internal docs on billing',
  'which port does the api server use',
  'how do I use the router of the axum library',
  'what is our code review policy',
  'why did we choose postgres',
  'how to set up the development environment',
  'who owns the payments service',
  'find the architecture overview',
  'what does the onboarding guide say',
  'what coding style do we follow',
  'how do releases work here',
  'what was said about caching last week',
  'is there documentation for the auth module',
  'how do we roll back a release',
  'what are the steps to add a migration',
  'explain the project structure',
  'search project knowledge for rate limits',
  'known problems with the staging environment',
  'what is the retention policy for logs',
  'how do we handle secrets in this project',
  'api reference of the http client library',
  'troubleshooting guide for flaky tests',
  'team working hours and on call rotation',
  'glossary of our terms',
  'what do we know about customer acme',
];

const FOREIGN = [
  'read the file src/index.ts',
  'click the login button on the page',
  'create a pull request',
  'take a screenshot of the website',
  'list the contents of a directory',
  'add two numbers',
  'merge the pull request',
  'write a file to disk',
  'navigate to a url in the browser',
  'list commits of a branch on github',
];

interface Listed {
  readonly server: string;
  readonly name: string;
  readonly description: string;
}

it('finds search or learn for everyday questions, and nothing of ken first for work that other tools do', async () => {
  const { client } = await connect(gardenWorkspace());
  const { tools } = await client.listTools();
  const own = tools.map(({ name, description = '' }) => ({ server: 'ken', name, description }));
  const ranked = ranking([...own, ...others]);
  const missed = EVERYDAY.filter(
    (question) =>
      !ranked(question)
        .slice(0, 3)
        .some(({ server, name }) => server === 'ken' && ['search', 'learn'].includes(name)),
  );
  expect(missed).toEqual([]);
  expect(FOREIGN.filter((question) => ranked(question)[0]?.server === 'ken')).toEqual([]);
});

/** Okapi BM25 with its usual parameters, over words without stems and without stop words. */
function ranking(tools: readonly Listed[]): (question: string) => Listed[] {
  const pages = tools.map(({ name, description }) => wordsOf(`${name.replaceAll('_', ' ')} ${description}`));
  const average = pages.reduce((sum, { length }) => sum + length, 0) / pages.length;
  const scoreOf = (page: readonly string[], term: string) => {
    const having = pages.filter((each) => each.includes(term)).length;
    const rarity = Math.log(1 + (pages.length - having + 0.5) / (having + 0.5));
    const count = page.filter((word) => word === term).length;
    return (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * page.length) / average));
  };
  return (question) => {
    const terms = wordsOf(question);
    const scored = tools.map((tool, at) => ({
      tool,
      score: terms.reduce((sum, term) => sum + scoreOf(pages[at] ?? [], term), 0),
    }));
    return scored
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ tool }) => tool);
  };
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).filter((word) => !STOP_WORDS.has(word));
}

const STOP_WORDS = new Set(
  'a an and are as at be by do for from i in is it of on or s that the this to was what with'.split(' '),
);
