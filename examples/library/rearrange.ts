// Moves and deletes subjects; relabels a conversation and deletes it.
import { openWorkspace } from '@ken-kb/ken';

await using ken = await openWorkspace(process.cwd());

await ken.addSubject('project', 'ada', '# Ada\n\nReviews the API.\n');
const { slug } = await ken.moveSubject('project', 'ada', 'project/people/ada');
await ken.deleteSubject('project', slug);
console.log(slug, (await ken.topics()).map(({ subjects }) => subjects.length));

await ken.ask('How do we deploy?', { labels: ['team=a'] }).answer();
const { id, labels } = await ken.relabel('@last', ['team=b', 'done']);
await ken.deleteConversation(id);
console.log(labels, await ken.conversations());
