/** Directories with a SKILL.md, as clients read skills. */
export const SKILLS = 'io.modelcontextprotocol/skills';
/** Long calls as tasks; only in the newest revision. */
export const TASKS = 'io.modelcontextprotocol/tasks';
/** Cards beside answers. */
export const CARDS = 'io.modelcontextprotocol/ui';
