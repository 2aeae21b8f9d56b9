// Builds what a browser gets: one script and one style sheet.
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

export async function buildWeb(outdir) {
  const { build } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: { client: 'src/entry/web/client/client.ts', style: 'src/entry/web/style.css' },
    outdir: path.join(outdir, 'web'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome120', 'firefox121', 'safari17'],
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
  });
}
