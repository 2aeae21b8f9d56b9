import { documentFormat } from '../../../base/text.ts';
import type { DocumentReader, DocumentText } from '../../chunks/document-text.ts';

/** The text of a file of a reference topic, as it is indexed and cited. */
export async function fileText(
  { documents }: { readonly documents: DocumentReader },
  path: string,
  bytes: Uint8Array,
): Promise<DocumentText> {
  const format = documentFormat(path);
  if (!format) return { ok: true, text: new TextDecoder().decode(bytes) };
  return documents.read({ format, bytes });
}
