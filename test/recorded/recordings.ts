import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';

/** One exchange of real provider traffic. */
export interface Exchange {
  readonly provider: string;
  readonly name: string;
  readonly path: string;
  readonly request: Record<string, unknown>;
  readonly contentType: string;
  readonly body: string;
}

interface Recorded {
  readonly when?: { readonly path?: string; readonly json_body_str?: string };
  readonly then?: {
    readonly header?: readonly { readonly name: string; readonly value: string }[];
    readonly body?: string;
  };
}

const root = process.env.KEN_TEST_DATA && path.join(process.env.KEN_TEST_DATA, 'streams');

/** Why there is nothing to replay, if so. */
export const missingRecordings =
  root && existsSync(root) ? undefined : 'KEN_TEST_DATA names no folder with recorded streams';

/** Every recorded exchange that streams an answer. */
export function recordedExchanges(): Exchange[] {
  if (!root || missingRecordings) return [];
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => exchangesOf(path.join(root, name), name));
}

function exchangesOf(directory: string, provider: string): Exchange[] {
  return readdirSync(directory)
    .sort()
    .flatMap((file) => {
      const documents = parseAllDocuments(readFileSync(path.join(directory, file), 'utf8'));
      return documents.flatMap((document, at) => {
        const recorded = document.toJS() as Recorded;
        const { path: url = '', json_body_str = '' } = recorded.when ?? {};
        const body = recorded.then?.body;
        if (!body || json_body_str === '') return [];
        const contentType = recorded.then?.header?.find(({ name }) => name === 'content-type')?.value ?? '';
        const name = `${provider}/${path.basename(file, '.yml')}#${at + 1}`;
        return [{ provider, name, path: url, request: JSON.parse(json_body_str), contentType, body }];
      });
    });
}
