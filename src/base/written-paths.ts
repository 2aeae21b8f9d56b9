/** Normalises paths that people write: `docs` may be a file or a directory, so it becomes `docs` and `docs/`. */
export function writtenPaths(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    const plain = path.replace(/^(\.\/+)+/, '').replace(/\/+/g, '/');
    return plain.endsWith('/') ? [plain] : [plain, `${plain}/`];
  });
}
