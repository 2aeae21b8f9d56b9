import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Sandbox, sandbox } from '../cli/ken.ts';

/** A workspace for tools that the operator configured themselves, so that nothing needs trust. */
export function toolSandbox(ownConfig: string, workspaceConfig = ''): Sandbox {
  const place = sandbox(workspaceConfig);
  mkdirSync(path.join(place.home, 'config'), { recursive: true });
  writeFileSync(path.join(place.home, 'config/config.toml'), ownConfig);
  return place;
}

/** A text as TOML writes it. */
export function toml(text: string): string {
  return JSON.stringify(text);
}
