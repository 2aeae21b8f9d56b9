/** Writes the pages that are made from the code; tests fail when they are not fresh. `--screenshots` takes the pictures too. */

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { MAY_IMPORT } from '../test/import-table.ts';
import { assistantPage } from './assistant-page.ts';
import { architecturePage, cliPage } from './generated-docs.ts';
import { libraryPage } from './library-page.ts';
import { bundledParts, thirdPartyPage } from './third-party.ts';

const page = (name: string) => path.join(import.meta.dirname, '../docs', name);
writeFileSync(page('cli.md'), await cliPage());
writeFileSync(page('what-your-assistant-sees.md'), await assistantPage());
writeFileSync(page('library.md'), libraryPage());
writeFileSync(page('../THIRD-PARTY.md'), thirdPartyPage(bundledParts()));
writeFileSync(
  page('architecture.md'),
  architecturePage(readFileSync(page('architecture.md'), 'utf8'), MAY_IMPORT),
);
if (process.argv.includes('--screenshots')) await import('./take-screenshots.ts');
