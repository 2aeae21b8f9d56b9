// Lists the tools, proposes a subject with one of them, and reads that the proposal waits for the operator.
import { openWorkspace } from '@ken-kb/ken';

await using ken = await openWorkspace(process.cwd());

const names = (await ken.tools()).map(({ name }) => name);
console.log(names.includes('kb_propose'), names.includes('search'));

await ken.call('kb_propose', { topic: 'project', slug: 'rollback', text: '# Rollback\n\nPush the tag before.\n' });
for (const { status, summary } of await ken.approvals()) console.log(status, summary.includes('rollback'));

console.log(await ken.jobs(), await ken.references(), (await ken.searchReferences('rollback')).outcome);
