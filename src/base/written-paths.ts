/**
 * Paths as people write them, as files and directories that end with a slash: `docs` is the file of that name, and the
 * directory.
 */
export function writtenPaths(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const plain = path.replace(/^(\.\/+)+/, '').replace(/\/+/g, '/');
    return plain.endsWith('/') ? [plain] : [plain, `${plain}/`];
  });
}
