// The plugin of an entity: the member that names it, the place of its settings, and the rule for it.
import { hasInvisibleCharacter, NO_INVISIBLE_CHARACTERS } from '../../kit/text/invisible-characters.ts';
import { required } from '../../shape/field.ts';
import { checkedText, group } from '../../shape/fields.ts';
import { type Problem, problemUnless } from '../../shape/problems/problem.ts';

interface HasPlugin {
  readonly pluginMetadata: { readonly id: string };
}

const AT_ID = ['plugin_metadata', 'id'];

export const pluginMetadata = () =>
  group(
    {
      id: required(checkedText({ label: 'Plugin', description: 'The plugin.' })),
      version: checkedText({ label: 'Plugin version', description: 'Its version; for information only.' }),
    },
    { label: 'Plugin', description: 'The plugin it belongs to.' },
    { isRequired: true },
  );

/** The places of the plugin and its settings, and the message about a plugin of another kind. */
export const BY_PLUGIN_METADATA = {
  settings: 'configuration',
  of: (entity: Partial<HasPlugin>) => entity.pluginMetadata?.id,
  otherKind: () => 'Invalid plugin id',
  otherKindAt: AT_ID,
} as const;

export function pluginMetadataRule(unset: string): (entity: HasPlugin) => Problem[] {
  return ({ pluginMetadata: { id } }) => [
    ...problemUnless(id.trim() !== '', AT_ID, unset),
    ...problemUnless(!hasInvisibleCharacter(id), AT_ID, NO_INVISIBLE_CHARACTERS),
  ];
}
