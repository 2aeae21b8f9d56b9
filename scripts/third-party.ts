/** The list of what ken contains of others: as a page for people, and as a bill of materials for programs. */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { VERSION } from '../src/base/package-files.ts';

const root = path.join(import.meta.dirname, '..');

export interface Part {
  readonly name: string;
  readonly version: string;
  /** An expression of SPDX. */
  readonly licence: string;
}

/** Licences under which code may be copied into a program that is under the Apache License. */
export const ALLOWED_LICENCES: readonly string[] = [
  ...['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'Unlicense'],
  ...['Apache-2.0 WITH LLVM-exception', '(Apache-2.0 WITH LLVM-exception)'],
  'Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT',
];

/** Written by the build. */
export function bundledParts(): readonly Part[] {
  return JSON.parse(readFileSync(path.join(root, 'dist/packages.json'), 'utf8'));
}

export function thirdPartyPage(parts: readonly Part[]): string {
  const rows = parts.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |\n`);
  return `${HEADING}\n| part | version | licence |\n|---|---|---|\n${rows.join('')}`;
}

const HEADING = `# What ken contains of others

The published package needs no other package: it contains these, as a whole or in part. This page is written by \`npm run docs\`
from what the build has copied. The texts of the licences are in the files \`LICENSES.txt\` of the package, below \`dist/\`. The
stand-alone binary also contains Node 24, whose licence and those of its parts are in Node's own file \`LICENSE\`.
`;

/** CycloneDX 1.6. The same parts give the same text. */
export function billOfMaterials(parts: readonly Part[]): string {
  const components = parts.map(component);
  const digest = createHash('sha256')
    .update(JSON.stringify([VERSION, components]))
    .digest('hex');
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: { component: { ...component(OWN), type: 'application' } },
    components,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

const { name, license } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const OWN: Part = { name, version: VERSION, licence: license };

function component({ name, version, licence }: Part) {
  const isPackage = /^\d/.test(version);
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': isPackage ? purl : name,
    name,
    version,
    licenses: [{ expression: licence }],
    ...(isPackage && { purl }),
  };
}

/** A version 8 UUID, whose bits the maker chooses. */
function uuidOf(digest: string): string {
  const hex = `${digest.slice(0, 12)}8${digest.slice(13, 16)}8${digest.slice(17, 32)}`;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
