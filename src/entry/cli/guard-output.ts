/** What happens when standard output or standard error cannot be written to. */

type Output = Pick<NodeJS.WriteStream, 'on'>;

interface GuardedProcess {
  readonly stdout: Output;
  readonly stderr: Pick<NodeJS.WriteStream, 'on' | 'write'>;
  exit(code?: number): void;
}

/**
 * A reader that went away (`ken … | head`) is no failure: nobody wants the rest. A disk that is full behind
 * `ken … > file` is one. Without standard error there is nobody to tell, but the work goes on.
 */
export function guardOutput(target: GuardedProcess): void {
  target.stderr.on('error', () => {});
  target.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return target.exit();
    target.stderr.write(`ken: Standard output cannot be written: ${error.message}.\n`);
    target.exit(1);
  });
}
