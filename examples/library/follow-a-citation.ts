// Opens what a citation points at, and says whether it is still what was cited.
import { openWorkspace } from 'ken';

await using ken = await openWorkspace(process.cwd());

const { text, isChanged } = await ken.show('ken://kb/project/deploy#L3-L4');
console.log(text);
console.log(isChanged ? 'It has changed since.' : 'It is as it was.');
