import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse, stringify, type TomlTable } from 'smol-toml';

/** Writes the operator's settings: into authority.toml the keys that count only there, into config.toml all others. */
export function writeOwnConfig(home: string, text: string): void {
  const { approvals, net, mcp, ...rest } = parse(text);
  const { allow, ...otherNet } = (net ?? {}) as TomlTable;
  const { trusted_clients, ...otherMcp } = (mcp ?? {}) as TomlTable;
  const authority = {
    ...(approvals !== undefined && { approvals }),
    ...(allow !== undefined && { net: { allow } }),
    ...(trusted_clients !== undefined && { mcp: { trusted_clients } }),
  };
  const others = {
    ...rest,
    ...(Object.keys(otherNet).length > 0 && { net: otherNet }),
    ...(Object.keys(otherMcp).length > 0 && { mcp: otherMcp }),
  };
  mkdirSync(path.join(home, 'config'), { recursive: true });
  writeFileSync(path.join(home, 'config/config.toml'), stringify(others));
  mkdirSync(path.join(home, 'data'), { recursive: true, mode: 0o700 });
  writeFileSync(path.join(home, 'data/authority.toml'), stringify(authority), { mode: 0o600 });
}
