// A material as the configuration has it: secrets are still closed, so nothing of it gives them away.
import type { Property } from '../../shape/properties.ts';
import type { Secret } from '../../shape/secrets/secret.ts';
import { maskedAddress } from '../addresses/address.ts';

/** The plain text, or its masked form beside the secret whole. */
export type ConfiguredUrl = string | { readonly masked: string; readonly full: Secret };

/** Of any type: its attributes in the place where it is used. */
export interface WrittenMaterial {
  readonly type: string;
  readonly attributes: object;
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

/** The attributes that all types of repositories may have. */
export interface RepositoryAttributes {
  readonly url: ConfiguredUrl;
  readonly branch: string | null;
  readonly username: string | null;
  readonly password: Secret | null;
  readonly checkExternals: boolean;
  readonly port: string | null;
  readonly view: string | null;
  readonly domain: string | null;
  readonly projectPath: string | null;
  readonly autoUpdate: boolean;
}

/** The value of a parameter may have brought a password into an address that had none. */
export function shownUrl(url: ConfiguredUrl): string {
  return maskedAddress(typeof url === 'string' ? url : url.masked);
}
