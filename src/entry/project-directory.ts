/** Variables in which clients name the project that is open, for servers and hooks that they start anywhere. */
const VARIABLES = ['CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR', 'QWEN_PROJECT_DIR', 'CURSOR_PROJECT_DIR'];

/** The directory from which a workspace is looked for. */
export function projectDirectory(
  environment: Readonly<Record<string, string | undefined>>,
  directory: string,
): string {
  const named = VARIABLES.map((name) => environment[name]).find((value) => value?.startsWith('/'));
  return named ?? directory;
}
