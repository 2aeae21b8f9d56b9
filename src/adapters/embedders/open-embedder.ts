import { Fault } from '../../base/fault.ts';
import { didYouMean } from '../../base/similar.ts';
import type { Embedder } from '../../domain/search/index/embedder.ts';

export interface EmbedderSettings {
  /** `builtin`, `ollama/MODEL`, `openai/MODEL` or `transformers/FOLDER`. */
  readonly name: string;
  /** The provider's usual one when absent. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
}

/** Makes no request yet: an unreachable server shows at the first use. */
export async function openEmbedder({ name, url, apiKey }: EmbedderSettings): Promise<Embedder> {
  const [kind = '', ...rest] = name.split('/');
  const model = rest.join('/');
  if (kind === 'builtin' && model === '') return (await import('./builtin.ts')).builtinEmbedder();
  if (!KINDS.includes(kind) || model === '') throw unknownEmbedder(name, kind);
  if (kind === 'ollama') return (await import('./ollama.ts')).ollamaEmbedder(model, checkedUrl(url));
  if (kind === 'transformers') return (await import('./transformers.ts')).transformersEmbedder(model);
  const { openAiCompatibleEmbedder, OPENAI_URL } = await import('./openai-compatible.ts');
  return openAiCompatibleEmbedder({ model, baseUrl: checkedUrl(url) ?? OPENAI_URL, apiKey });
}

const KINDS = ['ollama', 'openai', 'transformers'];

function checkedUrl(url: string | undefined): string | undefined {
  if (url === undefined) return undefined;
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return url;
  throw new Fault('embedder/unknown', `search.embedder_url is not an address: "${url}".`, {
    hint: 'It looks like http://127.0.0.1:11434.',
  });
}

function unknownEmbedder(name: string, kind: string): Fault {
  const isBare = KINDS.includes(kind);
  return new Fault('embedder/unknown', `There is no embedder "${name}".`, {
    hint: isBare
      ? `Say which model: ${kind}/….`
      : (didYouMean(kind, ['builtin', ...KINDS]) ??
        'There are builtin, ollama/…, openai/… and transformers/….'),
  });
}
