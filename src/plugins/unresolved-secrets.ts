// Finds the secrets that the settings of an entity refer to and that cannot be had.
import type { Problem } from '../shape/problems/problem.ts';
import { type Entity, type Resource, settingsIn } from '../shape/resource.ts';
import { type SecretParts, SecretProblem, SecretReferences } from './secret-references.ts';

/** They are looked up and forgotten. The plugin does not check their values: its messages could reveal them. */
export async function unresolvedSecretProblems(
  use: NonNullable<Resource['plugin']>,
  entity: Entity,
  parts: SecretParts,
): Promise<Problem[]> {
  const referrer = use.refersAs?.(entity);
  if (!referrer) return [];
  const secrets = new SecretReferences(parts);
  const problems: Problem[] = [];
  for (const [index, property] of settingsIn(entity, use).entries()) {
    const { key } = property;
    try {
      await secrets.resolveAll(parts.clearValues([property]), referrer);
    } catch (failure) {
      if (!(failure instanceof SecretProblem)) throw failure;
      problems.push({ at: [use.settings, index, key], message: failure.message, pluginSetting: key, isUnresolved: true });
    }
  }
  return problems;
}
