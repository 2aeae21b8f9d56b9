// Asks one question over everything that ken knows here.
import { openWorkspace } from '@ken-kb/ken';

await using ken = await openWorkspace(process.cwd());

const { hits, abstained } = await ken.search('what do I push to main?', { limit: 1 });
if (abstained) console.log('Nothing is near enough to be an answer.');
for (const { title, citation } of hits) console.log(`${title}: ${citation.uri}`);
