import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';

const pages = path.join(import.meta.dirname, '../../../test/pages');
const read = (file: string) => readFileSync(path.join(pages, file), 'utf8');
const names = readdirSync(pages).flatMap((file) =>
  file.endsWith('.golden.html') ? [file.slice(0, -12)] : [],
);

it.each(names)('%s', (name) => {
  const { markdown } = htmlToMarkdown(read(`${name}.golden.html`), 'https://site.example/docs/page.html');
  expect(markdown).toBe(read(`${name}.golden.md`));
});
