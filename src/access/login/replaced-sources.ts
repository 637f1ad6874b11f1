// Which sources of users a change of the configuration takes away: removed ones, and those that are another provider now. Accounts
// and groups that the former one reported are no longer valid, nor are the logins it let in.
import { type Edit, isEditOf } from '../../config/edit.ts';
import type { EntityNamed } from '../../shape/configuration.ts';
import type { LoginSourceParts } from './login-sources.ts';

type Parts = Pick<LoginSourceParts, 'findPlugin' | 'clearValues'>;

/** The ids of sources of users that these edits replace. */
export function replacedSources(edits: readonly Edit[], { findPlugin, clearValues }: Parts): readonly string[] {
  const providerOf = ({ pluginId, properties }: EntityNamed<'authConfigs'>): string => {
    const web = findPlugin(pluginId)?.web;
    return JSON.stringify([pluginId, web?.providerOf(clearValues(properties)) ?? null]);
  };
  return edits.flatMap((edit) => {
    if (!isEditOf('authConfigs', edit) || !edit.before) return [];
    const { before, after } = edit;
    return after && providerOf(before.value) === providerOf(after.value) ? [] : [before.value.id];
  });
}
