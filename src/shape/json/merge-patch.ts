// JSON merge patch (RFC 7396): members that are sent replace those that are there, null removes, all others stay.
import { isObject, type Json, type JsonObject, type JsonSchema } from './json.ts';

export const MERGE_PATCH = 'application/merge-patch+json';
/** How the titles of schemas of patches end. */
export const PATCH_SUFFIX = ' as a merge patch';
const SEALED = 'encrypted_';

export function mergePatched(target: JsonObject, patch: JsonObject): JsonObject {
  // Names can be anything a client sent, `__proto__` too.
  const merged = new Map(Object.entries(target));
  for (const [name, value] of Object.entries(patch)) {
    // A secret is shown under another name than it is sent: a patch that sends or removes it means the same member.
    if (!Object.hasOwn(patch, SEALED + name)) merged.delete(SEALED + name);
    if (value === null) merged.delete(name);
    else merged.set(name, patched(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function patched(target: Json | undefined, patch: Json): Json {
  return isObject(patch) ? mergePatched(isObject(target) ? target : {}, patch) : patch;
}

/** The schema of patches, from that of whole bodies: every member may be absent, or null. */
export function mergePatchSchema({ title, ...whole }: JsonSchema): JsonSchema {
  return { ...partial(whole), title: `${String(title)}${PATCH_SUFFIX}` };
}

function partial(schema: JsonSchema): JsonSchema {
  const { required: _, properties, ...rest } = schema;
  if (!properties) return schema;
  const members = Object.entries(properties).map(([name, member]) => {
    const { description, ...own } = partial(member);
    return [name, { anyOf: [own, { type: 'null' }], ...(description !== undefined && { description }) }];
  });
  return { ...rest, properties: Object.fromEntries(members) };
}
