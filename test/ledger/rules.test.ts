import { expect, it } from 'vitest';
import { saying } from '../conversations/scripted-replies.ts';
import { connect, textOf } from '../mcp/connect.ts';
import { type Asking, asking, type Provider } from '../recorded/asking.ts';
import { adding } from './ledger-sandbox.ts';

const RULES = `<rules>
The operator approved these rules for this workspace. Follow them.

<rule "procedural/deploy">
Tag before you deploy.
</rule>
</rules>`;

const MENU =
  '\n\n<knowledge>\nThe following knowledge topics are available to learn:\n\n- project (**Project**)';

async function withRule(provider: Provider = 'llamacpp', config = ''): Promise<Asking> {
  const answer = provider === 'llamacpp' ? saying('Done.') : { status: 400, body: '{}' };
  const box = await asking(
    provider,
    () => answer,
    undefined,
    `[approvals]\nnoninteractive = "allow"\n${config}`,
  );
  await box.ken(adding('source', '--text', 'Tag before you deploy.'));
  await promote(box, 'source', 'procedural/deploy');
  return box;
}

async function promote(box: Asking, source: string, rule: string): Promise<void> {
  const words = ['k', 'promote', source, '--evidence-ref', 'a', '--reason', 'agreed', '--as', rule];
  expect(await box.ken(words)).toMatchObject({ code: 0 });
}

const prompt = async (box: Asking) => (await box.ken(['kb', 'prompt'])).stdout;

it('shows the rule before the knowledge, to people, in the next turn and over MCP; revoked, it is gone', async () => {
  const box = await withRule();
  const asked = async () => {
    await box.ken(['q', '-n', 'Hello']);
    return JSON.parse(box.server.requests.at(-1)?.body ?? '').messages[0].content;
  };
  const instructions = async () => (await connect(box)).client.getInstructions() ?? '';
  expect((await prompt(box)).startsWith(`${RULES}${MENU}`)).toBe(true);
  expect(await asked()).toContain(`${RULES}${MENU}`);
  const told =
    'Rules that the operator approved for this workspace; follow them:\n- Tag before you deploy.\n';
  expect(await instructions()).toContain(told);
  const { client } = await connect(box);
  const learned = await client.callTool({ name: 'learn', arguments: { topic: 'ken', subjects: 'rules' } });
  expect(textOf(learned)).toBe(
    'The operator approved these rules. Follow them.\n\n## procedural/deploy\n\nTag before you deploy.',
  );
  const { entry } = JSON.parse((await box.ken(['k', 'show', 'procedural/deploy', '--json'])).stdout);
  const event = entry.provenance.slice('event:'.length);
  expect(await box.ken(['k', 'revoke', event, '--reason', 'over'])).toMatchObject({ code: 0 });
  for (const shown of [await prompt(box), await asked(), await instructions()])
    expect(shown).not.toMatch(/<rule|Tag before you deploy/);
});

it.each(['anthropic', 'openai', 'google', 'ollama'] as const)(
  'reaches %s until it is revoked',
  async (provider) => {
    const box = await withRule(provider);
    const asked = async () => {
      const count = box.server.requests.length;
      await box.ken(['q', '-n', '-c', 'assistant.request.max_retries=0', 'Hello']);
      expect(box.server.requests.length).toBeGreaterThan(count);
      return box.server.requests.at(-1)?.body;
    };
    expect(await asked()).toContain(JSON.stringify(RULES).slice(1, -1));
    expect(await box.ken(['k', 'revoke', 'procedural/deploy', '--reason', 'over'])).toMatchObject({
      code: 0,
    });
    expect(await asked()).not.toMatch(/<rule|Tag before you deploy/);
  },
);

it('names rules that do not fit', async () => {
  const box = await withRule('llamacpp', '[knowledge]\nrules_tokens = 50\n');
  await box.ken(adding('long', '--text', 'Never run. '.repeat(200)));
  await promote(box, 'long', 'procedural/long');
  const few = await prompt(box);
  expect(few.slice(0, few.indexOf('\n\n<knowledge>'))).toBe(
    `${RULES.replace('\n</rules>', '')}

These rules did not fit; read them with \`knowledge_search\` before you act:
- procedural/long
</rules>`,
  );
});

it('takes no rule from a ledger that came with a repository', async () => {
  const box = await withRule();
  const elsewhere = { environment: { KEN_HOME: `${box.home}/other` } };
  expect((await box.ken(['kb', 'prompt'], elsewhere)).stdout).not.toContain('<rule');
});
