import { isJsonList, isJsonObject, type JsonObject, memberOf } from '../../../base/json.ts';
import { didYouMean } from '../../../base/similar.ts';
import { typesOf } from './check-type.ts';
import { alternatives, type Problem } from './problem.ts';
import { matches } from './safe-pattern.ts';
import { problemAt, type Site } from './site.ts';

export function checkObject(site: Site): Problem[] {
  const { value } = site;
  if (!isJsonObject(value)) return [];
  return [...checkRequired(site, value), ...checkMembers(site, value), ...checkCount(site, value)];
}

function checkRequired(site: Site, value: JsonObject): Problem[] {
  const { required, properties } = site.schema;
  if (!isJsonList(required)) return [];
  const missing = required
    .filter((name) => typeof name === 'string' && !Object.hasOwn(value, name))
    .map(String);
  return missing.map((name) => {
    const schema = memberOf(properties, name);
    const types = isJsonObject(schema) ? typesOf(schema) : [];
    return {
      path: [...site.path, name],
      message: types.length > 0 ? `is required (${types.join(' or ')})` : 'is required',
    };
  });
}

function checkMembers(site: Site, value: JsonObject): Problem[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const schemas = schemasFor(site.schema, name);
    if (schemas.length > 0) return schemas.flatMap((schema) => site.check(schema, member, name));
    const { additionalProperties = true } = site.schema;
    if (additionalProperties === false) return [unknownMember(site, value, name)];
    return site.check(additionalProperties, member, name);
  });
}

function schemasFor(schema: JsonObject, name: string) {
  const named = memberOf(schema.properties, name);
  const patterns = isJsonObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : [];
  const matching = patterns.filter(([pattern]) => matches(pattern, name) !== false).map(([, other]) => other);
  return named === undefined ? matching : [named, ...matching];
}

function unknownMember(site: Site, value: JsonObject, name: string): Problem {
  const { properties } = site.schema;
  const known = isJsonObject(properties) ? Object.keys(properties) : [];
  const free = known.filter((candidate) => !Object.hasOwn(value, candidate));
  return {
    path: [...site.path, name],
    message: `is not known here. ${didYouMean(name, free) ?? whatThereIs(known)}`,
  };
}

function whatThereIs(known: readonly string[]): string {
  if (known.length === 0) return 'Nothing may be given.';
  const shown = known.slice(0, MAX_NAMES_SHOWN);
  const more = known.length > shown.length ? ` and ${known.length - shown.length} more` : '';
  return `There is ${alternatives(shown)}${more}.`;
}

const MAX_NAMES_SHOWN = 20;

function checkCount(site: Site, value: JsonObject): Problem[] {
  const { minProperties, maxProperties } = site.schema;
  const count = Object.keys(value).length;
  if (typeof minProperties === 'number' && count < minProperties) {
    return [problemAt(site, `must have at least ${minProperties} members, not ${count}`)];
  }
  if (typeof maxProperties === 'number' && count > maxProperties) {
    return [problemAt(site, `must have at most ${maxProperties} members, not ${count}`)];
  }
  return [];
}
