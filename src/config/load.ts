/** Gathers the layers, low to high: user file, workspace files, environment, conversation, `--cfg`, flags. */

import type { Definition } from '../base/approvals.ts';
import { Fault } from '../base/fault.ts';
import { parseAssignment } from './assignment.ts';
import { type LayerStanding, wideningDefinitions } from './authority.ts';
import { applyChanges, type Change } from './change.ts';
import { defaultTree } from './defaults.ts';
import { environmentLayers } from './environment.ts';
import { asList } from './merge.ts';
import type { Layer, Origin } from './resolve.ts';
import { SCHEMA } from './schema.ts';
import { parseToml } from './toml/parse-toml.ts';
import { child, type Tree } from './tree.ts';

export interface ConfigFiles {
  /** Absolute path of `relative` from the directory `base`; an absolute path stays as it is. */
  resolve(base: string, relative: string): string;
  directoryOf(file: string): string;
  /** Compares the paths as they are written, and follows no links. */
  isInside(file: string, directory: string): boolean;
  /** Follows links. */
  leadsInside(file: string, directory: string): boolean;
  /**
   * Undefined when there is no such file; a Fault when it cannot be read. With `within`, a real path, a link that leads
   * out of that directory is a Fault too.
   */
  read(file: string, within?: string): Promise<string | undefined>;
  /** Reads a file together with the reason not to believe it, if there is one. */
  readOwned(file: string, secrecy?: 'private'): Promise<OwnedText | undefined>;
  /** The files below `base` that match a glob, sorted by code point. */
  matching(base: string, glob: string): Promise<readonly string[]>;
  /** The directory in which `matching` looks. */
  lookedIn(base: string, glob: string): Promise<string>;
  /** Writes the file whole or not at all, and creates its directories. Follows a link only for the user's own files. */
  replace(file: string, text: string, standing: LayerStanding, mode?: number): Promise<void>;
  remove(file: string): Promise<void>;
  /** Removes a directory if it is empty; does not remove a link to one. */
  removeEmpty(directory: string): Promise<void>;
}

export interface OwnedText {
  readonly text: string;
  /** Goes after the file: `belongs to another account`. With `private`, others may not even read it. */
  readonly doubt: string | undefined;
}

export interface LoadRequest {
  readonly userDirectory: string;
  /** authority.toml in the user's data directory. */
  readonly authorityFile: string;
  readonly workspace: { readonly root: string; readonly home: string } | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The conversation's own layers, when one is continued. */
  readonly conversation: readonly Layer[];
  /** `--cfg` values, left to right. */
  readonly assignments: readonly string[];
  /** `@path` is relative to this directory. */
  readonly directory: string;
  /** Whether the operator has signed what an own file permits; all is signed while approvals are not locked. */
  readonly isSigned?: ((file: string, permitted: readonly Definition[]) => Promise<boolean>) | undefined;
  /** Makes layers from the flags of a command and the merged layers below. */
  readonly flags?: ((below: Tree) => readonly Layer[]) | undefined;
}

export interface LoadedFile {
  readonly file: string;
  readonly text: string;
  readonly standing: LayerStanding;
}

export interface Loaded {
  readonly layers: readonly Layer[];
  /** Number of layers below those of this call alone, which are `--cfg` and flags. */
  readonly persistentLayers: number;
  readonly files: readonly LoadedFile[];
  /** Files that others own or can write to. */
  readonly doubts: readonly DoubtedFile[];
}

export interface DoubtedFile {
  readonly file: string;
  readonly doubt: string;
  /** Nothing in it counts; otherwise only what widens nothing. */
  readonly isIgnored: boolean;
  /** The operator can sign it. */
  readonly isUnsigned: boolean;
}

export async function loadLayers(files: ConfigFiles, request: LoadRequest): Promise<Loaded> {
  const reader = new LayerReader(files, request);
  await reader.readOptional(files.resolve(request.userDirectory, 'config.toml'), 'user');
  await reader.readAuthority(request.authorityFile);
  if (request.workspace) {
    await reader.readOptional(files.resolve(request.workspace.home, 'config.toml'), 'workspace');
    await reader.readOptional(files.resolve(request.workspace.home, 'config.local.toml'), 'workspace');
  }
  reader.add(...environmentLayers(request.environment, () => reader.tree()));
  reader.add(...request.conversation);
  const persistentLayers = reader.layers.length;
  for (const text of request.assignments) await readAssignment(reader, text);
  if (request.flags) reader.add(...request.flags(reader.tree()));
  return { layers: reader.layers, persistentLayers, files: reader.loaded, doubts: reader.doubts };
}

async function readAssignment(reader: LayerReader, text: string): Promise<void> {
  const assignment = parseAssignment(text);
  if (assignment.kind === 'change') {
    return reader.add(layer({ kind: 'assignment', name: text }, 'operator', assignment.change));
  }
  if (assignment.kind === 'file') return reader.readNamedFile(assignment.path);
  // Those before this one count, too.
  const loadPaths = asList(child(reader.tree(), 'config_load_paths')).map(String);
  return reader.readByName(assignment.name, loadPaths);
}

function layer(origin: Origin, standing: LayerStanding, ...changes: Change[]): Layer {
  return { origin, standing, changes };
}

/** Files that extend each other twice, at each of thirty levels, would be read for ever. */
const MOST_EXTENDED = 1000;

class LayerReader {
  readonly layers: Layer[] = [];
  readonly loaded: LoadedFile[] = [];
  readonly doubts: DoubtedFile[] = [];
  #extended = 0;
  readonly #files: ConfigFiles;
  readonly #request: LoadRequest;

  constructor(files: ConfigFiles, request: LoadRequest) {
    this.#files = files;
    this.#request = request;
  }

  add(...layers: readonly Layer[]): void {
    this.layers.push(...layers);
  }

  /** The layers so far, merged without regard to authority and mistakes. */
  tree(): Tree {
    return this.layers.reduce(
      (tree, { changes }) => applyChanges(SCHEMA, tree, changes),
      defaultTree(SCHEMA),
    );
  }

  async readOptional(file: string, standing: LayerStanding): Promise<void> {
    const read = await this.#read(file, standing);
    if (read) await this.#addFile(file, read.text, read.standing, []);
  }

  /** It extends no other file, and counts only where nobody else can read or write it. */
  async readAuthority(file: string): Promise<void> {
    const read = await this.#files.readOwned(file, 'private');
    if (!read) return;
    const doubt = read.doubt ?? (await this.#unsigned(file, read.text));
    if (doubt !== undefined) {
      this.doubts.push({ file, doubt, isIgnored: true, isUnsigned: read.doubt === undefined });
      return;
    }
    const value = parseToml(read.text, file);
    this.loaded.push({ file, text: read.text, standing: 'authority' });
    this.add(layer({ kind: 'file', name: file }, 'authority', { op: 'merge', path: [], value }));
  }

  /** A file that others own or can write to has no more authority than a workspace that is not trusted. */
  async #read(
    file: string,
    standing: LayerStanding,
  ): Promise<{ text: string; standing: LayerStanding } | undefined> {
    if (standing !== 'user' && standing !== 'operator') {
      const within = standing === 'workspace' ? this.#request.workspace?.root : undefined;
      const text = await this.#files.read(file, within);
      return text === undefined ? undefined : { text, standing };
    }
    const read = await this.#files.readOwned(file);
    if (!read) return undefined;
    const doubt = read.doubt ?? (standing === 'user' ? await this.#unsigned(file, read.text) : undefined);
    if (doubt === undefined) return { text: read.text, standing };
    this.doubts.push({ file, doubt, isIgnored: false, isUnsigned: read.doubt === undefined });
    return { text: read.text, standing: 'foreign' };
  }

  async #unsigned(file: string, text: string): Promise<string | undefined> {
    const { isSigned } = this.#request;
    const permitted = isSigned ? wideningDefinitions(SCHEMA, defaultTree(SCHEMA), parseToml(text, file)) : [];
    if (permitted.length === 0 || !isSigned || (await isSigned(file, permitted))) return undefined;
    return 'holds settings that you have not signed, and approvals are locked';
  }

  /** Reads `@path`, relative to where the command runs. */
  async readNamedFile(path: string): Promise<void> {
    const file = this.#files.resolve(this.#request.directory, path);
    const read = await this.#read(file, this.#standingOf(file));
    if (!read) throw new Fault('config/not-found', `There is no config file ${file}.`);
    await this.#addFile(file, read.text, read.standing, []);
  }

  /** Reads the file from every load path of the user, then of the workspace; all that exist merge in that order. */
  async readByName(name: string, loadPaths: readonly string[]): Promise<void> {
    const { userDirectory, workspace } = this.#request;
    const looked: string[] = [];
    let hits = 0;
    for (const root of [userDirectory, ...(workspace ? [workspace.home] : [])]) {
      for (const path of loadPaths) {
        const directory = this.#files.resolve(root, path);
        const file = this.#files.resolve(directory, `${name}.toml`);
        looked.push(file);
        if (!this.#files.isInside(file, directory)) continue;
        const read = await this.#read(file, this.#standingOf(file));
        if (!read) continue;
        hits += 1;
        await this.#addFile(file, read.text, read.standing, []);
      }
    }
    if (hits > 0) return;
    throw new Fault('config/not-found', `There is no config named "${name}".`, {
      hint: /\/|\.toml$/.test(name)
        ? `A file is named by -c @${name}.`
        : `Looked for ${looked.join(', ')}. A key is set as key=value.`,
    });
  }

  /** Adds the files that a file extends first, so that the file itself overrides them. */
  async #addFile(
    file: string,
    text: string,
    standing: LayerStanding,
    above: readonly string[],
  ): Promise<void> {
    const chain = [...above, file];
    if (above.includes(file)) {
      throw new Fault('config/invalid', `Config files extend each other in a circle: ${chain.join(' → ')}.`);
    }
    const tree = parseToml(text, file);
    for (const extended of asList(child(tree, 'extends'))) {
      if (typeof extended === 'string') await this.#addExtended(extended, file, standing, chain);
    }
    this.loaded.push({ file, text, standing });
    this.add(layer({ kind: 'file', name: file }, standing, { op: 'merge', path: [], value: tree }));
  }

  async #addExtended(
    pattern: string,
    from: string,
    standing: LayerStanding,
    chain: readonly string[],
  ): Promise<void> {
    if (this.#extended++ === MOST_EXTENDED) {
      throw new Fault(
        'config/invalid',
        `${from} and what it extends name more than ${MOST_EXTENDED} files.`,
        {
          hint: 'Extend each file once.',
        },
      );
    }
    const base = this.#files.directoryOf(from);
    const isGlob = /[*?[{]/.test(pattern);
    if (isGlob) this.#checkReach(await this.#files.lookedIn(base, pattern), from, standing);
    const found = isGlob ? await this.#files.matching(base, pattern) : [this.#files.resolve(base, pattern)];
    for (const file of found) {
      if (isGlob && file === from) continue;
      this.#checkReach(file, from, standing);
      const read = await this.#read(file, standing);
      if (!read) throw new Fault('config/not-found', `${from} extends ${file}, which does not exist.`);
      await this.#addFile(file, read.text, read.standing, chain);
    }
  }

  /** A file that came with a repository must not extend files outside it. */
  #checkReach(file: string, from: string, standing: LayerStanding): void {
    const { workspace } = this.#request;
    if (standing !== 'workspace' || !workspace) return;
    if (this.#files.isInside(file, workspace.root) && this.#files.leadsInside(file, workspace.root)) return;
    throw new Fault('config/denied', `${from} extends ${file}, which is outside the workspace.`, {
      hint: 'Extend it from your own config file instead.',
    });
  }

  /** A file inside the workspace may have come with the repository, however it was named. */
  #standingOf(file: string): LayerStanding {
    const { workspace } = this.#request;
    if (!workspace) return 'operator';
    const isThere =
      this.#files.isInside(file, workspace.root) || this.#files.leadsInside(file, workspace.root);
    return isThere ? 'workspace' : 'operator';
  }
}
