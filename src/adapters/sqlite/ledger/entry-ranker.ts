import type { EntryRanker } from '../../../domain/ledger/search/entry-ranker.ts';
import { queryWords } from '../../../domain/ledger/search/searchable-text.ts';
import type { Database } from '../seam/database.ts';
import { conditionsOf } from './ledger-conditions.ts';

const MOST_WORDS = 64;

/** BM25 by FTS5, over the words of every version there ever was. */
export function sqliteEntryRanker(database: Database): EntryRanker {
  return {
    async rank({ query, order, filter }) {
      const words = queryWords(query, MOST_WORDS);
      if (words.length === 0) return [];
      const { sql, values } = conditionsOf(filter);
      const select = `
        select v.entry as id, -f.rank as score
        from version_words f cross join version v on v.position = f.rowid
        where version_words match :query and ${sql}
        order by ${order === 'relevance' ? 'f.rank' : 'v.written desc'}, v.entry
        limit :limit offset :offset`;
      const { limit, offset = 0 } = filter;
      const match = words.map((word) => `"${word}"`).join(' OR ');
      const rows = await database.read(() =>
        database.statement(select).all({ ...values, query: match, limit, offset }),
      );
      return rows.map(({ id, score }) => ({ id: String(id), score: Number(score) }));
    },
  };
}
