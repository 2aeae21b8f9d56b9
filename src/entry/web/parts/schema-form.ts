/** A form made from a JSON Schema, and the object that it is sent as. */

import { Fault } from '../../../base/fault.ts';
import {
  asText,
  asTexts,
  isJsonObject,
  type Json,
  type JsonObject,
  memberOf,
  parseJson,
} from '../../../base/json.ts';
import { type Html, html, NOTHING } from './html.ts';

const PREFIX = 'arg.';

type FieldKind =
  | { readonly kind: 'text' | 'long' | 'number' | 'boolean' | 'lines' | 'json' }
  | { readonly kind: 'choice'; readonly options: readonly string[] };

interface Field {
  readonly name: string;
  readonly about: string;
  readonly isRequired: boolean;
  readonly field: FieldKind;
}

export function schemaFields(schema: JsonObject, given: JsonObject): Html {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return html`<p class="quiet">It takes no arguments.</p>`;
  return html`${fields.map((field) => fieldView(field, given[field.name]))}`;
}

function fieldsOf(schema: JsonObject): Field[] {
  const { properties } = schema;
  const required = asTexts(schema.required) ?? [];
  if (!isJsonObject(properties)) return [];
  return Object.entries(properties).map(([name, property]) => ({
    name,
    about: asText(memberOf(property, 'description')) ?? '',
    isRequired: required.includes(name),
    field: fieldOf(property),
  }));
}

const LONG_NAMES = /^(?:text|body|content|source|code)$/;

function fieldOf(property: Json): FieldKind {
  const options = asTexts(memberOf(property, 'enum'));
  if (options) return { kind: 'choice', options };
  switch (memberOf(property, 'type')) {
    case 'string':
      return { kind: LONG_NAMES.test(asText(memberOf(property, 'title')) ?? '') ? 'long' : 'text' };
    case 'number':
    case 'integer':
      return { kind: 'number' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'array': {
      const items = memberOf(property, 'items') ?? null;
      return { kind: memberOf(items, 'type') === 'string' ? 'lines' : 'json' };
    }
    default:
      return { kind: 'json' };
  }
}

function fieldView({ name, about, isRequired, field }: Field, given: Json | undefined): Html {
  const label = html`<span><code>${name}</code> <span class="small quiet">${about}</span></span>`;
  const attributes = html`name="${PREFIX}${name}" ${isRequired ? html`required` : NOTHING}`;
  const text = shownValue(field.kind, given);
  switch (field.kind) {
    case 'boolean':
      return html`<label class="row"><input type="checkbox" name="${PREFIX}${name}" value="true" ${given === true ? html`checked` : NOTHING}> ${label}</label>`;
    case 'choice':
      return html`<label>${label}<select ${attributes}>${isRequired ? NOTHING : html`<option></option>`}${field.options.map(
        (each) => html`<option ${each === text ? html`selected` : NOTHING}>${each}</option>`,
      )}</select></label>`;
    case 'number':
      return html`<label>${label}<input type="number" step="any" ${attributes} value="${text}"></label>`;
    case 'text':
      return html`<label>${label}<input ${attributes} value="${text}" autocomplete="off"></label>`;
    default:
      return html`<label>${label}<textarea class="few" ${attributes} placeholder="${
        field.kind === 'lines' ? 'one a line' : field.kind === 'json' ? 'JSON' : ''
      }">${'\n'}${text}</textarea></label>`;
  }
}

function shownValue(kind: FieldKind['kind'], given: Json | undefined): string {
  if (given === undefined) return '';
  if (kind === 'lines') return (asTexts(given) ?? []).join('\n');
  return typeof given === 'string' ? given : JSON.stringify(given, null, 2);
}

/** Fields that were left empty are left out. */
export function schemaValues(schema: JsonObject, form: URLSearchParams): JsonObject {
  const values = fieldsOf(schema).flatMap(({ name, field }): [string, Json][] => {
    const text = (form.get(`${PREFIX}${name}`) ?? '').replace(/\r\n/g, '\n');
    if (text === '') return [];
    return [[name, fieldValue(field.kind, { name, text })]];
  });
  return Object.fromEntries(values);
}

function fieldValue(
  kind: FieldKind['kind'],
  { name, text }: { readonly name: string; readonly text: string },
): Json {
  if (kind === 'number') return Number(text);
  if (kind === 'boolean') return text === 'true';
  if (kind === 'lines')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean);
  if (kind !== 'json') return text;
  const value = parseJson(text);
  if (value !== undefined) return value;
  throw new Fault('tools/bad-arguments', `${name} is not JSON.`, { hint: 'Such as {"a": 1} or ["a", "b"].' });
}
