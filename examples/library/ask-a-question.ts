// Asks the assistant, follows the turn while it runs, and goes on with the conversation.
import { openWorkspace } from '@ken-kb/ken';

await using ken = await openWorkspace(process.cwd());

const asking = ken.ask('How do we deploy?', { labels: ['by=example'] });
for await (const event of asking) {
  if (event.type === 'tool-call') console.log(`calls ${event.call.name}`);
  if (event.type === 'approval') console.log(`waits for the operator: ${event.approval.summary}`);
}
const { reason, text, pending } = await asking.answer();
console.log(reason, text.includes('Push to main.'), pending.length);

const { text: again } = await ken.ask('And what comes after the push?', { conversation: '@last' }).answer();
const [conversation] = await ken.conversations({ labels: ['by=example'] });
const { events } = await ken.conversation(conversation?.id ?? '');
console.log(again !== '', events.filter(({ type }) => type === 'user_message').map(({ text: asked }) => asked));
