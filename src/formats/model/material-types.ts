// The types of materials: the label of each, its required fields, and the fields that are copied from it.
import { ofEachType, type RepositoryType } from '../../materials/types/list.ts';
import type { RepositoryDefinition } from '../../materials/types/repository-definition.ts';
import { masked } from './masked.ts';
import type { LabelSource, Part } from './part.ts';
import { copyProperties } from './variables.ts';

export interface MaterialType {
  readonly label: (part: LabelSource, name: string) => string;
  readonly needs: readonly string[];
  /** Whether it needs a folder of its own beside others. */
  readonly isScm?: boolean;
  readonly copy: (part: Part, version: number) => void;
}

const VERSION_WITH_INCLUDES = 10;
const ONE_OF_TWO = 'Name an SCM of the server by its id, or declare one here.';

export const MATERIAL_TYPES: Readonly<Record<string, MaterialType>> = {
  ...ofEachType<Record<RepositoryType, MaterialType>>(repository),
  dependency: {
    label: (part, name) =>
      `Dependency material ${name} on ${part.shown('pipeline') ?? 'unknown pipeline'}/${part.shown('stage') ?? 'unknown stage'}`,
    needs: ['pipeline', 'stage'],
    copy: (part) => {
      copyName(part);
      part.copyTexts('pipeline', 'stage');
      part.copyFlags('ignore_for_scheduling');
    },
  },
  package: {
    label: (part, name) => `Package material ${name} ID: ${part.shown('package_id') ?? 'unknown'}`,
    needs: ['package_id'],
    copy: (part) => {
      copyName(part);
      part.copyText('package_id', 'ref');
    },
  },
  plugin: {
    label: (part, name) => `Pluggable SCM material ${name} ID: ${part.shown('scm_id') ?? 'unknown'}`,
    needs: [],
    isScm: true,
    copy: (part, version) => {
      const plugin = part.part('plugin_configuration')?.enter(() => 'Plugin configuration');
      if (plugin) copyDeclaredScm(part, plugin);
      else copyNamedScm(part);
      copyCheckout(part, version);
    },
  },
  configrepo: {
    label: (_, name) => `Config material ${name}`,
    needs: [],
    copy: (part, version) => {
      copyName(part);
      copyCheckout(part, version);
    },
  },
};

function repository({ file, addressedBy }: RepositoryDefinition): MaterialType {
  const { title, needs, texts, flags = [], renamed = {} } = file;
  const addressText = (part: LabelSource) =>
    addressedBy === 'port' ? `Port: ${part.shown('port') ?? 'unknown'}` : `URL: ${masked(part.shown('url')) ?? 'unknown'}`;
  return {
    label: (part, name) => `${title} material ${name} ${addressText(part)}`,
    needs,
    isScm: true,
    copy: (part, version) => {
      copyName(part);
      part.copyTexts(...texts);
      for (const [name, member] of Object.entries(renamed)) part.copyText(name, member);
      part.copyFlags(...flags);
      part.copyTexts('username', 'password', 'encrypted_password');
      if (part.has('password') && part.has('encrypted_password')) {
        const message = `${part.text('type')} material has both plain-text and encrypted passwords set. Please set only one password.`;
        part.location.problem(part.offsetOf('password'), message, 'Keep encrypted_password.');
      }
      part.copyFlags('auto_update');
      copyCheckout(part, version);
    },
  };
}

/** An empty name says that it has none. */
function copyName(part: Part): void {
  if (part.text('name')) part.copyText('name');
}

/** The API has one list, and a flag beside it that turns it around. From version 10 on the old word for it is read over where it would be in the way. */
function copyCheckout(part: Part, version: number): void {
  part.copyText('destination');
  const filter = part.part('filter')?.enter(() => 'Filter');
  if (!filter) return;
  const isFilled = (name: string) => (filter.items(name) ?? []).length > 0;
  const isIgnored = (name: string) => name === 'whitelist' && version >= VERSION_WITH_INCLUDES && isFilled('ignore');
  // A list with nothing in it says nothing beside another one.
  const isGiven = (name: string) => isFilled(name) || (filter.has(name) && !filter.has('ignore'));
  const included = ['includes', 'whitelist'].find((name) => !isIgnored(name) && isGiven(name));
  if (included && isFilled('ignore')) {
    filter.location.problem(filter.at, 'Material filter cannot contain both ignores and includes', 'Keep one of the two lists.');
  }
  part.out.filter = filter.begin();
  filter.copyListOfTexts(included ?? 'ignore', 'ignore');
  filter.done();
  if (included) part.out.invert_filter = part.location.body.value(filter.offsetOf(included), true);
}

function copyNamedScm(part: Part): void {
  if (!part.has('scm_id')) part.location.problem(part.at, 'Either the scm_id or the plugin_configuration must be set', ONE_OF_TWO);
  part.copyText('scm_id', 'ref');
  copyName(part);
}

/** It wins over the id of an SCM, as in GoCD. */
function copyDeclaredScm(part: Part, plugin: Part): void {
  const { body } = part.location;
  if (part.has('scm_id')) {
    const name = part.location.report.nameOf('scm_id');
    part.location.warning(part.offsetOf('scm_id'), `Key '${name}' beside 'plugin_configuration' is ignored.`, ONE_OF_TWO);
  }
  plugin.need('id');
  const attributes = part.out;
  const scm = (attributes.scm = body.object(plugin.at));
  part.out = scm;
  copyName(part);
  scm.plugin_metadata = plugin.begin();
  plugin.copyTexts('id', 'version');
  plugin.done();
  copyProperties(part);
  part.out = attributes;
}
