import { describe, expect, it } from 'vitest';
import {
  itUsesTheTenantsIndexes,
  newTenant,
  postgresProblem,
  sharedDatabase,
} from '../../../../test/team/postgres.ts';
import { libraryAtOnce } from '../../../../test/team/store-contracts.ts';
import {
  exampleLock,
  exampleTopic,
  itKeepsReferenceTopics,
} from '../../../domain/references/topic/library.contract.ts';
import type { ReferenceLibrary } from '../../../domain/references/topic/library.ts';
import { formatTopicFile, parseTopicFile } from '../../files/references/topic-file.ts';
import type { Database, Tenant } from '../seam/database.ts';
import { postgresReferenceLibrary } from './library.ts';

const topicFormat = { format: formatTopicFile, parse: parseTopicFile };
const bytes = (text: string) => new TextEncoder().encode(text);

describe.skipIf(postgresProblem() !== undefined)('the reference topics of a team', () => {
  const shared = sharedDatabase();
  const opened = async (tenant: Tenant = newTenant()) =>
    postgresReferenceLibrary({ database: await shared.database(), tenant, topicFormat });

  itKeepsReferenceTopics('PostgreSQL', () => libraryAtOnce(shared.database));

  const publish = async (library: ReferenceLibrary, files: Record<string, string>) => {
    const staged = await library.stage();
    for (const [path, content] of Object.entries(files)) await staged.write(path, bytes(content));
    await staged.publish(exampleTopic(), exampleLock(files));
  };

  it('shows nothing to another team, nor to another workspace of the team', async () => {
    const tenant = newTenant();
    const library = await opened(tenant);
    await publish(library, { 'a.md': 'secret' });
    for (const other of [newTenant(), { ...tenant, workspace: 'kitchen' }]) {
      const theirs = await opened(other);
      expect([await theirs.list(), await theirs.get('signals'), await theirs.filePaths('signals')]).toEqual([
        [],
        undefined,
        [],
      ]);
      expect(await theirs.readFile('signals', 'a.md')).toBeUndefined();
      expect((await theirs.lock('signals')).files).toEqual([]);
      const staged = await theirs.stage();
      expect(await staged.carry({ slug: 'signals', path: 'a.md' }, 'a.md')).toBe(false);
      expect(await staged.replace('signals', (topic) => topic, exampleLock({}))).toBe(false);
      await staged.discard();
      expect([await theirs.remove('signals'), await theirs.change('signals', (topic) => topic)]).toEqual([
        false,
        false,
      ]);
    }
    expect(await library.readFile('signals', 'a.md')).toEqual(Buffer.from('secret'));
  });

  it('keeps a content once, until the last file of the team that has it is gone', async () => {
    const tenant = newTenant();
    const [library, other] = [await opened(tenant), await opened({ ...tenant, workspace: 'kitchen' })];
    const contents = async () =>
      (await shared.database()).read(
        async (sql) => (await sql`select 1 from ken.content c where c.team = ${tenant.team}`).length,
      );
    await publish(library, { a: 'same', b: 'same', c: 'other' });
    await publish(other, { a: 'same' });
    expect(await contents()).toBe(2);
    await library.remove('signals');
    expect(await contents()).toBe(1);
    await other.remove('signals');
    expect(await contents()).toBe(0);
  });

  it('takes away what a process began and never finished, a day later', async () => {
    const tenant = newTenant();
    const library = await opened(tenant);
    await publish(library, { a: 'kept' });
    const staged = await library.stage();
    await staged.write('b', bytes('never finished'));
    expect(await library.tidy()).toBe(0);
    await (await shared.database()).write(async (sql) => {
      await sql`
        update ken.file_set s set since = s.since - interval '2 days'
        where s.team = ${tenant.team} and s.workspace = ${tenant.workspace}`;
    });
    // The next that stages a topic does it, as "tidy" would.
    const next = await library.stage();
    await next.discard();
    expect(await library.tidy()).toBe(0);
    expect(await library.filePaths('signals')).toEqual(['a']);
    await staged.write('c', bytes('too late'));
    await expect(staged.publish(exampleTopic({ slug: 'late' }), exampleLock({ c: '' }))).rejects.toThrow();
    expect(await library.get('late')).toBeUndefined();
  });

  it('keeps a topic that was published although nobody was told so', async () => {
    const tenant = newTenant();
    const real = await shared.database();
    let writesLeft = Number.POSITIVE_INFINITY;
    const cutting: Database = {
      ...real,
      async write(work) {
        const result = await real.write(work);
        writesLeft -= 1;
        if (writesLeft === 0) throw new Error('The connection was lost after the commit.');
        return result;
      },
    };
    const library = postgresReferenceLibrary({ database: cutting, tenant, topicFormat });
    const staged = await library.stage();
    await staged.write('a.md', bytes('kept'));
    // The files, and the topic that names them.
    writesLeft = 2;
    await expect(staged.publish(exampleTopic(), exampleLock({ 'a.md': 'kept' }))).rejects.toThrow('lost');
    await staged.discard();
    expect(await library.readFile('signals', 'a.md')).toEqual(Buffer.from('kept'));
  });

  it('loses no content while some are removed and others begin to need them', async () => {
    const tenant = newTenant();
    const libraries = await Promise.all(
      ['garden', 'kitchen', 'shed'].map((workspace) => opened({ ...tenant, workspace })),
    );
    const rounds = libraries.map(async (library) => {
      for (let round = 0; round < 8; round++) {
        await publish(library, { a: 'the same for all', b: `round ${round}` });
        expect(await library.readFile('signals', 'a')).toEqual(Buffer.from('the same for all'));
        expect(await library.remove('signals')).toBe(true);
      }
    });
    await Promise.all(rounds);
  });

  itUsesTheTenantsIndexes({
    ...shared,
    tenant: ['team', 'workspace'],
    ofTeam: ['content', 'team_contents', 'file_by_content'],
  });
});
