import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Sandbox } from '../cli/ken.ts';
import { sandboxHere } from '../cli/ken-here.ts';
import { writeOwnConfig } from '../cli/own-config.ts';

/**
 * A workspace for tools that the operator configured themselves, so that nothing needs trust. `@home` in their
 * configuration is the directory for their own files.
 */
export function toolSandbox(ownConfig: string, workspaceConfig = ''): Sandbox {
  const place = sandboxHere(workspaceConfig);
  mkdirSync(path.join(place.home, 'config'), { recursive: true });
  writeOwnConfig(place.home, ownConfig.replaceAll('@home', place.home));
  return place;
}

/** A text as TOML writes it. */
export function toml(text: string): string {
  return JSON.stringify(text);
}
