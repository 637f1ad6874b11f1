// SCMs: repositories that a plugin polls, for use as materials.
import { checkedText, flag, optionalIdentifier } from '../shape/fields.ts';
import { messagesOf } from '../shape/problems/messages.ts';
import type { Problem } from '../shape/problems/problem.ts';
import { type Property, properties, settingsIdentity, UNSECURED } from '../shape/properties.ts';
import { collection, type Lookup, type PluginsView, type TagsView } from '../shape/resource.ts';
import { nameRule } from './parts/name-rule.ts';
import { origin, repoReference } from './parts/origin.ts';
import { BY_PLUGIN_METADATA, pluginMetadata, pluginMetadataRule } from './parts/plugin-metadata.ts';
import { duplicateCandidates, type PolledSettings, polledIdentity, settingTags } from './parts/polled-identity.ts';

interface Scm {
  readonly id: string;
  readonly name: string;
  readonly pluginMetadata: { readonly id: string };
  readonly configuration: readonly Property[];
}

interface View extends TagsView, PluginsView {
  readonly scms: Lookup<Scm>;
}

const NAME_TAKEN = 'SCM name should be unique.';
const scmMessages = messagesOf({ entity: 'SCM', by: 'name', short: 'scm', tag: 'scm' });

export const scms = collection({
  title: 'SCM',
  about: 'A repository that a plugin polls, for use as a material.',
  path: '/api/admin/scms',
  version: 4,
  alsoVersions: [3],
  permission: 'groupAdmin',
  doc: 'scms',
  links: ['doc', 'self', 'find'],
  listLinks: ['doc', 'self', 'find'],
  listKey: 'scms',
  id: 'id',
  addressedBy: 'name',
  idParameter: 'material_name',
  generatesId: true,
  needsIfMatch: true,
  fields: {
    id: optionalIdentifier(),
    name: checkedText({ description: 'Unique, case-insensitive.' }),
    autoUpdate: flag(true, { label: 'Poll for changes', description: 'Whether to poll for changes regularly.' }),
    origin,
    pluginMetadata: pluginMetadata(),
    configuration: properties({
      owner: 'SCM',
      plugin: { kind: 'scm', block: 'scm', namedIn: ['plugin_metadata', 'id'] },
      sentTo: (member) => member('pluginMetadata'),
      ownerId: 'name',
      unsecured: UNSECURED,
    }),
  },
  plugin: { kind: 'scm', block: 'scm', ...BY_PLUGIN_METADATA },
  rules: [nameRule('SCM'), pluginMetadataRule('Please select a SCM plugin'), (scm, view: View) => duplicateProblems(scm, view)],
  refersTo: ({ origin: from }) => repoReference(from),
  tags: settingsTags,
  sameAs: (scm, view: View) => sameScm(scm, view)?.id,
  visibleParts: ({ name }) => name,
  claims: ({ name, origin: from }) =>
    [name, ...(from?.alsoCalled ?? [])].map((called) => ({
      to: called.toLowerCase(),
      at: ['name'],
      taken: `${NAME_TAKEN} SCM with name '${called}' already exists.`,
    })),
  messages: {
    ...scmMessages,
    duplicateId: (id) => `SCM id should be unique. SCM with id '${id}' already exists.`,
    invalid: (id, problems, operation) => {
      const taken = problems.find(({ message }) => message.startsWith(NAME_TAKEN))?.message;
      return taken ? scmMessages.duplicate(/'(.*)'/.exec(taken)?.[1] ?? id) : scmMessages.invalid(id, problems, operation);
    },
  },
  example: {
    id: 'tools',
    name: 'tools',
    auto_update: true,
    plugin_metadata: { id: 'github.pr', version: '1' },
    configuration: [{ key: 'url', value: 'https://scm.example.org/tools.git' }],
  },
});

/** First a tag for all settings together, then one for each. An SCM without settings has no identity, so it equals no other. */
function settingsTags({ pluginMetadata, configuration }: Pick<Scm, 'pluginMetadata' | 'configuration'>): string[] {
  const identity = settingsIdentity(configuration);
  return identity === undefined ? [] : [`scm\n${pluginMetadata.id}\n${identity}`, ...settingTags('setting of scm', configuration)];
}

function polledSettingsOf({ pluginMetadata: { id }, configuration }: Scm): PolledSettings {
  return { pluginId: id, block: 'scm', settings: configuration };
}

function sameScm(scm: Scm, view: View): Scm | undefined {
  const identity = polledIdentity(polledSettingsOf(scm), view);
  const isTheSame = (other: Scm) =>
    other.pluginMetadata.id === scm.pluginMetadata.id && polledIdentity(polledSettingsOf(other), view) === identity;
  return duplicateCandidates('setting of scm', polledSettingsOf(scm), view)
    .map((id) => view.scms.get(id))
    .find((found) => found && found.id !== scm.id && isTheSame(found));
}

function duplicateProblems(scm: Scm, view: View): Problem[] {
  const other = sameScm(scm, view);
  if (!other) return [];
  return [{ at: ['id'], message: `Cannot save SCM, found duplicate SCMs. ${other.name}, ${scm.name}` }];
}
