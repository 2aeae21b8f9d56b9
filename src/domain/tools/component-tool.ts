import { Fault } from '../../base/fault.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ComponentHost, ComponentResult, ComponentSource, GrantedDirectory } from './component-host.ts';
import { accessAdvice, type FileGrant, type FileGrants, grantsInWords } from './components/file-access.ts';
import { type OutsideGrants, outsideInWords } from './components/outside-access.ts';
import { EndedCall, success, type Tool } from './tool.ts';

export interface ComponentToolInput extends Pick<Tool, 'name' | 'description' | 'run'>, FileGrants {
  readonly parameters: JsonObject | undefined;
  /** Throws a Fault when it may not run; the tool is there nevertheless, and says so when it is called. */
  component(): ComponentSource;
  readonly tool: string;
  /** The function of the component's own world that the tool is. */
  readonly ownFunction?: { readonly name: string; readonly output?: JsonObject };
  readonly root: string;
  /** Without it there are no requests and no secrets. */
  readonly outside?: OutsideGrants;
  readonly timeoutMs: number;
}

const WORKSPACE = '/workspace';
const FORMAT_TIMEOUT_MS = 1000;

export function componentTool(
  { components }: { readonly components: ComponentHost },
  input: ComponentToolInput,
): Tool {
  const { name, description, parameters = NO_PARAMETERS, run, grants, component, tool } = input;
  const directories = grantedDirectories(input);
  return {
    name,
    description,
    parameters,
    ...(input.ownFunction?.output && { output: input.ownFunction.output }),
    reach: reachOf(input),
    access: [grantsInWords(grants), input.outside && outsideInWords(input.outside)].filter(Boolean).join(' '),
    run,
    standingScope: () => standingComponent(input),
    call: async (request, signal) => {
      const isFormat = request.action === 'format-arguments';
      // Nothing of a component is executed before its call is approved. Only the contract can say how one is shown.
      if (isFormat && (run === 'ask' || input.ownFunction)) return { outcome: success('') };
      const running = components.run(
        {
          component: component(),
          tool,
          ...(input.ownFunction && { ownFunction: input.ownFunction.name }),
          request,
          root: WORKSPACE,
          directories: isFormat
            ? directories.map((each) => ({ ...each, access: 'read' as const }))
            : directories,
          // What only shows a call has neither network nor secrets.
          ...(!isFormat && input.outside && { outside: input.outside }),
          timeoutMs: isFormat ? FORMAT_TIMEOUT_MS : input.timeoutMs,
        },
        signal,
      );
      return input.isUndeclared && !isFormat ? withAdvice(name, running) : running;
    },
    warmForCall: () => warm(components, component),
  };
}

/** Only where the bytes are fixed by a digest, and the component reaches neither hosts nor secrets. */
function standingComponent({ name, grants, outside, component, ownFunction }: ComponentToolInput) {
  if (outside && (outside.net.length > 0 || outside.secrets.length > 0)) return undefined;
  const source = component();
  if ('file' in source && source.sha256 === undefined) return undefined;
  const definition = {
    source,
    grants: grants.map(({ path, access }) => ({ path, access })),
    ownFunction: ownFunction?.name ?? null,
  };
  return { covers: `every call of ${name}, with any arguments. ${grantsInWords(grants)}`, definition };
}

function reachOf({ grants, outside }: ComponentToolInput): Tool['reach'] {
  if (outside && outside.net.length > 0) return 'network';
  return grants.some(({ access }) => access === 'write') ? 'write' : 'read';
}

function warm(components: ComponentHost, component: ComponentToolInput['component']): void {
  try {
    void components.warm(component());
  } catch {
    // The call itself reports what is wrong.
  }
}

const NO_PARAMETERS: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

/** A tool that fails may have missed the files that nobody granted it. */
async function withAdvice(name: string, running: Promise<ComponentResult>): Promise<ComponentResult> {
  const advice = accessAdvice(name);
  try {
    const result = await running;
    const { outcome } = result;
    if (outcome.type !== 'error') return result;
    return { ...result, outcome: { ...outcome, trace: [...outcome.trace, advice] } };
  } catch (error) {
    const isGuests =
      error instanceof Fault && (error.code === 'wasm/trap' || error.code === 'wasm/instantiate');
    if (!isGuests) throw error;
    const advised = new Fault(error.code, error.message, { hint: advice, cause: error });
    throw error instanceof EndedCall ? new EndedCall(advised, error.receipt) : advised;
  }
}

function grantedDirectories({ root, grants }: ComponentToolInput): GrantedDirectory[] {
  return grants.map(({ path, access }: FileGrant) => {
    const behind = path === '' ? '' : `/${path}`;
    return { guestPath: `${WORKSPACE}${behind}`, hostPath: `${root}${behind}`, access, within: root };
  });
}
