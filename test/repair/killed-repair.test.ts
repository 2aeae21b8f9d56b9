/** A repair that is killed at any moment can be run again, and brings back what it would have brought back. */

import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { leavePending, statusOf } from '../approvals/pending.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';
import { killWhileWriting } from '../reliability/kill-while-writing.ts';
import { scaled } from '../scale.ts';
import { DAMAGES } from './damages.ts';

const child = path.join(import.meta.dirname, '../reliability/ken-child.ts');
const FACTS = 5;

it('can be run again after it was killed', async ({ annotate }) => {
  const place = sandboxHere('');
  writeOwnConfig(place.home, '[approvals]\nnoninteractive = "allow"\n');
  for (let at = 0; at < FACTS; at++) {
    const words = ['--id', `fact-${at}`, '--title', `Fact ${at}`, '--text', `Number ${at}.`];
    await place.ken(['k', 'add', ...words, '--provenance', 'cmd:true']);
  }
  await place.ken(['q', '-n', 'What is the first fact?']);
  await place.ken(['backup']);
  await leavePending(place, { type: 'tool_run', tool: 'x', arguments: {} });
  const base = path.dirname(place.root);
  const parts = ['work', 'home/data', 'home/state'];
  const conversation = conversationOf(place.root);
  const damaged = [
    path.join(place.root, '.ken/knowledge/knowledge.db'),
    path.join(place.root, '.ken/conversations', conversation, 'metadata.json'),
  ];
  const harm = () => {
    for (const file of damaged) DAMAGES['has zeros in the middle']?.(file, readFileSync(file));
    const approvals = path.join(place.home, 'data/approvals.db');
    DAMAGES['has a tail of something else']?.(approvals, readFileSync(approvals));
  };
  for (const each of parts) cpSync(path.join(base, each), path.join(base, 'copy', each), { recursive: true });
  const reset = () => {
    for (const each of parts) {
      rmSync(path.join(base, each), { recursive: true });
      cpSync(path.join(base, 'copy', each), path.join(base, each), { recursive: true });
    }
    harm();
  };
  const program = () => {
    reset();
    return {
      command: process.execPath,
      arguments: [child, '--workspace', place.root, 'doctor', '--repair', '--yes', '--json'],
      environment: { KEN_HOME: place.home },
    };
  };
  const counts = await killWhileWriting(program, scaled(3, 120), async () => {
    const { stdout } = await place.ken(['doctor', '--repair', '--yes', '--json']);
    expect(JSON.parse(stdout).mended.filter(({ done }: { done: boolean }) => !done)).toEqual([]);
    expect(JSON.parse((await place.ken(['doctor', '--repair', '--dry-run', '--json'])).stdout)).toEqual({
      plan: [],
      mended: [],
    });
    const { entries } = JSON.parse((await place.ken(['k', 'list', '--json'])).stdout);
    expect(entries).toHaveLength(FACTS);
    expect(await statusOf(place)).toBe('pending');
    expect((await place.ken(['c', 'ls'])).stdout).toContain(conversation);
  });
  await annotate(`killed ${JSON.stringify(counts)}`);
});

function conversationOf(root: string): string {
  const [id = ''] = readdirSync(path.join(root, '.ken/conversations')).filter(
    (name) => !name.startsWith('.'),
  );
  return id;
}
