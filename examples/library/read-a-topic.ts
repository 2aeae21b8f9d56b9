// Prints the subjects of every topic, and then one of them.
import { openWorkspace } from '@ken-kb/ken';

await using ken = await openWorkspace(process.cwd());

for (const { id, title, subjects } of await ken.topics()) console.log(`${title} (${id}): ${subjects.join(', ')}`);

const { text } = await ken.learn('project', 'deploy');
console.log(text);
