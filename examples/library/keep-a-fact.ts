// Keeps a fact with where it comes from, finds it again, and replaces it.
import { isKenError, openWorkspace } from '@ken-kb/ken';

await using ken = await openWorkspace(process.cwd(), { actor: 'deploy-script' });

const provenance = ['cmd:ss -ltn'];
await ken.addFact({ title: 'Ports', text: 'The API listens on 8080.', provenance, mergeKey: 'ports' });
const { action } = await ken.addFact({ title: 'Ports', text: 'The API listens on 9090.', provenance, mergeKey: 'ports' });
console.log(action);

for (const fact of await ken.searchFacts('api')) console.log(`${fact.text} (${fact.provenance})`);

try {
  await ken.addFact({ title: 'Hearsay', text: 'Somebody said so.', provenance: [] });
} catch (error) {
  if (!isKenError(error)) throw error;
  console.log(`${error.code}: ${error.message}`);
}
