import { expect, it } from 'vitest';
import type { ToolProgress } from './tool.ts';
import type { ServerCall, ToolServers } from './tool-servers.ts';

const never = new AbortController().signal;

/** The tools that `open` must offer, on the server `s`. */
export interface ContractTools {
  /** Answers its argument `text`. */
  readonly echo: string;
  /** Says that it has failed. */
  readonly fail: string;
  /** Tells how far it is, then answers. */
  readonly progress: string;
  /** Never answers. */
  readonly hang: string;
  /** The server ends while it runs. */
  readonly die: string;
}

/** The promises of every adapter to servers. */
export function itServesTools(name: string, open: () => ToolServers, tools: ContractTools): void {
  async function callOf(
    servers: ToolServers,
    tool: string,
    more: Partial<ServerCall> = {},
  ): Promise<ServerCall> {
    const offer = (await servers.list('s', never)).find((each) => each.tool === tool);
    if (!offer) throw new Error(`no ${tool}`);
    return { server: 's', offer, arguments: {}, limits: { idleMs: 20_000, totalMs: 20_000 }, ...more };
  }

  it(`${name}: lists what a server offers, with all that it says about it`, async () => {
    const offers = await open().list('s', never);
    expect(offers.map(({ tool }) => tool)).toEqual(expect.arrayContaining(Object.values(tools)));
    for (const { tool, definition } of offers) {
      expect(definition).toMatchObject({ name: tool, inputSchema: { type: 'object' } });
    }
  });

  it(`${name}: answers, several at once`, async () => {
    const servers = open();
    const calls = ['a', 'b', 'c'].map(async (text) => {
      const { outcome } = await servers.call(
        await callOf(servers, tools.echo, { arguments: { text } }),
        never,
      );
      return outcome;
    });
    expect(await Promise.all(calls)).toEqual(['a', 'b', 'c'].map((text) => ({ type: 'success', text })));
  });

  it(`${name}: makes an outcome of what the tool calls an error`, async () => {
    const servers = open();
    const { outcome } = await servers.call(await callOf(servers, tools.fail), never);
    expect(outcome).toMatchObject({ type: 'error', transient: false });
  });

  it(`${name}: tells how far a tool is`, async () => {
    const servers = open();
    const told: ToolProgress[] = [];
    const call = await callOf(servers, tools.progress, {
      onProgress: (progress) => void told.push(progress),
    });
    expect((await servers.call(call, never)).outcome.type).toBe('success');
    expect(told[0]).toEqual({ phase: tools.progress, done: 1, total: 3 });
  });

  it(`${name}: stops waiting when time is up or nobody wants it any more, and goes on serving`, async () => {
    const servers = open();
    const limits = { idleMs: 200, totalMs: 200 };
    const hang = await callOf(servers, tools.hang, { limits });
    await expect(servers.call(hang, never)).rejects.toMatchObject({ code: 'tools/timeout' });
    const stopped = AbortSignal.timeout(100);
    await expect(servers.call(await callOf(servers, tools.hang), stopped)).rejects.toMatchObject({
      code: 'tools/cancelled',
    });
    const echo = await callOf(servers, tools.echo, { arguments: { text: 'still' } });
    expect((await servers.call(echo, never)).outcome).toEqual({ type: 'success', text: 'still' });
  });

  it(`${name}: starts a server again that ended`, async () => {
    const servers = open();
    await expect(servers.call(await callOf(servers, tools.die), never)).rejects.toMatchObject({
      code: 'tools/server-ended',
    });
    const echo = await callOf(servers, tools.echo, { arguments: { text: 'again' } });
    expect((await servers.call(echo, never)).outcome).toEqual({ type: 'success', text: 'again' });
  });

  it(`${name}: knows no other server`, async () => {
    await expect(open().list('other', never)).rejects.toMatchObject({ code: 'tools/unknown-server' });
  });
}
