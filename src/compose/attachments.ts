import type { App, OpenRequest } from '../app.ts';
import { deferred } from '../base/deferred.ts';
import type { Workspace } from '../base/places.ts';
import type { ApprovalPorts } from '../domain/approvals/seek-approval.ts';

const MAX_BYTES = 1_048_576;

export function openAttachments(
  { environment }: OpenRequest,
  workspace: Workspace | undefined,
  ports: ApprovalPorts & Pick<App, 'processes' | 'web' | 'html'>,
): App['attachments'] {
  return (directory, noteDecision) => {
    if (!workspace) return [];
    const { root } = workspace;
    const files = deferred(async () => {
      const { attachedFiles } = await import('../adapters/files/attached-files.ts');
      return attachedFiles({ workspace: root, directory, maxBytes: MAX_BYTES });
    });
    const commands = deferred(async () => {
      const { attachedCommands } = await import('../domain/turns/attached-command.ts');
      return attachedCommands({ ...ports, noteDecision }, { workspace: root, environment });
    });
    const pages = deferred(async () => {
      const { attachedPages } = await import('../domain/turns/attached-page.ts');
      return attachedPages(ports);
    });
    return [files, commands, pages];
  };
}
