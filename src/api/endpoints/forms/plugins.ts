// Settings of plugins: the member that names the plugin, or an entity that has one, is a choice of these.
import type { JsonSchema } from '../../../shape/json/json.ts';

type Members = Readonly<Record<string, JsonSchema>>;

/** The note of the plugin in the schema of settings: see `SettingsOf`. */
interface PluginHint {
  readonly extension: string | null;
  readonly id: readonly string[] | null;
  readonly through?: string;
}

/** The members of an object, with those marked that name the plugins of others. */
export function withPlugins(members: Members): Members {
  const hints = Object.values(members).flatMap(({ 'x-plugin': hint }) => (isHint(hint) ? [hint] : []));
  return hints.reduce((marked, hint) => (hint.id === null ? marked : withMark(marked, hint.id, markOf(hint))), members);
}

function markOf({ extension, through }: PluginHint): JsonSchema {
  return through === undefined ? { 'x-plugin': { extension } } : { 'x-refers-to': through };
}

function withMark(members: Members, [name = '', ...rest]: readonly string[], mark: JsonSchema): Members {
  const schema = members[name];
  if (!schema) return members;
  const inner = rest.length === 0 ? mark : { properties: withMark(schema.properties ?? {}, rest, mark) };
  return { ...members, [name]: { ...schema, ...inner } };
}

function isHint(hint: unknown): hint is PluginHint {
  return typeof hint === 'object' && hint !== null && 'id' in hint;
}
