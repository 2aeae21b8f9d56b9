/** A real browser that looks at the page. */

import { existsSync } from 'node:fs';
import axe from 'axe-core';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { ptyProblem } from '../cli/pty.ts';
import type { ServedPage } from './serve-page.ts';

const CHROMIUM = '/usr/bin/chromium';

/** Why no browser can be used; nothing when one can. What KEN_TEST_REQUIRE names is never missing quietly. */
export function browserProblem(): string | undefined {
  const isRequired = process.env.KEN_TEST_REQUIRE?.split(',').includes('chromium');
  if (isRequired) return undefined;
  return ptyProblem() ?? (existsSync(CHROMIUM) ? undefined : `${CHROMIUM} is not here`);
}

const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export interface BrowserOptions {
  readonly hasScripts?: boolean;
  readonly width?: number;
  readonly isDark?: boolean;
  readonly hasReducedMotion?: boolean;
}

/** Also records every address that the browser asks for, and every script error. */
export interface Browser {
  readonly context: BrowserContext;
  readonly asked: readonly string[];
  readonly problems: readonly string[];
}

/** One for all tests of a file; each test has cookies and storage of its own. */
let launched: ReturnType<typeof chromium.launch> | undefined;

afterAll(async () => {
  await (await launched)?.close();
});

export async function openBrowser({
  hasScripts = true,
  width = 1280,
  isDark = false,
  hasReducedMotion = false,
}: BrowserOptions = {}): Promise<Browser> {
  launched ??= chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  const context = await (await launched).newContext({
    javaScriptEnabled: hasScripts,
    viewport: { width, height: 900 },
    colorScheme: isDark ? 'dark' : 'light',
    reducedMotion: hasReducedMotion ? 'reduce' : 'no-preference',
  });
  onTestFinished(() => context.close());
  const asked: string[] = [];
  const problems: string[] = [];
  context.on('request', (request) => void asked.push(request.url()));
  context.on('page', (page) => watch(page, problems));
  return { context, asked, problems };
}

function watch(page: Page, problems: string[]): void {
  page.on('pageerror', (error) => void problems.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}

/** A tab that has signed in. */
export async function openTab(
  { context }: Browser,
  { login, host }: Pick<ServedPage, 'login' | 'host'>,
): Promise<Page> {
  const tab = await context.newPage();
  await tab.goto(login);
  const button = tab.getByRole('button', { name: 'Open ken' });
  // With scripts the form sends itself.
  await Promise.race([tab.waitForURL(`http://${host}/`), button.click().catch(() => {})]);
  await tab.waitForURL(`http://${host}/`);
  return tab;
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** Everything that axe finds wrong with the page. */
export async function violations(tab: Page): Promise<string[]> {
  const { violations: found } = (await tab.evaluate(`${axe.source}; axe.run()`)) as AxeResult;
  return found.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`));
}
