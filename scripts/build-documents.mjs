// Bundles the process that reads documents.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundledLicences } from './licences.mjs';

const root = path.join(import.meta.dirname, '..');

/** Writes `documents/` below `outdir`. */
export async function buildDocuments(outdir) {
  const { build } = await import('esbuild');
  const target = path.join(outdir, 'documents');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/adapters/documents/extract/extract-runner.ts'],
    outdir: target,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  const ofPdfJs = `unpdf contains parts of PDF.js, under the Apache License 2.0:\n\n${readFileSync(path.join(root, 'LICENSE'), 'utf8')}`;
  const licences = bundledLicences(metafile.inputs, root);
  writeFileSync(path.join(target, 'LICENSES.txt'), `${licences}\n${'-'.repeat(79)}\n\n${ofPdfJs}`);
}
