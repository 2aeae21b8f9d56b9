import { goodTopics, type LibraryPorts } from './find-topic.ts';

/** The text of a web page as the library keeps it; undefined when no topic has it. Nothing is fetched. */
export async function keptPage(ports: LibraryPorts, url: string): Promise<string | undefined> {
  for (const { slug, topic } of await goodTopics(ports)) {
    if (!topic.sources.some((source) => source.type === 'web' && source.url === url)) continue;
    const { files } = await ports.library.lock(slug);
    const file = files.find(({ source }) => source === url);
    const content = file && (await ports.library.readFile(slug, file.path));
    if (content) return new TextDecoder().decode(content);
  }
  return undefined;
}
