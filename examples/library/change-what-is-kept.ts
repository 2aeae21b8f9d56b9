// Adds a subject and corrects it, forks a conversation and gives the copy a name.
import { openWorkspace } from '@ken-kb/ken';

await using ken = await openWorkspace(process.cwd());

const { topic, slug, file } = await ken.addSubject('project', 'people/ada', '# Ada\n\nReviews the API.\n');
await ken.editSubject(topic, slug, '# Ada\n\nReviews the API and the docs.\n');
console.log(file, (await ken.learn(topic, slug)).text.includes('and the docs'));

await ken.ask('How do we deploy?', { title: 'Deploy' }).answer();
const { id } = await ken.forkConversation('@last', { turns: 1, title: 'Another way' });
const { title, isArchived } = await ken.changeConversation(id, { archived: true });
console.log(title, isArchived, (await ken.exportConversation(id)).split('\n')[0]);
