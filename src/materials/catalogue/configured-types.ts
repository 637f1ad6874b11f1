// A material as the configuration has it: secrets are still closed, so nothing of it gives them away.
import type { EntityNamed } from '../../shape/configuration.ts';
import type { Property } from '../../shape/properties.ts';
import { maskedAddress } from '../addresses/address.ts';
import type { Url } from '../types/attributes/url.ts';
import { isRepositoryType, type RepositoryType } from '../types/list.ts';

/** A material of a pipeline or of a config repo: its type, and its attributes in the place where it is used. */
export type WrittenMaterial = EntityNamed<'pipelines'>['materials'][number] | EntityNamed<'configRepos'>['material'];
export type WrittenRepository = Extract<WrittenMaterial, { type: RepositoryType }>;

/** Whether the server polls it itself, without a plugin. */
export function isRepository(written: WrittenMaterial): written is WrittenRepository {
  return isRepositoryType(written.type);
}

export interface ConfiguredPipeline {
  readonly name: string;
  readonly group: string;
  readonly parameters?: readonly { readonly name: string; readonly value: string }[];
  readonly materials: readonly WrittenMaterial[];
}

export interface ConfiguredScm {
  readonly name: string;
  readonly autoUpdate: boolean;
  readonly pluginMetadata: { readonly id: string };
  readonly configuration: readonly Property[];
}

export interface ConfiguredPackage {
  readonly name: string;
  readonly autoUpdate: boolean;
  readonly packageRepo: string;
  readonly configuration: readonly Property[];
}

export interface ConfiguredRepository {
  readonly name: string;
  readonly pluginMetadata: { readonly id: string };
  readonly configuration: readonly Property[];
}

/** The entities that a material names by an id only. */
export type Definition =
  | { readonly scm: ConfiguredScm }
  | { readonly package: ConfiguredPackage; readonly repository: ConfiguredRepository }
  | undefined;

/** Where a repository is, for people; a Perforce depot is at a port. */
export function shownAddress({ attributes }: WrittenRepository): string {
  return 'url' in attributes ? shownUrl(attributes.url) : (attributes.port ?? '');
}

/** The value of a parameter may have brought a password into an address that had none. */
export function shownUrl(url: Url): string {
  return maskedAddress(typeof url === 'string' ? url : url.masked);
}
