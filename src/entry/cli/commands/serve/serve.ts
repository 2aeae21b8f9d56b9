import { Fault } from '../../../../base/fault.ts';
import { command, type Invocation } from '../../command.ts';
import { serveLogin } from './login.ts';
import { serveMember } from './members.ts';
import { publicUrlOf } from './open-team.ts';
import { serveToken } from './tokens.ts';

export const serve = command({
  name: 'serve',
  summary: 'serve the page and MCP to the people of a team and their assistants',
  description:
    'Serves the knowledge of a team from its PostgreSQL (team.url or KEN_TEAM_URL), until Ctrl-C. People sign in with the ' +
    'company’s identity provider (serve.issuer) or with an address from "ken serve login"; assistants come with a token ' +
    'from "ken serve token add". For other machines it needs --tls-cert and --tls-key, or --behind-proxy. Any number of ' +
    'processes can serve one database.',
  examples: [
    'serve --port 8443 --public-url https://ken.example.org --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem',
    'serve --port 8080 --public-url https://ken.example.org --host 0.0.0.0 --behind-proxy 10.0.0.0/8',
  ],
  options: [
    { flags: '--host <address>', summary: 'listen on this address; 127.0.0.1 by default' },
    { flags: '--port <port>', summary: 'listen on this port; a free one by default' },
    {
      flags: '--public-url <url>',
      summary: 'its address for everybody: https://…; serve.public_url by default',
    },
    { flags: '--tls-cert <file>', summary: 'a certificate, in PEM' },
    { flags: '--tls-key <file>', summary: 'its key, in PEM' },
    {
      flags: '--behind-proxy <cidr>',
      summary: 'accept only proxies at these addresses, and trust what they say about the client',
      repeatable: true,
    },
    { flags: '--requests-per-minute <n>', summary: 'most requests of one token or browser; 600 by default' },
  ],
  subcommands: [serveToken, serveLogin, serveMember],

  async run(invocation) {
    const { options, terminal, openAnywhere, opening, signal } = invocation;
    const port = options.count('port') ?? 0;
    if (port > 65_535) throw new Fault('cli/usage', '--port takes a port up to 65535.');
    const host = options.text('host') ?? '127.0.0.1';
    const app = await openAnywhere();
    const publicUrl = publicUrlOf(app, options.text('public-url'));
    const { isLoopback, parseCidrs } = await import('../../../serve/gate.ts');
    const { serveTeam } = await import('../../../serve/serve-team.ts');
    const { newMetrics } = await import('../../../serve/metrics.ts');
    const proxies = parseCidrs(options.texts('behind-proxy'));
    const [cert, key] = [options.text('tls-cert'), options.text('tls-key')];
    const tls = await tlsFiles(invocation, cert, key);
    if (!isLoopback(host) && !tls && !proxies)
      throw new Fault('cli/usage', 'Beyond this machine the connection has to be encrypted.', {
        hint: 'Give --tls-cert and --tls-key, or --behind-proxy with the addresses of your proxy.',
      });
    const provider = await openProviderOf(app, invocation.environment);
    const team = await app.openTeamServer(opening.openApp);
    try {
      await serveTeam(
        {
          ...{ app, team, publicUrl, proxies, provider, signal },
          metrics: newMetrics(app.clock.now()),
          requestsPerMinute: options.count('requests-per-minute') ?? 600,
          report: terminal.error,
        },
        {
          host,
          port,
          tls,
          announce(opened) {
            const address = `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${opened}/`;
            if (terminal.json) terminal.printJson({ address, public_url: publicUrl.href, team: team.team });
            else terminal.print(address);
            terminal.note(
              `Serves the team ${team.team} of ${team.place} as ${publicUrl.href}. Ctrl-C ends it.`,
            );
          },
        },
      );
    } finally {
      await team.close();
    }
  },
});

async function tlsFiles(
  place: Pick<Invocation, 'directory' | 'terminal'>,
  cert: string | undefined,
  key: string | undefined,
) {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new Fault('cli/usage', '--tls-cert and --tls-key belong together.');
  const { readContent } = await import('../../read-content.ts');
  return { cert: await readContent(cert, place), key: await readContent(key, place) };
}

async function openProviderOf(
  { config }: Awaited<ReturnType<Invocation['openAnywhere']>>,
  environment: Invocation['environment'],
) {
  const { issuer, client_id, claim } = config.serve;
  if (issuer === undefined) return undefined;
  const { openProvider } = await import('../../../serve/identity-provider.ts');
  return openProvider({
    issuer,
    clientId: client_id,
    clientSecret: environment.KEN_SERVE_CLIENT_SECRET,
    claim,
  });
}
