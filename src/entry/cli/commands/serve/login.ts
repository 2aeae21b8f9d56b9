import { requireOperator } from '../../../../domain/approvals/operator/operator-presence.ts';
import { personName } from '../../../../domain/team/access.ts';
import { command } from '../../command.ts';
import { requiredText } from '../../options.ts';
import { publicUrlOf, recordHere, withTeam } from './open-team.ts';

const TOKEN_BYTES = 32;
const MINUTES = 15;

export const serveLogin = command({
  name: 'login',
  summary: 'print an address that signs in one browser of a person, once',
  description:
    'For a team without an identity provider. Give the address to the person; it works once, for 15 minutes. Needs you at ' +
    'a terminal.',
  examples: ['serve login --for ada'],
  options: [
    { flags: '--for <person>', summary: 'the person', required: true },
    { flags: '--public-url <url>', summary: 'the address of the server; serve.public_url by default' },
  ],

  run: (invocation) =>
    withTeam(invocation, async (app, team) => {
      const { options, terminal } = invocation;
      const person = personName(requiredText(options, 'for'));
      const publicUrl = publicUrlOf(app, options.text('public-url'));
      await requireOperator(app, 'Signing somebody in');
      const { hashOf } = await import('../../../serve/authenticate.ts');
      const secret = app.ids.token(TOKEN_BYTES);
      const expires = app.clock.now() + MINUTES * 60_000;
      await team.access.putLogin({ hash: hashOf(secret), person, expires });
      await recordHere(app, team, `login.add for ${person}`);
      const address = new URL(`/login/${secret}`, publicUrl).href;
      if (terminal.json) terminal.printJson({ address });
      else terminal.print(address);
    }),
});
