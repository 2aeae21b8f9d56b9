import type { KeyRule } from '../node.ts';

export const NAME: KeyRule = {
  pattern: /^[A-Za-z0-9_-]+$/,
  hint: 'Use letters, digits, "_" and "-".',
};

export const LABEL_KEY: KeyRule = {
  pattern: /^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?$/,
  hint: 'A label key starts with a letter or digit, has letters, digits, "_" and "-", and does not end in "-".',
};

export const TOOL_NAME: KeyRule = {
  pattern: /^(?:\*|[A-Za-z0-9_-]{1,64})$/,
  hint: 'Use letters, digits, "_" and "-", at most 64; "*" holds defaults for local and mcp tools.',
};

export const ANY_NAME: KeyRule = {
  pattern: /^[^\p{Cc}]+$/u,
  hint: 'Control characters are not allowed.',
};
