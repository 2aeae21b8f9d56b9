import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const read = (name: string) =>
  readFileSync(path.join(import.meta.dirname, '../../examples/team', name), 'utf8');

it('describes a container without root, without rights, and with a file system that is only read', () => {
  const { services } = parse(read('compose.yaml'));
  expect(services.ken).toMatchObject({
    user: '10001',
    read_only: true,
    cap_drop: ['ALL'],
    security_opt: ['no-new-privileges:true'],
    tmpfs: ['/tmp:mode=1777'],
  });
  expect(services.ken.command).toContain('--behind-proxy');
  const lines = read('Containerfile').split('\n');
  const at = (start: string) => lines.findIndex((line) => line.startsWith(start));
  expect(at('USER 10001')).toBeGreaterThan(at('RUN '));
  expect(at('ENTRYPOINT ["ken", "serve"')).toBeGreaterThan(at('USER 10001'));
});
