/** `learn` in a sandbox that sees only the topic's directory, read-only. */

import type { ComponentHost } from '../../tools/component-host.ts';
import type { TopicPlace } from '../subject-files.ts';
import type { LearnRunner } from './learn-tool.ts';

export interface SandboxPorts {
  readonly components: ComponentHost;
  readonly topicDirectories: TopicDirectories;
}

export interface TopicDirectories {
  /** Undefined when the topic's directory cannot be used. */
  find(topic: TopicPlace): Promise<TopicDirectory | undefined>;
}

export interface TopicDirectory {
  readonly hostPath: string;
  /** Directory that it must still lie in when it is opened. */
  readonly within: string;
}

const SUBJECTS = '/subjects';
const COMPONENT = { builtin: 'learn' } as const;

/** `native` serves topics that follow links out of their directory or respect `.gitignore`, and those without a directory. */
export function sandboxedLearnRunner(
  { components, topicDirectories }: SandboxPorts,
  native: LearnRunner,
  limits: { readonly timeoutMs: number },
): LearnRunner {
  return {
    async run(topic, given, signal) {
      const isNative = topic.followSymlinks || topic.respectsGitignore === true;
      const directory = isNative ? undefined : await topicDirectories.find(topic);
      if (!directory) return native.run(topic, given, signal);
      return components.run(
        {
          component: COMPONENT,
          tool: 'learn',
          request: { action: 'run', arguments: given, answers: {} },
          root: SUBJECTS,
          directories: [{ guestPath: SUBJECTS, ...directory, access: 'read' }],
          timeoutMs: limits.timeoutMs,
        },
        signal,
      );
    },
  };
}
