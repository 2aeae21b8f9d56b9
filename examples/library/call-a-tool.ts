// Calls a tool as an assistant would. What needs a person's approval stays pending.
import { openWorkspace } from '@ken-kb/ken';

await using ken = await openWorkspace(process.cwd());

const fact = { title: 'Ports', text: 'Use 8080.', provenance: ['cmd:ss -ltn'] };
const { id } = await ken.addFact(fact);
const given = { source_entry_id: id, evidence_refs: ['commit:abc123'], reason: 'agreed', as: 'procedural/ports' };
const { isError, data } = await ken.call('knowledge_promote', given);
console.log(isError, typeof data?.approval_id);
