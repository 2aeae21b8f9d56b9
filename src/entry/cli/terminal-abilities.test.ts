import { expect, it } from 'vitest';
import { opensHyperlinks, wantsColor, wantsMarkdown, wantsPager } from './terminal-abilities.ts';

it.each([
  ['a terminal', {}, true],
  ['a pipe', { isTerminal: false }, false],
  ['a dumb terminal', { environment: { TERM: 'dumb' } }, false],
  ['NO_COLOR', { environment: { NO_COLOR: '1' } }, false],
  ['an empty NO_COLOR', { environment: { NO_COLOR: '' } }, true],
  ['FORCE_COLOR in a pipe', { isTerminal: false, environment: { FORCE_COLOR: '1' } }, true],
  ['FORCE_COLOR on a dumb terminal', { environment: { FORCE_COLOR: '3', TERM: 'dumb' } }, true],
  ['FORCE_COLOR=0', { environment: { FORCE_COLOR: '0' } }, false],
  ['FORCE_COLOR=false', { environment: { FORCE_COLOR: 'false' } }, false],
  ['an empty FORCE_COLOR', { isTerminal: false, environment: { FORCE_COLOR: '' } }, false],
  ['NO_COLOR against FORCE_COLOR', { environment: { NO_COLOR: '1', FORCE_COLOR: '1' } }, false],
  ['--no-color against FORCE_COLOR', { flag: false, environment: { FORCE_COLOR: '1' } }, false],
  ['style.color = never', { rule: 'never' as const }, false],
  ['style.color = always in a pipe', { rule: 'always' as const, isTerminal: false }, true],
  ['NO_COLOR against style.color', { rule: 'always' as const, environment: { NO_COLOR: '1' } }, false],
  ['FORCE_COLOR against style.color', { rule: 'never' as const, environment: { FORCE_COLOR: '1' } }, true],
])('colours %s: %o', (_, changes, expected) => {
  const question = { isTerminal: true, environment: {}, flag: true, rule: 'auto' as const, ...changes };
  expect(wantsColor(question)).toBe(expected);
});

it.each([
  [{}, false],
  [{ TERM: 'xterm-256color' }, false],
  [{ TERM: 'xterm-kitty' }, true],
  [{ VTE_VERSION: '6800' }, true],
  [{ VTE_VERSION: '4900' }, false],
  [{ TERM_PROGRAM: 'WezTerm' }, true],
  [{ TERM_PROGRAM: 'Apple_Terminal' }, false],
  [{ TERM_PROGRAM: 'WezTerm', TERM: 'tmux-256color' }, false],
  [{ TERM_PROGRAM: 'WezTerm', FORCE_HYPERLINK: '0' }, false],
  [{ FORCE_HYPERLINK: '1' }, true],
])('with %o links are opened: %s', (environment, expected) => {
  expect(opensHyperlinks(environment)).toBe(expected);
});

it.each([
  [true, 'auto', true],
  [false, 'auto', false],
  [false, 'always', true],
  [true, 'never', false],
] as const)('renders Markdown (terminal: %s, style.markdown: %s): %s', (isTerminal, rule, expected) => {
  expect(wantsMarkdown(isTerminal, rule)).toBe(expected);
});

const lines = (count: number, width = 1) => `${'x'.repeat(width)}\n`.repeat(count);

it.each([
  ['what fits, with a line for the prompt', lines(23), {}, false],
  ['what does not fit', lines(24), {}, true],
  ['lines that the terminal breaks', lines(12, 81), {}, true],
  ['nothing', '', {}, false],
  ['a pipe', lines(99), { isInteractive: false }, false],
  ['a dumb terminal', lines(99), { environment: { TERM: 'dumb' } }, false],
  ['style.pager = never', lines(99), { rule: 'never' as const }, false],
  ['style.pager = always', lines(1), { rule: 'always' as const }, true],
  ['style.pager = always in a pipe', lines(1), { rule: 'always' as const, isInteractive: false }, false],
])('pages %s', (_, text, changes, expected) => {
  const usual = { isInteractive: true, environment: {}, rule: 'auto' as const, columns: 80, rows: 24 };
  expect(wantsPager(text, { ...usual, ...changes })).toBe(expected);
});
