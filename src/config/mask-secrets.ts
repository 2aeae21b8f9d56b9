import type { Json } from '../base/json.ts';
import type { KeyPath } from './key-path.ts';
import { isTree } from './tree.ts';

const MASK = '***';

/** A value of the configuration, at `path`, as it may be shown. The name of a variable is not a secret. */
export function maskSecrets(value: Json, path: KeyPath): Json {
  if (isTree(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, maskSecrets(each, [...path, name])]),
    );
  if (path[0] === 'team' && path[1] === 'url') return withoutPassword(String(value));
  const isHidden = path[0] === 'providers' && (path.at(-2) === 'headers' || path.at(-2) === 'env');
  return isHidden && !/^(?:\w+ )?\$\{\w+\}$/.test(String(value)) ? MASK : value;
}

/** An address that cannot be taken apart is hidden whole. */
function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return MASK;
  const url = new URL(address);
  if (url.password !== '') url.password = MASK;
  if (url.searchParams.has('password')) url.searchParams.set('password', MASK);
  return url.href;
}
