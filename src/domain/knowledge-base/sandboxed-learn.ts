/** `learn` in a sandbox that sees the topic's directory, read-only, and nothing else. */

import type { ComponentHost } from '../tools/component-host.ts';
import type { LearnRunner } from './learn-tool.ts';
import type { TopicPlace } from './subject-files.ts';

export interface SandboxPorts {
  readonly components: ComponentHost;
  readonly topicDirectories: TopicDirectories;
}

export interface TopicDirectories {
  /** The real path of a topic's directory; nothing when it cannot be used. */
  find(topic: TopicPlace): Promise<string | undefined>;
}

const SUBJECTS = '/subjects';
const COMPONENT = { builtin: 'learn' } as const;

/** Topics that follow links out of their directory, and those without one, are left to `native`. */
export function sandboxedLearnRunner(
  { components, topicDirectories }: SandboxPorts,
  native: LearnRunner,
  limits: { readonly timeoutMs: number },
): LearnRunner {
  return {
    async run(topic, given, signal) {
      const hostPath = topic.followSymlinks ? undefined : await topicDirectories.find(topic);
      if (hostPath === undefined) return native.run(topic, given, signal);
      return components.run(
        {
          component: COMPONENT,
          tool: 'learn',
          request: { action: 'run', arguments: given, answers: {} },
          root: SUBJECTS,
          directories: [{ guestPath: SUBJECTS, hostPath, access: 'read' }],
          timeoutMs: limits.timeoutMs,
        },
        signal,
      );
    },
    warm: () => components.warm(COMPONENT),
  };
}
