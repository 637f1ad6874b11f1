// The description of a request body by the server: a JSON schema with some members of our own.
import type { Json, JsonObject } from '../../api/json.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
}

/** The format of a text: decides how the user types it, and which help there is. */
export type Format = 'cron' | 'email' | 'login' | 'minutes' | 'multiline' | 'path' | 'uri';

/** Of a list: settings of a plugin, which declares them. */
export interface SettingsNote {
  /** The kind of plugin; null: any. */
  readonly extension: string | null;
  /** The part of `plugin_info` that declares them: `store_config_settings`. */
  readonly settings: string;
  /** The way to the member beside them that names the plugin; null: it is unknown. */
  readonly id: readonly string[] | null;
  /** The resource that this member names instead, whose plugin counts. */
  readonly through?: string;
}

/** Of a text: it names a plugin of this kind; null: of any. */
export interface PluginNote {
  readonly extension: string | null;
}

/** Which of the schemas it is says the value of a member: of the same object, or of the one around it. */
export interface VariantsNote {
  readonly discriminator: string;
  readonly choices: readonly Choice[];
  /** Other values that mean the same as one of the choices. */
  readonly aliases?: Readonly<Record<string, string>>;
  readonly is_beside?: boolean;
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: Json;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly readOnly?: boolean;
  readonly 'x-choices'?: readonly Choice[];
  readonly 'x-format'?: Format;
  readonly 'x-refers-to'?: string;
  /** A secret: the member beside it that holds it encrypted. */
  readonly 'x-secret'?: string;
  /** The member beside it that says whether it is a secret at all. */
  readonly 'x-secret-if'?: string;
  readonly 'x-plugin'?: SettingsNote | PluginNote;
  readonly 'x-variants'?: VariantsNote;
}

/** One form, as the list of all has it. */
export interface FormFacts {
  readonly resource: string;
  /** The names for people: plural and singular. */
  readonly title: string;
  readonly singular: string;
  readonly about: string;
  readonly is_singleton: boolean;
  /** Of a single one: whether it was set. */
  readonly is_set: boolean | null;
  readonly path: string;
  readonly version: number;
  /** The member that other entities refer to, the member that stands in addresses, and the member that people read. */
  readonly id_field: string | null;
  readonly address_field: string | null;
  readonly name_field: string | null;
  readonly list_key: string | null;
  readonly can_view: boolean;
  readonly can_create: boolean;
  readonly can_delete: boolean;
  readonly can_rename: boolean;
  /** The address of the usages of an entity, with `{id}` in place of its address; null: there is none. */
  readonly has_usages: string | null;
}

export interface FormDescription extends FormFacts {
  readonly schema: Schema;
  readonly example: JsonObject;
}
