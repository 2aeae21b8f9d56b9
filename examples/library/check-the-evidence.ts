// States a claim, checks the evidence of the fact that speaks for it, and lists where the fact is kept.
import { openWorkspace } from '@ken-kb/ken';

await using ken = await openWorkspace(process.cwd());

await ken.stateClaim('pipeline', 'The pipeline deploys what is pushed.');
const provenance = ['file:.ken/kb/project/deploy.md#L3'];
const { id } = await ken.addFact({ title: 'Deploy', text: 'Push to main.', provenance, supports: 'pipeline' });

for (const { text, supports, contradicts } of await ken.claims()) console.log(text, supports, contradicts);
for (const { provenance: evidence, verdict } of await ken.verifyFacts([id])) console.log(evidence, verdict);

const { versions } = await ken.factHistory(id);
const { copies } = await ken.copiesOf('entry', id);
console.log(versions.length, copies.length > 0, await ken.rules());
