// The attributes of a material may refer to secrets that are kept elsewhere: they are looked up just before it is asked.
import type { SettingValues } from '../../contracts/plugins/plugin.ts';
import type { PolledMaterial } from '../clients/client.ts';
import type { Material } from './material.ts';

/** The entity that refers to secrets. */
export interface Referrer {
  readonly type: 'pipeline_group' | 'pluggable_scm' | 'package_repository' | 'config_repo';
  readonly name: string;
}

/** Both reject, in words without secrets, when one cannot be had. */
export interface SecretLookup {
  resolve(text: string, referrer: Referrer): Promise<string>;
  resolveAll(settings: SettingValues, referrer: Referrer): Promise<SettingValues>;
}

/** Ready to be asked. */
export async function withSecrets(material: Material, secrets: SecretLookup): Promise<PolledMaterial> {
  const polled = material.toPoll();
  const referrer = referrerOf(material);
  const { password, settings, repository, package: named } = polled;
  const all = (values: SettingValues) => secrets.resolveAll(values, referrer);
  return {
    ...polled,
    ...(typeof password === 'string' && { password: await secrets.resolve(password, referrer) }),
    ...(settings !== undefined && { settings: await all(settings), configured: settings }),
    ...(repository !== undefined && { repository: await all(repository) }),
    ...(named !== undefined && { package: await all(named) }),
  };
}

function referrerOf({ definition, uses, configRepos }: Material): Referrer {
  if (definition && 'scm' in definition) return { type: 'pluggable_scm', name: definition.scm.name };
  if (definition) return { type: 'package_repository', name: definition.repository.name };
  const [use] = uses;
  return use ? { type: 'pipeline_group', name: use.group } : { type: 'config_repo', name: configRepos[0] ?? '' };
}
