/** Every variable that ken reads, with what a value that leads into the workspace does. A new one is refused here until it is judged. */

import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { shippedFiles, textOf } from '../source-files.ts';

type Kind =
  /** Names a directory for what is the operator's. */
  | 'directory'
  /** Names a program. */
  | 'program'
  /** Names a directory in which a client's files are, that are read as anybody's. */
  | 'place of a client'
  /** Says something, and names nothing on the disk. */
  | 'text';

const VARIABLES: Readonly<Record<string, Kind>> = {
  ...{ KEN_HOME: 'directory', HOME: 'directory', XDG_CACHE_HOME: 'directory', XDG_CONFIG_HOME: 'directory' },
  ...{ XDG_DATA_HOME: 'directory', XDG_STATE_HOME: 'directory' },
  ...{ PATH: 'program', VISUAL: 'program', EDITOR: 'program', PAGER: 'program', CLANG: 'program' },
  ...{ RUSTC: 'program', GO: 'program' },
  ...{ CLAUDE_CONFIG_DIR: 'place of a client', CODEX_HOME: 'place of a client' },
  ...{ KEN_MCP_TOKEN: 'text', KEN_TEAM_URL: 'text', KEN_RUN_ID: 'text', KEN_ACTOR: 'text' },
  KEN_SERVE_CLIENT_SECRET: 'text',
  ...{ OPENAI_API_KEY: 'text', DISPLAY: 'text', WAYLAND_DISPLAY: 'text', TERM: 'text', WT_SESSION: 'text' },
  ...{ TERM_PROGRAM: 'text', VTE_VERSION: 'text', KONSOLE_VERSION: 'text', FORCE_HYPERLINK: 'text' },
  ...{ NO_COLOR: 'text', FORCE_COLOR: 'text', NODE_DISABLE_COMPILE_CACHE: 'text' },
};

/** `environment.NAME`, `env.NAME`, `environment['NAME']`, and names that are taken out of an environment. */
const READS =
  /\b(?:environment|env)\??\.([A-Z][A-Z0-9_]+)|\b(?:environment|env)\['([A-Z][A-Z0-9_]+)'\]|\{ ([A-Z][A-Z0-9_]+(?:(?: = '[^']*')?, [A-Z][A-Z0-9_]+)*(?: = '[^']*')?)(?:, [^}]*)? \}(?: = (?:process\.env|environment)\b|: (?:Environment|Readonly<Record<string, string \| undefined>>))/g;

function variablesRead(): string[] {
  const texts = [...shippedFiles.map(textOf)];
  const found = texts.flatMap((text) =>
    [...text.matchAll(READS)].flatMap(([, dotted, quoted, taken]) =>
      (dotted ?? quoted ?? taken ?? '').split(/(?: = '[^']*')?, /).map((name) => name.replace(/ = .*/, '')),
    ),
  );
  return [...new Set(found)].filter((name) => name !== '').sort();
}

it('judges every variable that the code reads', () => {
  const known = Object.keys(VARIABLES);
  expect(variablesRead().filter((name) => !known.includes(name))).toEqual([]);
  expect(variablesRead().length).toBeGreaterThan(15);
});

const COMMANDS = [['config', 'show'], ['kb', 'edit', 'project/a'], ['k', 'verify'], ['doctor']];
const CONFIG = '[kb.topic.project]\nsubjects = ".ken/kb/project"\n';

/** A workspace that brings programs and settings in every place that a variable may name; `forged-code.test.ts` tries compiled code. */
function trap(): Sandbox & { readonly marker: string; readonly inside: string } {
  const place = sandboxHere(CONFIG);
  place.write('.ken/kb/project/a.md', '# Tea\n');
  const inside = path.join(place.root, 'brought');
  const marker = path.join(place.home, 'marker');
  for (const name of ['git', 'gh', 'less', 'vi', 'clang', 'rustc', 'go', 'program']) {
    place.write(`brought/${name}`, `#!/bin/sh\n: > '${marker}'\n`);
    chmodSync(path.join(inside, name), 0o755);
  }
  const evil = 'editor = "/brought"\n[providers.mcp.evil]\ncommand = "touch"\n';
  for (const directory of ['config', 'ken', '.config/ken']) {
    mkdirSync(path.join(inside, directory), { recursive: true });
    writeFileSync(path.join(inside, directory, 'config.toml'), evil);
  }
  return { ...place, inside, marker };
}

it.each(Object.entries(VARIABLES).filter(([, kind]) => kind === 'directory' || kind === 'program'))(
  'runs and believes nothing of the workspace that $0 names',
  async (name, kind) => {
    const place = trap();
    const value = kind === 'directory' || name === 'PATH' ? place.inside : path.join(place.inside, 'program');
    const others = kind === 'directory' && name !== 'KEN_HOME' ? { KEN_HOME: '' } : {};
    const home = name === 'HOME' ? {} : { HOME: place.home };
    const named = name === 'PATH' ? { PATH: `${value}:${process.env.PATH}` } : { [name]: value };
    for (const words of COMMANDS) {
      const environment = { ...home, ...others, ...named };
      const { code, stdout, stderr } = await place.ken(words, { environment });
      expect({ words, code: code === 70 }).toEqual({ words, code: false });
      expect(stdout + stderr).not.toContain('providers.mcp.evil');
    }
    expect(existsSync(place.marker)).toBe(false);
  },
);
