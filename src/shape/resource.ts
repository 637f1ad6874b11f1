// The declaration of a resource: all that is particular to one kind of configuration, as data and pure functions.
import type { BlockName, PluginKind, SettingProblem } from '../contracts/plugins/plugin.ts';
import type { Entity, EntityNamed, KindName } from './configuration.ts';
import type { EntityOf, Field, Fields, Writing } from './field.ts';
import type { JsonObject, JsonSchema } from './json/json.ts';
import type { Reading } from './json/reading.ts';
import type { Messages, Operation } from './problems/messages.ts';
import type { Path, Problem } from './problems/problem.ts';
import type { Property } from './properties.ts';

export type Permission = 'anyone' | 'user' | 'anyAdmin' | 'groupAdmin' | 'admin';
/** The kinds of things that role policies, or the administration of a pipeline group, speak of. */
export type PolicyType =
  | 'environment'
  | 'config_repo'
  | 'cluster_profile'
  | 'elastic_agent_profile'
  | 'pipeline_group'
  | 'pipeline'
  | 'template';
export type LinkName = 'self' | 'doc' | 'find';
export type { Entity };

/** A reference of one entity to another, and the message when there is none of that name. */
export interface Reference {
  readonly kind: KindName;
  readonly id: string;
  readonly at: Path;
  readonly unknown: string;
  /** The other one owns this one: it goes when its owner goes. */
  readonly isOwner?: boolean;
  /** It need not be there; only its changes matter. */
  readonly mayBeAbsent?: boolean;
}

/** Something that only one entity may have. */
export interface Claim {
  readonly to: string;
  readonly at: Path;
  /** The message when another entity has it already. */
  readonly taken: string;
}

export interface Lookup<E> {
  get(id: string): E | undefined;
  has(id: string): boolean;
  values(): Iterable<E>;
}

/** The view of every rule besides the lookups it names: the entities that refer to another one. */
export interface ReferrersView {
  readonly referrers: (kind: KindName, id: string) => Iterable<{ readonly kind: KindName; readonly id: string }>;
}

/** Sets of entities that rules remember for one state of the configuration, under keys of their own: they are dropped with the next edit. */
export interface MemoryView {
  readonly remembered: Map<unknown, Set<object>>;
}

/** The view of tags for rules: the entities that carry one. */
export interface TagsView {
  readonly tagged: (tag: string) => Iterable<{ readonly kind: KindName; readonly id: string }>;
}

/** Settings of a plugin that stand somewhere inside an entity. */
export interface SettingsInside {
  readonly pluginId: string;
  readonly block: BlockName;
  readonly settings: readonly Property[];
  /** The keys whose values are not known yet: no problems of these are reported. */
  readonly unresolvedKeys: ReadonlySet<string>;
}

/** The view of plugins for rules: the problems that a plugin finds in its settings. A plugin that is not installed finds none. */
export interface PluginsView {
  readonly askPlugin: (inside: SettingsInside) => readonly SettingProblem[];
  /** Whether a setting is part of the identity of the polled package or SCM; undefined: no installed plugin declares the setting. */
  readonly isPartOfIdentity: (pluginId: string, block: BlockName, key: string) => boolean | undefined;
}

/** The whole configuration as rules see it: a lookup under the name of each kind, the references between entities, and the problems that plugins find in settings. */
export type RuleView = ReferrersView & TagsView & MemoryView & PluginsView & { readonly [K in KindName]: Lookup<EntityNamed<K>> };

/** An entity that is created together with another one. */
export type Prerequisite = { readonly [K in KindName]: PrerequisiteOf<K> }[KindName];

interface PrerequisiteOf<K extends KindName> {
  readonly kind: K;
  readonly id: string;
  readonly entity: EntityNamed<K>;
}

/** Entities of a kind that each name the entity they belong to in a field. */
export type OwnedMembers = {
  readonly [K in KindName]: { readonly kind: K; readonly field: keyof EntityNamed<K> & string };
}[KindName];

/** A rule between an entity and one it refers to. */
export interface LinkRule<E, View> {
  problems(entity: E, view: View): readonly Problem[];
  /** Whether those that refer to it can, in turn, see that the other one has changed. */
  readonly isTransitive: boolean;
}

export interface PatchDeclaration<E, View> {
  readonly request: JsonSchema;
  readonly example: JsonObject;
  /** The entity after the patch; changes that are not possible go to the reading as problems. */
  apply(current: E, body: JsonObject, reading: Reading, view: View): E;
}

/** The names of the fields that hold settings of a plugin. */
type SettingsField<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<readonly Property[]> ? K : never }[keyof F] & string;

interface Common<F extends Fields, View> {
  readonly title: string;
  /** The usual name of one entity, where the title is longer. */
  readonly label?: string;
  readonly about: string;
  readonly path: string;
  readonly version: number;
  /** Older versions that are served, too: bodies and answers have the same form. */
  readonly alsoVersions?: readonly number[];
  readonly permission: Permission;
  /** Lets in users, too, who have a right to the single entity. */
  readonly policy?: {
    readonly type: PolicyType;
    /** The entity this one belongs to, where a right to that one counts. */
    within?(entity: Partial<EntityOf<F>>): string | undefined;
    /** Only system administrators may create one. */
    readonly isCreatedByAdmins?: boolean;
    /** Only users who may administer the subject of the policy see it; the right to view is not enough. */
    readonly isVisibleToAdminsOnly?: boolean;
  };
  /** The anchor of its chapter in the documentation. */
  readonly doc: string;
  readonly links: readonly LinkName[];
  readonly fields: F;
  readonly example: JsonObject;
  readonly messages: Messages;
  readonly plugin?: {
    /** Absent: a plugin of any kind will do, if it has the block. */
    readonly kind?: PluginKind;
    readonly block: BlockName;
    /** The field that holds the settings. */
    readonly settings: SettingsField<F>;
    /** The message about a plugin that is installed, but not for this purpose. */
    otherKind?(pluginId: string): string;
    readonly otherKindAt?: Path;
    /** The consequence for an entity whose plugin is not installed, in the words after its name; absent: it has no effect. */
    readonly meanwhile?: string;
    /** Problems with settings that were not sent are shown as if an entry had been sent for each. */
    readonly appendsUnsent?: boolean;
    /** The type and name of the entity in the rules of secret configs: secrets that its settings refer to must exist when it is saved. */
    refersAs?(entity: EntityOf<F>): { readonly type: 'cluster_profile'; readonly name: string };
    of(entity: Partial<EntityOf<F>>, view: View): string | undefined;
  };
  /** The problems that plugins find in settings inside it. Its rules return them, too; stored entities are checked for these alone. */
  pluginProblems?(entity: EntityOf<F>, view: View): readonly Problem[];
  readonly rules?: readonly ((entity: EntityOf<F>, view: View, operation: Operation) => readonly Problem[])[];
  refersTo?(entity: EntityOf<F>): readonly Reference[];
  /** References that result only from it and an entity it refers to, by the kind of that one: its own values in the texts of the other. */
  readonly refersThrough?: { readonly [K in KindName]?: (entity: EntityOf<F>, other: EntityNamed<K>) => readonly Reference[] };
  /** The tags by which rules find entities that share something; see `TagsView`. */
  tags?(entity: EntityOf<F>): readonly string[];
  /** The id of an equal entity under any name: a config repo that declares one in a pipeline means that entity. */
  sameAs?(entity: EntityOf<F>, view: View): string | undefined;
  /** Values of other entities can name it in the middle of a text, also encrypted. Such a name prevents its deletion. */
  readonly isNamedInTexts?: boolean;
  /** How it follows when one it refers to, of this kind, gets another id. */
  readonly follows?: Readonly<Partial<Record<KindName, (entity: EntityOf<F>, newId: string) => EntityOf<F>>>>;
  /** The parts that others can see; as long as these stay the same, no link to it can break. */
  visibleParts?(entity: EntityOf<F>): unknown;
  /** Rules that hold between it and those it refers to, by their kind: they are asked again when one of those changes. */
  readonly linkRules?: Readonly<Partial<Record<KindName, LinkRule<EntityOf<F>, View>>>>;
  /** Values that only one entity of all may have, beside its id. */
  claims?(entity: EntityOf<F>): readonly Claim[];
  /** Members that answers show beside the fields, taken from entities of other kinds. */
  readonly shows?: {
    readonly kinds: readonly KindName[];
    /** Shown are only those that name the entity in this field. It needs an index of the change log: one is not worth reading all others. */
    readonly members?: OwnedMembers;
    /** Whether a change of the shown members changes the ETag; only where `members` names the entities whose change that can be. */
    readonly isPartOfEtag: boolean;
    /** The schemas of the shown members. */
    readonly response: Readonly<Record<string, JsonSchema>>;
    add(entity: EntityOf<F>, view: View, writing: Writing): JsonObject;
    /** The entity without the shown parts of others: clients send it back as it was shown. */
    removeShown?(entity: EntityOf<F>, view: View): EntityOf<F>;
  };
  readonly patch?: PatchDeclaration<EntityOf<F>, View>;
  /** Whether the resource has only endpoints of its own. */
  readonly isInternal?: boolean;
  /** Whether a PUT must say which version it replaces. */
  readonly needsIfMatch: boolean;
  /** The problems of a write stand beside the message, not under `data`. */
  readonly isFlatWhenInvalid?: boolean;
}

export interface CollectionDeclaration<F extends Fields, View> extends Common<F, View> {
  readonly listKey: string;
  /** A second key under which lists have the same members: some clients read that one. */
  readonly alsoListedAs?: string;
  readonly listLinks: readonly LinkName[];
  /** The field that identifies one. */
  readonly id: keyof F & string;
  /** The name of the id in addresses, e.g. `storeId`. */
  readonly idParameter: string;
  /** The field that stands in addresses, where that is not the id; unique without regard to letter case. */
  readonly addressedBy?: keyof F & string;
  /** Whether ids that differ only in letter case are the same. */
  readonly ignoresCase?: boolean;
  /** Whether a PUT may give it another id. */
  readonly mayBeRenamed?: boolean;
  /** An id is made up for one that is created without. */
  readonly generatesId?: boolean;
  /** A body that is no JSON is reported before a missing entity. */
  readonly isParsedFirst?: boolean;
  /** Entities that are created before it is written, unless they exist. */
  creates?(entity: EntityOf<F>): readonly Prerequisite[];
  /** Routes that are particular, and come from an endpoint of its own. */
  readonly hasOwn?: readonly ('GET list' | 'POST')[];
  /** Where a new one is sent as the member of an object, with some of its own members beside it. */
  readonly createdAs?: { readonly member: string; readonly beside: readonly string[] };
  /** Lists are in the order of creation, unless sorted by id. */
  readonly sorted?: boolean;
}

export interface SingletonDeclaration<F extends Fields, View> extends Common<F, View> {
  readonly verbs: readonly ('POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** The entity that a GET shows before one was set; absent: 404. */
  readonly unset?: EntityOf<F>;
}

export type Collection = CollectionDeclaration<Fields, RuleView> & { readonly shape: 'collection' };
export type Singleton = SingletonDeclaration<Fields, RuleView> & { readonly shape: 'singleton' };
export type Resource = Collection | Singleton;
export type Registry = Readonly<Record<string, Resource>>;
declare const declared: unique symbol;
declare const view: unique symbol;
/** The type of the entities of a resource, and the view of its rules: for the compiler alone. */
export interface Declares<E, View = unknown> {
  readonly [declared]?: E;
  readonly [view]?: View;
}
/** The view that the rules of a resource declare. */
export type DeclaredView<R> = R extends Declares<unknown, infer View> ? View : unknown;
/** The view of all entities of a registry for rules. */
export type ViewOf<R> = ReferrersView & TagsView & MemoryView & PluginsView & { readonly [K in keyof R]: Lookup<EntityIn<R[K]>> };
/** The entities of a resource. */
export type EntityIn<R> = R extends Declares<infer E> ? NonNullable<E> : never;
/** A resource under the name it has in the registry. */
export type Kind<K extends KindName = KindName> = Resource & { readonly name: K };

export function collection<F extends Fields, View = unknown>(
  declaration: CollectionDeclaration<F, View>,
): Collection & Declares<EntityOf<F>, View> {
  return { shape: 'collection', ...declaration } as Collection;
}

export function singleton<F extends Fields, View = unknown>(
  declaration: SingletonDeclaration<F, View>,
): Singleton & Declares<EntityOf<F>, View> & Pick<typeof declaration, 'unset'> {
  return { shape: 'singleton', ...declaration } as Singleton & Pick<typeof declaration, 'unset'>;
}

export function kindsOf(registry: Registry): readonly Kind[] {
  // What the registry calls its resources are the names of kinds: a check of types compares them.
  return Object.entries(registry).map(([name, resource]) => ({ name: name as KindName, ...resource }));
}

/** The key under which an entity is found: singletons have one place, some kinds ignore letter case. */
export function keyOf(resource: Resource, id: string): string {
  if (resource.shape === 'singleton') return '';
  return resource.ignoresCase ? id.toLowerCase() : id;
}

/** The text that stands for an entity in addresses. */
export function addressOf(resource: Resource, entity: Entity): string {
  return resource.shape === 'collection' && resource.addressedBy ? String(entity[resource.addressedBy]) : idOf(resource, entity);
}

export function idOf(resource: Resource, entity: Entity): string {
  return resource.shape === 'singleton' ? '' : String(entity[resource.id]);
}

/** The settings of its plugin that an entity has: a declaration can name no field of another type. */
export function settingsIn(entity: Entity, { settings }: NonNullable<Resource['plugin']>): readonly Property[] {
  return entity[settings] as readonly Property[];
}

/** The name of a kind in addresses about the history: the last step of its path. */
export function resourceName({ path }: Resource): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
