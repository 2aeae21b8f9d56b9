// Builds what a browser gets: one script, one style sheet, the worker that tabs share, and the editor by itself.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { bundledLicences } from './licences.mjs';

const root = path.join(import.meta.dirname, '..');

export async function buildWeb(outdir) {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      client: 'src/entry/web/client/client.ts',
      editor: 'src/entry/web/client/editor.ts',
      worker: 'src/entry/web/client/worker.ts',
      style: 'src/entry/web/style.css',
    },
    outdir: path.join(outdir, 'web'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome120', 'firefox121', 'safari17'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  });
  writeFileSync(path.join(outdir, 'web/LICENSES.txt'), bundledLicences(metafile.inputs, root));
}
