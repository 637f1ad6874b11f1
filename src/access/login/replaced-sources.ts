// Which sources of users a change of the configuration takes away: removed ones, and those that are another provider now. Accounts
// and groups that the former one reported are no longer valid, nor are the logins it let in.
import type { Edit } from '../../config/edit.ts';
import type { Property } from '../../shape/properties.ts';
import type { Entity } from '../../shape/resource.ts';
import type { LoginSourceParts } from './login-sources.ts';

type Parts = Pick<LoginSourceParts, 'findPlugin' | 'clearValues'>;

/** Their ids. */
export function replacedSources(edits: readonly Edit[], { findPlugin, clearValues }: Parts): readonly string[] {
  const providerOf = ({ pluginId, properties }: Entity): string => {
    const web = findPlugin(String(pluginId))?.web;
    return JSON.stringify([pluginId, web?.providerOf(clearValues(properties as readonly Property[])) ?? null]);
  };
  return edits.flatMap(({ kind, before, after }) => {
    if (kind.name !== 'authConfigs' || !before) return [];
    return after && providerOf(before.value) === providerOf(after.value) ? [] : [String(before.value.id)];
  });
}
