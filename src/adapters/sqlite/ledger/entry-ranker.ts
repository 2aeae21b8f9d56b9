import type { SQLInputValue } from 'node:sqlite';
import type { EntryRanker } from '../../../domain/ledger/search/entry-ranker.ts';
import { containsPhrase } from '../../../domain/words/contains-phrase.ts';
import { type ParsedQuery, parseQuery } from '../../../domain/words/parse-query.ts';
import type { Database } from '../seam/database.ts';
import { conditionsOf } from './ledger-conditions.ts';

/** BM25 by FTS5, over the terms of all versions. */
export function sqliteEntryRanker(database: Database): EntryRanker {
  database.connection.function(
    'has_phrase',
    { deterministic: true, directOnly: true, varargs: true },
    (phrase, ...texts) => Number(texts.some((text) => containsPhrase(String(text), String(phrase)))),
  );
  return {
    async rank({ query, order, filter }) {
      const parsed = parseQuery(query);
      if (parsed.words.length === 0) return [];
      const { sql, values } = conditionsOf(filter);
      const phrases = phraseConditions(parsed);
      const select = `
        select v.entry as id, -f.rank as score
        from version_words f cross join version v on v.position = f.rowid
        where version_words match :query and ${[sql, ...phrases.terms].join(' and ')}
        order by ${order === 'relevance' ? 'f.rank' : 'v.written desc'}, v.entry
        limit :limit offset :offset`;
      const { limit, offset = 0 } = filter;
      const given = { ...values, ...phrases.values, query: matchOf(parsed), limit, offset };
      const rows = await database.read(() => database.statement(select).all(given));
      return rows.map(({ id, score }) => ({ id: String(id), score: Number(score) }));
    },
  };
}

/** An expression for FTS5. It requires all terms of a phrase; their order is checked in the text. */
function matchOf({ words, phrases, excludedTerms }: ParsedQuery): string {
  const quoted = (term: string) => `"${term}"`;
  const required = [...new Set(phrases.flatMap(({ terms }) => terms))];
  const wanted =
    required.length > 0
      ? required.map(quoted).join(' AND ')
      : words.map(({ term, isPrefix }) => `${quoted(term)}${isPrefix ? '*' : ''}`).join(' OR ');
  return excludedTerms.length === 0 ? wanted : `(${wanted}) NOT (${excludedTerms.map(quoted).join(' OR ')})`;
}

function phraseConditions({ phrases, excludedPhrases }: ParsedQuery) {
  const values: Record<string, SQLInputValue> = {};
  const terms = [...phrases.map(({ text }) => text), ...excludedPhrases].map((phrase, at) => {
    values[`phrase${at}`] = phrase;
    const isExcluded = at >= phrases.length;
    return `${isExcluded ? 'not ' : ''}has_phrase(:phrase${at}, v.title, v.tags, v.text, v.provenance)`;
  });
  return { terms, values };
}
