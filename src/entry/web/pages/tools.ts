import { Fault } from '../../../base/fault.ts';
import { isJsonObject, type JsonObject, memberOf, parseJson } from '../../../base/json.ts';
import { notGrantedFault } from '../../../domain/approvals/approval-fault.ts';
import { requireOperator } from '../../../domain/approvals/operator/operator-presence.ts';
import { answerQuestion } from '../../../domain/tools/answer-question.ts';
import { type CalledTool, callTool } from '../../../domain/tools/call-tool.ts';
import { EndedCall, failure, type Tool } from '../../../domain/tools/tool.ts';
import { toolSettings } from '../../../domain/tools/tool-settings.ts';
import { assistantKnowledge } from '../../../domain/turns/assistant-knowledge.ts';
import { assistantTools, findTool, openKnowledge } from '../../../domain/turns/tools/assistant-tools.ts';
import { describeSource } from '../../cli/commands/tools/ls.ts';
import { receiptLines } from '../../cli/render/receipt.ts';
import { turnPorts } from '../../turn-ports.ts';
import { type Action, page, type Visit, workspaceOf } from '../page.ts';
import {
  address,
  badge,
  changeForm,
  emptyState,
  facts,
  type Html,
  hidden,
  html,
  NOTHING,
  numeral,
} from '../parts/html.ts';
import { schemaFields, schemaValues } from '../parts/schema-form.ts';
import { markdown } from '../parts/text.ts';

export const toolsPage = page({
  path: '/tools',
  section: 'tools',
  title: () => 'Tools',
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const known = await openKnowledge(app, assistantKnowledge(app));
    const { tools, leftOut, settings } = await assistantTools(turnPorts(app), known);
    return {
      tools: tools.map((tool) => {
        const configured = settings.find(({ name }) => name === tool.name);
        return { ...shownTool(tool), source: configured ? describeSource(configured.source) : 'builtin' };
      }),
      left_out: leftOut.map(({ name, fault }) => ({ name, problem: fault.message, hint: fault.hint ?? '' })),
    };
  },
  view: ({ tools, left_out }) => html`
    <div class="top"><h1>Tools</h1><p class="quiet">what your assistant may call</p></div>
    ${tools.length === 0 ? emptyState('There are no tools.') : NOTHING}
    ${left_out.map(
      ({ name, problem, hint }) =>
        html`<p>${badge('cannot be used', 'alert')} <strong class="mono">${name}</strong> ${problem} ${hint}</p>`,
    )}
    <ul class="list" data-items>${tools.map(
      ({ name, description, reach, run, access, source }) => html`<li>
        <span class="row"><a class="name mono" href="${address('/tools/show', { name })}">${name}</a> ${reachBadge(reach)} ${runBadge(run)}
          ${source === 'builtin' ? NOTHING : html`<span class="small quiet mono">${source}</span>`}</span>
        <span class="quiet">${description.split('\n')[0]}</span>
        ${access === null ? NOTHING : html`<span class="small quiet">${access}</span>`}
      </li>`,
    )}</ul>`,
});

function shownTool({ name, description, reach, run, access, parameters, resultLimitBytes }: Tool) {
  return {
    name,
    description,
    reach,
    run,
    access: access ?? null,
    parameters,
    limit: resultLimitBytes ?? null,
  };
}

function reachBadge(reach: Tool['reach']): Html {
  return badge(reach, reach === 'read' ? 'plain' : 'alert');
}

function runBadge(run: Tool['run']): Html {
  return badge(run === 'ask' ? 'asks you' : run, run === 'unattended' ? 'plain' : 'accent');
}

export const toolPage = page({
  path: '/tools/show',
  section: 'tools',
  title: ({ tool }) => tool.name,
  async load(visit: Visit) {
    const app = workspaceOf(visit);
    const tool = await findTool(turnPorts(app), visit.query.get('name') ?? '', visit);
    const tried = parseJson(visit.drafts.get(visit.query.get('tried') ?? '')?.text ?? 'null');
    const settings = toolSettings(app.config.conversation.tools).find(({ name }) => name === tool.name);
    const source = settings ? describeSource(settings.source) : 'builtin';
    return {
      tool: { ...shownTool(tool), source, timeout_s: settings?.timeoutMs ? settings.timeoutMs / 1000 : null },
      tried: isJsonObject(tried) ? tried : null,
    };
  },
  view: ({ tool, tried }, visit) => {
    const { name, description, reach, run, access, parameters, limit } = tool;
    const given = memberOf(tried ?? {}, 'arguments');
    const back = address('/tools/show', { name });
    return html`
    <div class="top"><div><p class="quiet"><a href="/tools">Tools</a></p><h1 class="mono">${name}</h1></div>
      <span class="row">${reachBadge(reach)} ${runBadge(run)}</span></div>
    ${markdown(description)}
    <div class="beside"><div class="stack">
      ${changeForm(
        visit,
        '/tools/run',
        html`<h2>Try it</h2>${hidden('name', name)}${hidden('back', back)}
        ${schemaFields(parameters, isJsonObject(given) ? given : {})}
        <details class="small"><summary>Answers to its questions</summary>
          <label class="unfolded">By their ids, as JSON <input name="answers" placeholder="{}" autocomplete="off"></label></details>
        <div class="row"><button class="main">Run</button><span class="small quiet">It is your own call, and noted as your decision.</span></div>`,
        'stack',
      )}
      ${tried === null ? NOTHING : triedView(tried)}</div>
      <aside class="stack" aria-label="About this tool">${facts([
        { name: 'Source', value: tool.source === 'builtin' ? 'built in' : html`<code>${tool.source}</code>` },
        { name: 'May use', value: access ?? undefined },
        { name: 'Time', value: tool.timeout_s === null ? undefined : `at most ${numeral(tool.timeout_s)} s` },
        { name: 'Result', value: limit === null ? undefined : `at most ${numeral(limit)} bytes` },
      ])}
      <details class="small"><summary>Parameters as JSON Schema</summary><pre tabindex="0">${JSON.stringify(parameters, null, 2)}</pre></details></aside></div>`;
  },
});

/** How a call ended, and what it touched. */
function triedView(tried: JsonObject): Html {
  const lines = tried.receipt;
  const isGood = tried.ok === true;
  return html`<section class="stack" aria-labelledby="result"><h2 id="result">Result ${badge(isGood ? 'success' : 'error', isGood ? 'accent' : 'alert')}</h2>
    <pre tabindex="0" class="wrapped">${String(tried.text ?? '')}</pre>
    ${Array.isArray(lines) && lines.length > 0 ? html`<h3>Receipt</h3><ul class="receipt small quiet">${lines.map((line) => html`<li>${String(line)}</li>`)}</ul>` : NOTHING}
  </section>`;
}

function triedText({ outcome, receipt }: CalledTool, given: JsonObject): string {
  const text =
    outcome.type === 'success'
      ? outcome.text
      : outcome.type === 'error'
        ? [outcome.message, ...outcome.trace].join('\n')
        : `It asks "${outcome.question.id}": ${outcome.question.text}`;
  const lines = receipt ? receiptLines(receipt) : [];
  return JSON.stringify({ ok: outcome.type === 'success', text, receipt: lines, arguments: given });
}

/** A call that was ended has no result, but a receipt. */
function resultOfEnded(error: unknown): CalledTool {
  if (!(error instanceof EndedCall)) throw error;
  const { message, hint, receipt } = error;
  return { outcome: failure(message, hint === undefined ? [] : [hint]), receipt };
}

function answersIn(form: URLSearchParams): JsonObject {
  const text = (form.get('answers') ?? '').trim();
  const answers = text === '' ? {} : parseJson(text);
  if (isJsonObject(answers)) return answers;
  throw new Fault('tools/bad-arguments', 'The answers must be a JSON object.', {
    hint: 'Such as {"sure": true}.',
  });
}

export const TOOL_ACTIONS: readonly Action[] = [
  {
    path: '/tools/run',
    async run(visit, form) {
      const app = workspaceOf(visit);
      const name = form.get('name') ?? '';
      const tool = await findTool(turnPorts(app), name, visit);
      const given = schemaValues(tool.parameters, form);
      const answers = answersIn(form);
      const others = answerQuestion(app, toolSettings(app.config.conversation.tools));
      const ports = {
        ...app,
        answerQuestion: (asked: Parameters<typeof others>[0], signal: AbortSignal) => {
          const answer = answers[asked.question.id];
          return answer === undefined ? others(asked, signal) : Promise.resolve(answer);
        },
      };
      const operator = async () => {
        await requireOperator(app, 'Running this tool');
        return app.operator.name();
      };
      const called = await callTool(
        ports,
        {
          tools: [tool],
          name: tool.name,
          arguments: given,
          caller: { policy: 'is-the-operator', through: 'web', name: operator },
          workspace: app.workspace.root,
        },
        AbortSignal.any([visit.signal, visit.place.signal]),
      ).catch(resultOfEnded);
      if (called.refused?.kind === 'not-granted') throw notGrantedFault(called.refused.result);
      const tried = visit.drafts.keep({ name, text: triedText(called, given) });
      return { to: `${address('/tools/show', { name, tried })}#result` };
    },
  },
];
