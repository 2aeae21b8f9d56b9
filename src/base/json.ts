/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}

/** The value of a text, or undefined when it is not JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Its own member of this name; what objects inherit, like `constructor`, is no member. */
export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The value if it is a text; undefined for anything else. */
export function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: Json | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The texts of a list, without its other elements; undefined for anything but a list. */
export function asTexts(value: Json | undefined): readonly string[] | undefined {
  return isJsonList(value) ? value.filter((each) => typeof each === 'string') : undefined;
}

/** Whether lists and objects are nested in each other more than `levels` deep. Needs no stack itself. */
export function isDeeperThan(value: Json, levels: number): boolean {
  let layer: Json[] = [value];
  for (let level = 0; layer.length > 0; level++) {
    const containers = layer.filter((item) => typeof item === 'object' && item !== null);
    if (containers.length > 0 && level >= levels) return true;
    layer = containers.flatMap((item) => Object.values(item));
  }
  return false;
}
