/** A tool that is a Wasm component in the workspace. */

import type { JsonObject } from '../../base/json.ts';
import type { ComponentHost, ComponentSource, GrantedDirectory } from './component-host.ts';
import type { Tool } from './tool.ts';

export interface ComponentToolInput extends Pick<Tool, 'name' | 'description' | 'run'> {
  readonly parameters: JsonObject | undefined;
  readonly component: ComponentSource;
  /** The tool's name in the component. */
  readonly tool: string;
  /** The workspace. */
  readonly root: string;
  readonly access: 'read' | 'write';
  /** Inside the workspace; when there are any, the tool sees nothing else. */
  readonly paths: readonly string[];
  readonly timeoutMs: number;
}

/** Where the workspace is in the eyes of a guest. */
const WORKSPACE = '/workspace';
const FORMAT_TIMEOUT_MS = 1000;

export function componentTool(
  { components }: { readonly components: ComponentHost },
  input: ComponentToolInput,
): Tool {
  const { name, description, parameters = NO_PARAMETERS, run, access, component, tool } = input;
  const directories = grantedDirectories(input);
  return {
    name,
    description,
    parameters,
    reach: access,
    run,
    call: (request, signal) => {
      const isFormat = request.action === 'format-arguments';
      return components.run(
        {
          component,
          tool,
          request,
          root: WORKSPACE,
          directories: isFormat ? directories.map(readOnly) : directories,
          timeoutMs: isFormat ? FORMAT_TIMEOUT_MS : input.timeoutMs,
        },
        signal,
      );
    },
    warm: () => void components.warm(component),
  };
}

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

function grantedDirectories({ root, access, paths }: ComponentToolInput): GrantedDirectory[] {
  const inside = paths.length === 0 ? [''] : paths;
  return inside.map((path) => {
    const behind = path === '' ? '' : `/${path}`;
    return { guestPath: `${WORKSPACE}${behind}`, hostPath: `${root}${behind}`, access, within: root };
  });
}

function readOnly(directory: GrantedDirectory): GrantedDirectory {
  return { ...directory, access: 'read' };
}
