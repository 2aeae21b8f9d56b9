import type { DocumentReader } from '../../src/domain/chunks/document-text.ts';

/** Reads no document. */
export const noDocuments: DocumentReader = { read: async () => ({ ok: false, problem: 'it is damaged' }) };
