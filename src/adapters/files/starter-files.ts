export interface StarterFile {
  /** Relative to `.ken/`. */
  readonly name: string;
  readonly content: string;
  /** Part of the topic that the starter config names. */
  readonly isStarterTopic?: boolean;
}

const HEAD = `# What ken builds for itself or keeps for you alone.
*.db
*.db-*
*.db.corrupt*
.ken-*.tmp
/cache/
/config.local.toml
`;

const UNFINISHED = `/conversations/*/.writer.*
/conversations/.new-*
/conversations/.gone-*
`;

export const GITIGNORE = `${HEAD}/repair/
/conversations/
`;

/** With `conversation.share`. */
export const SHARING_GITIGNORE = `${HEAD}/repair/
# Conversations are shared: conversation.share is true.
${UNFINISHED}`;

/** As earlier versions wrote it. */
export const FORMER_GITIGNORES: readonly string[] = [
  `${HEAD}${UNFINISHED}`,
  `${HEAD}/repair/
${UNFINISHED}`,
];

const CONFIG = `# The configuration of this workspace.
#
#   ken config show --origin   prints what is in force, and where it comes from
#   ken config check           looks for mistakes
#
# What is meant for you alone goes into config.local.toml beside this file, which git ignores.

# A topic is a directory of plain files. An assistant sees the list and reads a subject when it needs it.
[kb.topic.project]
title = "Project knowledge"
introduction = "How this project works, and what to know before changing it."
subjects = ".ken/kb/project"

# Subjects that are in every prompt, by slug or glob:
# learned = ["overview", "conventions/*"]

# [assistant]
# name = "ken"
# model = "ken/extractive"
# instructions = ["Answer briefly.", "Say where you know it from."]
`;

const SUBJECT = `# Writing subjects

Every file in this directory is a subject: one thing worth knowing about this project, as plain text or Markdown.
Its name without the extension is its slug, and slugs are what an assistant sees first, so name files after the
question they answer: \`release-process.md\`, \`why-no-orm.md\`, \`testing/browser-tests.md\`.

- Write what the code cannot tell: reasons, conventions, traps, who decides.
- One subject, one idea. Two short subjects are better than a long one of which only half is needed.
- A file or directory whose name starts with a dot is hidden: it is in no list, but can be asked for by name.

This file is one too. Delete it when you have written your own.
`;

/** In the order in which they are written. */
export const STARTER_FILES: readonly StarterFile[] = [
  { name: '.gitignore', content: GITIGNORE },
  { name: 'kb/project/writing-subjects.md', content: SUBJECT, isStarterTopic: true },
  { name: 'config.toml', content: CONFIG },
];
