import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { ledgerMigrations } from '../src/adapters/sqlite/ledger/ledger-database.ts';
import { INDEX_FORMAT } from '../src/domain/search/index/index-store.ts';
import { termsOf } from '../src/domain/words/terms.ts';

/** Texts of every kind that scanning, splitting, folding and stemming treat in their own way. */
const SAMPLE = `
  Deploys were deployed by the deployers; deploying needs deployments. The cities' mice ran happily, generalizations
  of possibilities, running runners, agreed, hopping, hoping, sized, flies, dying, skies, news, proceed, exceeding.
  readIndex HTTPServer2Go parse_json_file XMLHttpRequest kebab-case-word v1.2.3 0x1F utf8 don't O'Brien's e-mail
  naïve café Ångström İstanbul straße ﬁne Ἑλλάς Москва москвы C++ C# .NET node.js @scope/name --dry-run a_b__c
  日本語の検索エンジン 검색 엔진을 ประเทศไทย ភាសាខ្មែរ 中文搜索, emoji 🎉 party, 𝒜𝓁𝓅𝒽𝒶 ①②③ 10,000 3.14 2026-01-31
`;

/** Words that fill stored databases. `terms` is a digest of the terms of the sample. */
const STORED = { terms: '2b18e893e7881bff', indexFormat: '4', ledgerSteps: 4 };

it('terms change only together with the databases that hold them', () => {
  const terms = createHash('sha256')
    .update(JSON.stringify(termsOf(SAMPLE)))
    .digest('hex')
    .slice(0, 16);
  const isRaised = INDEX_FORMAT !== STORED.indexFormat && ledgerMigrations().length > STORED.ledgerSteps;
  const advice = isRaised
    ? 'INDEX_FORMAT and the ledger have been raised for it: write the three new values into STORED.'
    : 'Raise INDEX_FORMAT (domain/search/index/index-store.ts), and add a step to ledgerMigrations that fills ' +
      'version_words anew: old databases hold the terms as they were, and searches would miss them.';
  expect(terms, `domain/words makes other terms of the same text. ${advice}`).toBe(STORED.terms);
});
