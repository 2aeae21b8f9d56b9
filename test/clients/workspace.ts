/** The workspace in which the scenarios are asked: by real clients, and again by the test of their recordings. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RULE } from './scenarios.ts';

export interface ScenarioPlace {
  readonly root: string;
  /** KEN_HOME. */
  readonly home: string;
  /** After so many seconds a call goes on as a job. */
  readonly jobAfterSeconds: number;
  ken(...words: readonly string[]): Promise<void>;
}

export async function fillWorkspace({ root, home, jobAfterSeconds, ken }: ScenarioPlace): Promise<void> {
  const put = (file: string, content: string) => {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content, { mode: 0o600 });
  };
  put(`${root}/.ken/config.toml`, '[kb.topic.project]\ntitle = "Project"\nsubjects = "docs"\n');
  put(`${root}/docs/deploy.md`, '# Deploy\n\nTag the commit, then push to main. The pipeline deploys it.\n');
  put(`${root}/docs/ports.md`, '# Ports\n\nThe API listens on 8080.\n');
  put(
    `${root}/docs/long.md`,
    `# Long\n\n${'The ferry leaves at nine and comes back at five.\n'.repeat(1200)}`,
  );
  const authority = `${home}/data/authority.toml`;
  put(authority, 'approvals.noninteractive = "allow"\n');
  const add = (id: string, text: string) =>
    ken('k', 'add', '--id', id, '--title', id, '--text', text, '--provenance', 'file:docs/ports.md#L3');
  await add('ports', 'The API listens on 8080.');
  await add('tags', RULE);
  await ken('k', 'promote', 'tags', '--evidence-ref', 'a', '--reason', 'agreed', '--as', 'procedural/tags');
  rmSync(authority);
  put(`${home}/config/config.toml`, `mcp.job_after_s = ${jobAfterSeconds}\n`);
  // The first search makes the index.
  await ken('search', 'deploy');
}
