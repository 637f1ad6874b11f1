// The description of every plugin: its id and its settings.
export type PluginKind = 'artifact' | 'authorization' | 'configrepo' | 'elastic-agent' | 'package-repository' | 'scm' | 'secrets';

/** How a setting is filled in. */
export type SettingKind = 'text' | 'multiline' | 'number' | 'boolean';

export interface SettingField {
  readonly key: string;
  readonly required?: boolean;
  readonly secure?: boolean;
  /** The word used for this setting in messages and forms, when it is not the key. */
  readonly label?: string;
  /** Its name in forms, where that follows neither from the label nor from the key. */
  readonly title?: string;
  /** A line of text, unless it says otherwise or has choices. */
  readonly kind?: SettingKind;
  /** The default value. */
  readonly defaultValue?: string;
  /** The possible values, each with its name for people. */
  readonly choices?: Readonly<Record<string, string>>;
  readonly description?: string;
  /** Two that differ only in this are the same repository or package: a new password makes nothing new of it. */
  readonly isPartOfIdentity?: false;
  /** It says where a repository is. */
  readonly isAddress?: true;
}

export type SettingValues = ReadonlyMap<string, string>;

export interface SettingProblem {
  readonly key: string;
  readonly message: string;
}

/** The facts about the server that a check may use. */
export interface ServerFacts {
  readonly contextPath: string;
  readonly secureSiteUrl: string | undefined;
}

export interface SettingsBlock {
  readonly fields: readonly SettingField[];
  /** The message about a key that is not among the fields; absent: such keys are ignored. */
  readonly unknownKey?: string;
  /** Problems beyond blank required settings and unknown keys. Values are clear text. */
  readonly check?: (values: SettingValues, server: ServerFacts) => readonly SettingProblem[];
}

/** The places in the configuration that take settings of a plugin. */
export type BlockName =
  /** Settings of the plugin itself, once for the whole server. */
  | 'plugin'
  | 'auth_config'
  | 'role'
  | 'store_config'
  | 'artifact_config'
  | 'fetch_artifact'
  | 'cluster_profile'
  | 'elastic_agent_profile'
  | 'configuration'
  | 'repository'
  | 'package'
  | 'scm'
  | 'secret_config';

export interface Plugin {
  readonly id: string;
  readonly kind: PluginKind;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly vendor: string;
  readonly blocks: Readonly<Partial<Record<BlockName, SettingsBlock>>>;
  readonly capabilities?: Readonly<Record<string, boolean | string>>;
  /** It did not come with the server. */
  readonly isExternal?: true;
}
