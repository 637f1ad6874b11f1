// The member that names a plugin, and the rules for it.
import { isName, NAME_RULE, text } from '../../shape/fields.ts';
import { type Problem, problemUnless } from '../../shape/problems/problem.ts';

export const pluginId = () => text({ description: 'The plugin whose settings these are.', example: 'cd.go.artifact.s3' });

export function pluginIdRule(owner: string): (entity: { readonly pluginId: string }) => Problem[] {
  return (entity) =>
    entity.pluginId.trim() === ''
      ? problemUnless(false, 'plugin_id', `${owner} cannot have a blank plugin id.`)
      : problemUnless(isName(entity.pluginId), 'plugin_id', `Invalid plugin id '${entity.pluginId}'. ${NAME_RULE}`);
}
