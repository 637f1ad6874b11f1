// Which pipelines a change of the configuration concerns, though it may not have changed themselves.
import { keyOfName } from '../../builds/configured.ts';
import type { Config } from '../../config/current.ts';
import { kindAndKeyIn, nameOf } from '../../config/references.ts';
import type { KindName } from '../../shape/configuration.ts';

interface EditedEntity {
  readonly kind: { readonly name: KindName };
  readonly key: string;
}

export function affectedPipelines(edits: readonly EditedEntity[], config: Config): ReadonlySet<string> {
  const affected = new Set<string>();
  const repos = new Set<string>();
  for (const { kind, key } of edits) {
    if (kind.name === 'pipelines') affected.add(key);
    // The first stage is started by hand, or not any more.
    if (kind.name === 'templates') for (const user of pipelinesWith(key, config)) affected.add(user);
    // Pipelines that their own repository defines wait until its files are read.
    if (kind.name === 'publishedRevisions') repos.add(key);
  }
  if (repos.size === 0) return affected;
  for (const { key, value } of config.of('pipelines').all()) if (value.origin && repos.has(keyOfName(value.origin.repo))) affected.add(key);
  return affected;
}

/** The keys of those that use a template. */
export function pipelinesWith(template: string, config: Config): string[] {
  const { kind } = config.of('templates');
  return [...config.references.of(nameOf(kind, template))].flatMap((user) => {
    const { kind: kindName, key } = kindAndKeyIn(user);
    return kindName === 'pipelines' ? [key] : [];
  });
}
