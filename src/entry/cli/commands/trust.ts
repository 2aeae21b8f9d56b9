import type { WorkspaceApp } from '../../../app.ts';
import type { DefinitionSource } from '../../../base/approvals.ts';
import { Fault } from '../../../base/fault.ts';
import { granted } from '../../../domain/approvals/approval-fault.ts';
import { seekApproval } from '../../../domain/approvals/seek-approval.ts';
import { type TrustRecord, type TrustState, trustState } from '../../../domain/approvals/trust.ts';
import { definitionLines, formatDefinitionLine } from '../../../domain/approvals/trust-difference.ts';
import { recordTrust, trustRequest } from '../../../domain/approvals/trust-workspace.ts';
import { command } from '../command.ts';
import type { Terminal } from '../terminal.ts';
import { decisionAsJson } from './approvals/approval-json.ts';

export const trust = command({
  name: 'trust',
  summary: 'let this workspace define tools, servers and commands',
  description:
    'Shows every definition in the workspace’s config that can run programs or send data, and asks you at a ' +
    'terminal. You trust exactly what was shown: when a definition changes, ken ignores them until you trust them ' +
    'again.',
  examples: ['trust', 'trust --show', 'trust --revoke'],
  options: [
    {
      flags: '--show',
      summary: 'show the definitions and whether they are trusted, without changing anything',
    },
    { flags: '--revoke', summary: 'revoke the trust' },
  ],

  async run({ options, terminal, open, signal }) {
    if (options.has('show') && options.has('revoke')) throw new Fault('cli/usage', 'Use --show or --revoke.');
    const app = await open({ isAboutTrust: true, toleratesTrouble: options.has('revoke') });
    if (options.has('revoke')) return revoke(app, terminal);
    const found = await lookAt(app);
    if (options.has('show')) return show(app, found, terminal);
    if (found.state === 'nothing' || found.state === 'trusted') return tell(app, found, terminal);
    const request = trustRequest({ workspace: app.workspace.root, actor: 'ken trust', ...found });
    const approval = granted(await seekApproval(app, request, signal));
    const before = await recordTrust(app, approval);
    return tell(app, { ...found, before, state: 'trusted' }, terminal);
  },
});

interface Found {
  readonly sources: readonly DefinitionSource[];
  readonly before: TrustRecord | undefined;
  readonly state: TrustState;
}

async function lookAt(app: WorkspaceApp): Promise<Found> {
  const sources = await app.definitions.all();
  const before = await app.trust.get(app.workspace.root);
  return { sources, before, state: trustState(before, sources) };
}

async function revoke({ trust: store, workspace }: WorkspaceApp, terminal: Terminal): Promise<undefined> {
  const wasTrusted = await store.revoke(workspace.root);
  if (terminal.json) terminal.printJson({ workspace: workspace.root, revoked: wasTrusted });
  else
    terminal.note(
      wasTrusted ? `${workspace.root} is no longer trusted.` : `${workspace.root} was not trusted.`,
    );
}

const SENTENCES: Readonly<Record<TrustState, string>> = {
  nothing: 'Nothing here needs trust.',
  untrusted: 'Not trusted: these are left out. Run "ken trust" to change that.',
  changed: 'Changed since it was trusted: all of it is left out. Run "ken trust" to decide again.',
  trusted: 'Trusted as shown.',
};

function show(app: WorkspaceApp, found: Found, terminal: Terminal): undefined {
  if (!terminal.json) {
    for (const line of definitionLines(found.before?.sources ?? [], found.sources)) {
      terminal.print(formatDefinitionLine(line));
    }
  }
  return tell(app, found, terminal);
}

function tell({ workspace }: WorkspaceApp, { sources, before, state }: Found, terminal: Terminal): undefined {
  if (!terminal.json) return void terminal.note(SENTENCES[state]);
  terminal.printJson({
    workspace: workspace.root,
    state,
    definitions: definitionLines(before?.sources ?? [], sources),
    trusted: before ? { ...decisionAsJson(before.decision), digest: before.digest } : null,
  });
}
