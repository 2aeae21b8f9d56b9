/** A baseline: ranks texts by how many of the words they contain as written, as a person with grep would. */

import { parseQuery } from '../../words/parse-query.ts';

export type GrepRanking<Searched> = (question: string, limit: number) => Searched[];

export function grepRanking<Searched extends { readonly text: string }>(
  texts: readonly Searched[],
): GrepRanking<Searched> {
  const lowered = texts.map((searched) => ({ searched, content: searched.text.toLowerCase() }));
  return (question, limit) => {
    const words = parseQuery(question).words.map(({ written }) => written);
    return lowered
      .map(({ searched, content }) => ({
        searched,
        count: words.filter((word) => content.includes(word)).length,
      }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count)
      .slice(0, limit)
      .map(({ searched }) => searched);
  };
}
