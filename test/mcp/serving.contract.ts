/** The promises to every client, however it is connected. */

import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { connect, ERAS, ODD_SERVER, type TransportKind, textOf } from './connect.ts';
import { gardenWorkspace, TOPICS } from './garden.ts';

const INSTRUCTIONS = `ken keeps what is known about this project. Ask it before you guess or read many files.
- search: how-to, docs, decisions, conventions, runbooks, the API of a library, earlier conversations. Ask a whole question; each hit has a citation, which show opens.
- learn: whole guides of a topic below, before work that one of them covers.
- knowledge_add: keep a fact or a decision of the project with its source, when you find it or are told it. knowledge_feedback: say which hits helped.
- reference_topic_list: the libraries whose documentation and source code are at hand; reference_topic_create asks the operator to fetch another.

Topics to learn:
- project (**General Project Knowledge**): How we work.
- skills
- ken (**Working with ken**): How to gather, describe and keep reference material with the reference tools.`;

export function itServes(transport: TransportKind): void {
  describe.each(ERAS)(`over ${transport}, with a client of $revision`, (era) => {
    it('serves the menu, and every tool by name in a fixed order', async () => {
      const { client } = await connect(gardenWorkspace(), { era, transport });
      expect(client.getNegotiatedProtocolVersion()).toBe(era.revision);
      expect(client.getInstructions()).toBe(INSTRUCTIONS);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(TOOLS);
      for (const { inputSchema, outputSchema, description, annotations } of tools) {
        expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
        expect(outputSchema).toMatchObject({ type: 'object', additionalProperties: false });
        expect(description).not.toBe('');
        expect(annotations?.readOnlyHint).toBeTypeOf('boolean');
        expect(unportable(inputSchema)).toEqual([]);
        expect(unportable(outputSchema)).toEqual([]);
      }
      const shownAtOnce = tools.filter(({ _meta }) => _meta?.['anthropic/alwaysLoad'] === true);
      expect(shownAtOnce.map(({ name }) => name)).toEqual(['search', 'learn']);
      for (const { _meta } of shownAtOnce)
        expect(_meta?.['anthropic/searchHint']).toEqual(expect.stringContaining('project'));
      const reading = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name);
      expect(reading).toEqual(['search', 'learn', 'show', 'reference_topic_list', 'job_status']);
      const all = await connect(gardenWorkspace(), { era, transport, words: ['mcp', '--tools', 'all'] });
      expect((await all.client.listTools()).tools.map(({ name }) => name)).toEqual([...TOOLS, ...FURTHER]);
      expect(
        await (
          await connect(gardenWorkspace(), { era, transport, words: ['mcp', '--tools', 'read'] })
        ).client.listTools(),
      ).toMatchObject({ tools: reading.map((name) => ({ name })) });
    });

    it('answers in text and in data that fits the schema', async () => {
      const { client } = await connect(gardenWorkspace(), {
        era,
        transport,
        words: ['mcp', '--tools', 'all'],
      });
      // A client that knows the schemas holds every answer against them.
      await client.listTools();
      const call = (name: string, given: Record<string, unknown>) =>
        client.callTool({ name, arguments: given });
      expect(await call('search', { question: 'what do I push to main?', limit: 1 })).toMatchObject({
        content: [{ text: expect.stringContaining('ken://kb/project/deploy#L3-L4') }],
        structuredContent: {
          outcome: 'answers',
          hits: [{ uri: 'ken://kb/project/deploy#L3-L4', trust: 'workspace' }],
        },
      });
      expect(await call('learn', { topic: 'project', subjects: 'deploy' })).toMatchObject({
        content: [{ type: 'text', text: '# Deploy\n\nPush to main.\nWait.\n' }],
        structuredContent: {
          topic: 'project',
          subjects: [{ slug: 'deploy', text: '# Deploy\n\nPush to main.\nWait.\n' }],
          unmatched: [],
        },
      });
      const fact = { title: 'Ports', text: 'The API is on 8080.', provenance: ['cmd:ss -ltn'] };
      const added = await call('knowledge_add', fact);
      expect(added.structuredContent).toEqual({
        text: expect.stringMatching(/^inserted \w+$/),
        id: expect.any(String),
        action: 'inserted',
      });
      const { id } = added.structuredContent as { id: string };
      const found = await call('knowledge_search', { query: 'api' });
      expect(found.structuredContent).toMatchObject({
        entries: [
          {
            id,
            text: expect.stringMatching(/^<<<data (\w+)\nPorts\nThe API is on 8080\.\n[\s\S]*\1 data>>>$/),
          },
        ],
      });
      expect(textOf(found)).toMatch(
        new RegExp(`^\\[${id}\\] \\(\\d+Z\\)\n<<<data [0-9a-f]{32}\nPorts\n`, 'm'),
      );
      const cited = await client.readResource({ uri: `ken://entry/${id}@v1` });
      expect(textOfResource(cited)).toContain('The API is on 8080.');
      const said = {
        query: 'api',
        returned_ids: [id],
        used_ids: [`ken://entry/${id}@v1`],
        outcome: 'helped',
      };
      expect(textOf(await call('knowledge_feedback', said))).toBe('Recorded.');
      const rule = {
        source_entry_id: id,
        evidence_refs: ['commit:abc'],
        reason: 'r',
        as: 'procedural/ports',
      };
      expect(await call('knowledge_promote', rule)).toMatchObject({
        isError: true,
        content: [
          { text: expect.stringMatching(/^APPROVAL_REQUIRED:KNOWLEDGE_PROMOTE:[\s\S]*Pending, id \w+:/) },
        ],
        structuredContent: {
          text: expect.stringContaining('only the operator can decide'),
          approval_id: expect.any(String),
        },
      });
      expect(await call('job_status', { id: 'none' })).toMatchObject({
        isError: true,
        content: [{ text: 'This workspace has no job and no request "none".' }],
      });
    });

    it('records what is written under the name of the client', async () => {
      const place = gardenWorkspace();
      const { client } = await connect(place, { era, transport, name: 'garden-gnome' });
      const fact = { title: 'Ports', text: 'The API is on 8080.', provenance: ['cmd:ss -ltn'] };
      const { structuredContent } = await client.callTool({ name: 'knowledge_add', arguments: fact });
      const { id } = structuredContent as { id: string };
      const { stdout, stderr } = await place.ken(['k', 'history', id, '--json']);
      expect(stderr).toBe('');
      expect(JSON.parse(stdout)).toMatchObject({ events: [{ type: 'add', actor: 'garden-gnome' }] });
    });

    it('refuses what a tool does not know, with the name that was meant', async () => {
      const { client } = await connect(gardenWorkspace(), { era, transport });
      expect(
        await client.callTool({ name: 'learn', arguments: { topic: 'project', subject: 'a' } }),
      ).toMatchObject({
        isError: true,
        content: [
          {
            text: 'The arguments of "learn" do not fit its parameters:\n- subject: is not known here. Did you mean subjects?',
          },
        ],
      });
      await expect(client.callTool({ name: 'lern', arguments: {} })).rejects.toThrow(
        'There is no tool "lern". Did you mean learn?',
      );
    });

    it('lists topics and subjects, and reads whatever a citation names', async () => {
      const { client } = await connect(gardenWorkspace(), { era, transport });
      const { resources } = await client.listResources();
      expect(resources.map(({ uri }) => uri)).toEqual([
        'ken://kb/ken',
        'ken://kb/ken/reference-researcher',
        'ken://kb/project',
        'ken://kb/project/deploy',
        'ken://kb/project/overview',
        'ken://kb/skills',
        'ken://kb/skills/pdf',
      ]);
      for (const { uri } of resources)
        expect(textOfResource(await client.readResource({ uri }))).not.toBe('');
      const lines = await client.readResource({ uri: 'ken://kb/project/deploy#L3-L4' });
      expect(textOfResource(lines)).toBe('Push to main.\nWait.');
      const digest = createHash('sha256').update(textOfResource(lines)).digest('hex');
      const same = await client.readResource({ uri: `ken://kb/project/deploy?sha256=${digest}#L3-L4` });
      expect(textOfResource(same)).toBe(textOfResource(lines));
      const other = await client.readResource({ uri: `ken://kb/project/deploy?sha256=${digest}#L3` });
      expect(textOfResource(other)).toMatch(/\n\(the content has changed since this was cited: .*\)$/);
      const gone = await client.readResource({ uri: 'ken://kb/project/deploy#L3-L9' });
      expect(textOfResource(gone)).toBe(
        'Push to main.\nWait.\n(the content has changed since this was cited)',
      );
      expect(
        (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
      ).toEqual([
        'ken://kb/{topic}',
        'ken://kb/{topic}/{+slug}',
        'skill://{topic}/{+path}',
        'ken://ref/{topic}',
        'ken://ref/{topic}@{commit}/{+path}',
        'ken://entry/{+id}@v{version}',
        'ken://conversation/{id}',
      ]);
      // The SDK's client shows the code of either revision as that of the newer one.
      for (const uri of ['ken://kb/project/none', 'file:///etc/passwd', 'ken://kb/project/deploy?sha256=zz'])
        await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
    });

    it('serves the skills of the knowledge base, with digests that fit the bytes', async () => {
      const place = gardenWorkspace();
      place.write('skills/pdf/scripts/run.py', 'print("hello")\n');
      place.write('skills/pdf/.env', 'SECRET=1\n');
      place.write('skills/broken/SKILL.md', '---\nname: other\n---\n# Broken\n');
      const { client } = await connect(place, { era, transport });
      expect(client.getServerCapabilities()?.extensions).toEqual({
        'io.modelcontextprotocol/skills': {},
        'io.modelcontextprotocol/ui': {},
        ...(era.revision === '2026-07-28' && { 'io.modelcontextprotocol/tasks': {} }),
      });
      const anything = z.looseObject({});
      const listed = (await client.request({ method: 'skills/list', params: {} }, anything)) as {
        skills: { uri: string; resources: { uri: string; digest: string; size: number }[] }[];
      };
      expect(listed.skills.map(({ uri }) => uri)).toEqual([
        'skill://ken/reference-researcher/SKILL.md',
        'skill://skills/pdf/SKILL.md',
      ]);
      const files = listed.skills[1]?.resources ?? [];
      expect(files.map(({ uri }) => uri)).toEqual([
        'skill://skills/pdf/SKILL.md',
        'skill://skills/pdf/scripts/run.py',
      ]);
      for (const { uri, digest, size } of files) {
        const text = textOfResource(await client.readResource({ uri }));
        const hash = createHash('sha256').update(text).digest('hex');
        expect([digest, size]).toEqual([`sha256:${hash}`, Buffer.byteLength(text)]);
      }
      const uri = 'skill://skills/pdf/SKILL.md';
      expect(await client.request({ method: 'skills/get', params: { uri } }, anything)).toMatchObject({
        skill: listed.skills[1],
      });
      for (const none of [
        'skill://skills/pdf/.env',
        'skill://skills/../config.toml',
        'skill://x',
        'skill://%',
      ])
        await expect(client.readResource({ uri: none })).rejects.toMatchObject({ code: -32602 });
      const missing = { method: 'skills/get', params: { uri: 'skill://none/SKILL.md' } };
      await expect(client.request(missing, anything)).rejects.toThrow('There is no skill at skill://none');
    });

    it('reads a conversation by its citation', async () => {
      const place = gardenWorkspace();
      await place.ken(['q', '-q', 'What do I push to main?']);
      const { stdout } = await place.ken(['c', 'ls', '--json']);
      const [{ id }] = JSON.parse(stdout).conversations;
      const { client } = await connect(place, { era, transport });
      const turn = await client.readResource({ uri: `ken://conversation/${id}#turn-1` });
      expect(textOfResource(turn)).toContain('What do I push to main?');
      const none = client.readResource({ uri: `ken://conversation/${id}#turn-9` });
      await expect(none).rejects.toMatchObject({ code: -32602 });
    });

    it('has a prompt for each topic', async () => {
      const { client } = await connect(gardenWorkspace(), { era, transport });
      expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual([
        'learn-ken',
        'learn-project',
        'learn-skills',
        'reference-researcher',
      ]);
      const prompt = await client.getPrompt({ name: 'learn-project', arguments: { subjects: 'deploy' } });
      expect(prompt.messages).toEqual([
        {
          role: 'user',
          content: {
            type: 'text',
            text: 'Keep to what is known here about General Project Knowledge:\n\n# Deploy\n\nPush to main.\nWait.\n',
          },
        },
      ]);
      for (const { name } of (await client.listPrompts()).prompts) {
        const { messages } = await client.getPrompt({ name });
        expect(messages).toMatchObject([{ role: 'user', content: { text: expect.stringMatching(/\w/) } }]);
      }
      await expect(client.getPrompt({ name: 'learn-projekt' })).rejects.toThrow(
        'Did you mean learn-project?',
      );
    });

    it('gives long lists page by page, each item once', async () => {
      const place = gardenWorkspace();
      const slugs = Array.from({ length: 230 }, (_, at) => `many/s${String(at).padStart(3, '0')}`);
      for (const slug of slugs) place.write(`.ken/kb/project/${slug}.md`, 'x\n');
      const { client } = await connect(place, { era, transport });
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await client.request({
          method: 'resources/list',
          params: { ...(cursor && { cursor }) },
        });
        pages.push(page.resources.map(({ uri }) => uri));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(pages.map((page) => page.length)).toEqual([100, 100, 37]);
      expect(new Set(pages.flat()).size).toBe(237);
      expect(pages.flat()).toEqual(pages.flat().toSorted());
      for (const list of ['resources', 'resources/templates', 'prompts', 'tools'] as const)
        await expect(
          client.request({ method: `${list}/list`, params: { cursor: 'bm9uc2Vuc2U' } }),
          list,
        ).rejects.toThrow('The cursor is not one that this server gave.');
    });

    it('cuts a long answer and says how to read on, to the last byte', async () => {
      const { client } = await connect(gardenWorkspace(), { era, transport, program: ODD_SERVER, words: [] });
      let answer = await client.callTool({ name: 'long', arguments: {} });
      expect(answer.structuredContent).toEqual({ text: textOf(answer) });
      const parts: string[] = [];
      for (;;) {
        const text = textOf(answer);
        expect(Buffer.byteLength(text)).toBeLessThan(33 * 1024);
        const [note = '', uri] = /\n\(cut: .*show \{"uri":"(ken:.*)"\}\)$/.exec(text) ?? [];
        parts.push(text.slice(0, text.length - note.length));
        if (uri === undefined) break;
        answer = await client.callTool({ name: 'show', arguments: { uri } });
      }
      expect(parts.length).toBe(6);
      expect(parts.join('')).toBe('wide 界 '.repeat(20_000));
    });

    it('cuts long prompts and resources, and says how to get the rest', async () => {
      const place = gardenWorkspace();
      const line = `${'wide 界 '.repeat(20)}\n`;
      for (const name of ['a', 'b', 'c']) place.write(`.ken/kb/project/long/${name}.md`, line.repeat(1_000));
      place.write('.ken/kb/project/long/one.md', 'x'.repeat(250_000));
      place.write('.ken/config.toml', `kb.max_subject_bytes = 1000000\n${TOPICS}`);
      place.write('.ken/kb/project/big.md', line.repeat(2_000));
      const { client } = await connect(place, { era, transport });
      const prompt = await client.getPrompt({ name: 'learn-project', arguments: { subjects: 'long/*' } });
      const [{ content } = { content: {} }] = prompt.messages;
      const text = 'text' in content ? String(content.text) : '';
      expect(text).toMatch(
        /界 \n\n\(cut: the first 26\d{4} of \d{6} bytes are shown; name fewer subjects\)$/,
      );
      const resource = textOfResource(await client.readResource({ uri: 'ken://kb/project/big' }));
      const [note = '', uri = ''] =
        /\n\(cut: \d+ of 2000 lines are shown; read on at (.*)\)$/.exec(resource) ?? [];
      const rest = textOfResource(await client.readResource({ uri }));
      expect(`${resource.slice(0, -note.length)}\n${rest}`).toBe(line.repeat(2_000).slice(0, -1));
    });

    it('stops a call that the client cancels', async () => {
      const place = gardenWorkspace();
      const { client, said } = await connect(place, { era, transport, program: ODD_SERVER, words: [] });
      const before = said();
      const cancel = new AbortController();
      const call = client.callTool({ name: 'held', arguments: {} }, { signal: cancel.signal });
      const refused = expect(call).rejects.toThrow();
      await vi.waitUntil(() => existsSync(path.join(place.root, 'started')), WAIT);
      cancel.abort();
      await refused;
      await vi.waitUntil(() => existsSync(path.join(place.root, 'aborted')), WAIT);
      expect(textOf(await client.callTool({ name: 'empty', arguments: {} }))).toBe('');
      // It is no mistake of anybody's.
      expect(said()).toBe(before);
    });

    it('tells a client that asks how far a call is', async () => {
      const place = gardenWorkspace();
      const { client } = await connect(place, { era, transport, program: ODD_SERVER, words: [] });
      const told: { progress: number; message?: string | undefined }[] = [];
      const call = client.callTool(
        { name: 'held', arguments: {} },
        { onprogress: (each) => told.push(each) },
      );
      await vi.waitUntil(() => told.length >= 3, WAIT);
      place.write('release', '');
      expect(textOf(await call)).toBe('released');
      expect(told[0]?.message).toBe('steps: 0 of 1000');
      const counts = told.map(({ progress }) => progress);
      expect(counts).toEqual(counts.toSorted((a, b) => a - b));
      expect(new Set(counts).size).toBe(counts.length);
    });

    it('logs its own mistakes to clients of the revision that has logs', async () => {
      const { client } = await connect(gardenWorkspace(), {
        era,
        transport,
        program: ODD_SERVER,
        words: [],
      });
      const isLegacy = era.revision === '2025-11-25';
      expect(client.getServerCapabilities()?.logging).toEqual(isLegacy ? {} : undefined);
      const logged: unknown[] = [];
      client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params));
      if (isLegacy) await client.setLoggingLevel('error');
      expect((await client.callTool({ name: 'crashes', arguments: {} })).isError).toBe(true);
      if (isLegacy) await vi.waitUntil(() => logged.length > 0, WAIT);
      expect(logged).toEqual(isLegacy ? [{ level: 'error', logger: 'ken', data: 'a bug in a tool' }] : []);
    });

    it('keeps standard output to the protocol, whatever tools print', async () => {
      const { client, said } = await connect(gardenWorkspace(), {
        era,
        transport,
        program: ODD_SERVER,
        words: [],
      });
      const errors: Error[] = [];
      client.onerror = (error) => errors.push(error);
      expect(textOf(await client.callTool({ name: 'prints', arguments: {} }))).toBe('printed');
      expect(await client.callTool({ name: 'crashes', arguments: {} })).toMatchObject({
        isError: true,
        content: [{ text: "crashes failed by a mistake of ken's own; its standard error says more." }],
      });
      expect(textOf(await client.callTool({ name: 'empty', arguments: {} }))).toBe('');
      await vi.waitUntil(() => said().includes('a bug in a tool'), WAIT);
      expect(errors).toEqual([]);
      // Over HTTP, standard output is nobody's protocol.
      if (transport === 'stdio')
        expect(said()).toContain('printed by console.log\nprinted to standard output\n');
      expect(said()).toContain('a warning of Node');
    });
  });
}

const WAIT = { timeout: 20_000, interval: 20 };

const TOOLS = [
  'search',
  'learn',
  'show',
  'knowledge_add',
  'knowledge_feedback',
  'knowledge_promote',
  'kb_propose',
  'reference_topic_list',
  'reference_topic_create',
  'job_status',
];

const FURTHER = ['reference_search', 'reference_topic_search', 'reference_topic_update', 'knowledge_search'];

/** Problems for a strict client: types in lists, references elsewhere, empty schemas. */
function unportable(schema: unknown, path = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [`${path}: not an object`];
  const {
    type,
    $ref,
    properties = {},
    items,
    anyOf,
    additionalProperties,
  } = schema as Record<string, unknown>;
  const here = [
    ...(Array.isArray(type) ? [`${path}: types in a list`] : []),
    ...($ref === undefined ? [] : [`${path}: refers elsewhere`]),
    ...(type === undefined && anyOf === undefined ? [`${path}: says nothing`] : []),
  ];
  const inside = [
    ...Object.entries(properties as object),
    ...(items === undefined ? [] : [['items', items]]),
    ...(Array.isArray(anyOf) ? anyOf.map((each, at) => [`anyOf ${at}`, each]) : []),
    ...(typeof additionalProperties === 'object' ? [['others', additionalProperties]] : []),
  ];
  return [...here, ...inside.flatMap(([name, each]) => unportable(each, `${path}/${name}`))];
}

function textOfResource({ contents }: { contents: readonly object[] }): string {
  return contents.map((part) => ('text' in part ? String(part.text) : '')).join('');
}
