// Opens what a search found, and says whether it is still what was found.
import { openWorkspace } from '@ken-kb/ken';

await using ken = await openWorkspace(process.cwd());

const { hits } = await ken.search('how do we deploy', { in: ['kb'], limit: 1 });
for (const { citation } of hits) {
  // The digest tells it for good: keep it wherever the address is kept.
  const { uri, sha256 } = citation;
  const { text, isChanged } = await ken.show(uri, sha256 === undefined ? {} : { sha256 });
  console.log(text);
  console.log(isChanged ? 'It has changed since.' : 'It is as it was.');
}
