import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { assistantPage } from '../../scripts/assistant-page.ts';
import { parseToml } from '../../src/config/toml/parse-toml.ts';
import { CLIENT_NAMES, type ClientName } from '../../src/entry/cli/setup/clients.ts';
import { parseYaml } from '../../src/entry/cli/setup/edit-yaml.ts';
import { sandbox } from '../cli/ken.ts';

const docs = path.join(import.meta.dirname, '../../docs');
const read = (page: string) => readFileSync(path.join(docs, page), 'utf8');

it('tells what an assistant sees as the server tells it', async () => {
  expect(read('what-your-assistant-sees.md'), 'run "npm run docs"').toBe(await assistantPage());
});

const WITH_PATHS: readonly ClientName[] = ['claude-desktop', 'cline', 'goose', 'windsurf', 'lm-studio'];
/** The pages show the paths of the package, not of the stand-alone binary. */
const SHOWN = CLIENT_NAMES.filter((name) => !process.env.KEN_TEST_BINARY || !WITH_PATHS.includes(name));

describe('a page for each client', () => {
  it('is there, and leads from the overview', () => {
    const pages = readdirSync(path.join(docs, 'clients')).sort();
    expect(pages).toEqual(CLIENT_NAMES.map((name) => `${name}.md`).sort());
    for (const page of pages) expect(read('mcp.md')).toContain(`(clients/${page})`);
  });

  it.each(SHOWN)('shows what ken setup writes: %s', async (name) => {
    const place = sandbox('');
    const { stdout } = await place.ken(['setup', name, '--json']);
    const { file } = JSON.parse(stdout);
    const page = read(`clients/${name}.md`);
    const [, language, shown = ''] = /```(json|toml|yaml)\n([^`]*)```/.exec(page) ?? [];
    const parse = { toml: parseToml, yaml: parseYaml }[language ?? ''] ?? JSON.parse;
    expect(placeless(name, parse(shown))).toEqual(placeless(name, parse(readFileSync(file, 'utf8'))));
    expect(page).toContain(path.basename(file));
  });
});

/** Where a client is told paths, those of the page are somebody else's. */
function placeless(name: ClientName, written: unknown): unknown {
  // The sandbox has variables of its own, which the entry hands on.
  const settings = JSON.parse(
    JSON.stringify(written, (key, value) => (/^env/.test(key) ? undefined : value)),
  );
  if (!WITH_PATHS.includes(name)) return settings;
  const text = JSON.stringify(settings).replaceAll(/"\/[^"]*"/g, '"PATH"');
  return JSON.parse(text.replace(/"ken-\w+"/, '"NAME"'));
}
