// The declaration of a resource: all that is particular to one kind of configuration, as data and pure functions.
import type { BlockName, PluginKind, SettingProblem } from '../contracts/plugins/plugin.ts';
import type { EntityOf, Fields, Writing } from './field.ts';
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
export type Entity = Readonly<Record<string, unknown>>;

/** One entity naming another, and what to say when there is none of that name. */
export interface Reference {
  readonly kind: string;
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
  /** What to say when another one has it already. */
  readonly taken: string;
}

export interface Lookup<E> {
  get(id: string): E | undefined;
  has(id: string): boolean;
  values(): Iterable<E>;
}

/** What every rule sees besides the lookups it names: the entities that refer to another one. */
export interface ReferrersView {
  readonly referrers: (kind: string, id: string) => Iterable<{ readonly kind: string; readonly id: string }>;
}

/** What rules have found out while they look at one state of the configuration, under keys of their own: it goes with the next edit. */
export interface SeesMemory {
  readonly remembered: Map<unknown, unknown>;
}

/** What rules see of tags: the entities that carry one. */
export interface TagsView {
  readonly tagged: (tag: string) => Iterable<{ readonly kind: string; readonly id: string }>;
}

/** Settings of a plugin that stand somewhere inside an entity. */
export interface SettingsInside {
  readonly pluginId: string;
  readonly block: BlockName;
  readonly settings: readonly Property[];
  /** The keys whose values are not known yet: of these nothing is said. */
  readonly open: ReadonlySet<string>;
}

/** What rules see of plugins: what one says of its settings. One that is not installed says nothing. */
export interface PluginsView {
  readonly askPlugin: (inside: SettingsInside) => readonly SettingProblem[];
  /** Whether a setting tells apart what the plugin watches; undefined: no installed plugin declares the setting. */
  readonly isPartOfIdentity: (pluginId: string, block: BlockName, key: string) => boolean | undefined;
}

/** What comes into being with an entity. */
export interface Prerequisite {
  readonly kind: string;
  readonly id: string;
  readonly entity: Entity;
}

/** A rule between an entity and one it refers to. */
export interface LinkRule<E, Seen> {
  problems(entity: E, seen: Seen): readonly Problem[];
  /** Whether those that refer to it can, in turn, see that the other one has changed. */
  readonly isSeenBeyond: boolean;
}

export interface PatchDeclaration<E, Seen> {
  readonly request: JsonSchema;
  readonly example: JsonObject;
  /** The entity after the patch; what cannot be done goes to the reading as problems. */
  apply(current: E, body: JsonObject, reading: Reading, seen: Seen): E;
}

interface Common<F extends Fields, Seen> {
  readonly title: string;
  /** What people call one, where the title says more. */
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
    /** Only users who may administer what the policy speaks of see it; the right to view is not enough. */
    readonly isSeenByItsAdmins?: boolean;
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
    readonly settings: keyof F & string;
    /** What to say of a plugin that is installed, but not for this. */
    otherKind?(pluginId: string): string;
    readonly otherKindAt?: Path;
    /** What an entity whose plugin is not installed comes to, in the words behind its name; absent: to nothing. */
    readonly meanwhile?: string;
    /** Problems with settings that were not sent are shown as if an entry had been sent for each. */
    readonly appendsUnsent?: boolean;
    /** What it is called in the rules of secret configs: the secrets its settings refer to must exist when it is saved. */
    refersAs?(entity: EntityOf<F>): { readonly type: 'cluster_profile'; readonly name: string };
    of(entity: Partial<EntityOf<F>>, seen: Seen): string | undefined;
  };
  /** What plugins say of settings inside it, which its rules tell, too: what is stored is asked for these alone. */
  pluginOpinions?(entity: EntityOf<F>, seen: Seen): readonly Problem[];
  readonly rules?: readonly ((entity: EntityOf<F>, seen: Seen, operation: Operation) => readonly Problem[])[];
  refersTo?(entity: EntityOf<F>): readonly Reference[];
  /** What it names only together with one it refers to, by the kind of that one: its own values in the texts of the other. */
  readonly refersThrough?: Readonly<Record<string, (entity: EntityOf<F>, other: never) => readonly Reference[]>>;
  /** By which rules find entities that share something; see `TagsView`. */
  tags?(entity: EntityOf<F>): readonly string[];
  /** The id of another one that is about the same, whatever it is called: a config repo that declares one in a pipeline means that one. */
  sameAs?(entity: EntityOf<F>, seen: Seen): string | undefined;
  /** How it follows when one it refers to, of this kind, gets another id. */
  readonly follows?: Readonly<Record<string, (entity: EntityOf<F>, newId: string) => EntityOf<F>>>;
  /** What others can see of it; as long as this stays the same, no link to it can break. */
  visibleParts?(entity: EntityOf<F>): unknown;
  /** Rules that hold between it and those it refers to, by their kind: they are asked again when one of those changes. */
  readonly linkRules?: Readonly<Record<string, LinkRule<EntityOf<F>, Seen>>>;
  /** What only one entity of all may have, beside its id. */
  claims?(entity: EntityOf<F>): readonly Claim[];
  /** What answers show beside the fields, taken from entities of other kinds. */
  readonly shows?: {
    readonly kinds: readonly string[];
    /** Shown are only those that name the entity in this field. It needs an index of the change log: one is not worth reading all others. */
    readonly members?: { readonly kind: string; readonly field: string };
    /** Whether a change of what is shown changes the ETag; only where `members` says whose change that can be. */
    readonly isPartOfEtag: boolean;
    /** The schemas of what is shown. */
    readonly response: Readonly<Record<string, JsonSchema>>;
    add(entity: EntityOf<F>, seen: Seen, writing: Writing): JsonObject;
    /** Clients send back what they were shown: what is left without the parts of others. */
    takeOut?(entity: EntityOf<F>, seen: Seen): EntityOf<F>;
  };
  readonly patch?: PatchDeclaration<EntityOf<F>, Seen>;
  /** It is reached through endpoints of its own only. */
  readonly isInternal?: boolean;
  /** Whether a PUT must say which version it replaces. */
  readonly needsIfMatch: boolean;
  /** What was wrong with a write is told beside the message, not under `data`. */
  readonly isFlatWhenInvalid?: boolean;
}

export interface CollectionDeclaration<F extends Fields, Seen> extends Common<F, Seen> {
  readonly listKey: string;
  /** A second key under which lists have the same members: what some clients read. */
  readonly alsoListedAs?: string;
  readonly listLinks: readonly LinkName[];
  /** The field that identifies one. */
  readonly id: keyof F & string;
  /** The name of the id in addresses, e.g. `storeId`. */
  readonly idParameter: string;
  /** The field that stands in addresses, where that is not the id; unique whatever the letter case. */
  readonly addressedBy?: keyof F & string;
  /** Whether ids that differ only in letter case are the same. */
  readonly ignoresCase?: boolean;
  /** Whether a PUT may give it another id. */
  readonly mayBeRenamed?: boolean;
  /** An id is made up for one that is created without. */
  readonly generatesId?: boolean;
  /** A body that is no JSON is told before there is nothing at the address. */
  readonly isParsedFirst?: boolean;
  /** What is created before it is written, where it is not there yet. */
  creates?(entity: EntityOf<F>): readonly Prerequisite[];
  /** Routes that are particular, and come from an endpoint of its own. */
  readonly hasOwn?: readonly ('GET list' | 'POST')[];
  /** Where a new one is sent as the member of an object, with some of its own members beside it. */
  readonly createdAs?: { readonly member: string; readonly beside: readonly string[] };
  /** Lists are in the order of creation, unless sorted by id. */
  readonly sorted?: boolean;
}

export interface SingletonDeclaration<F extends Fields, Seen> extends Common<F, Seen> {
  readonly verbs: readonly ('POST' | 'PUT' | 'PATCH' | 'DELETE')[];
  /** What a GET shows before anything was set; absent: 404. */
  readonly unset?: EntityOf<F>;
}

export type Collection = CollectionDeclaration<Fields, unknown> & { readonly shape: 'collection' };
export type Singleton = SingletonDeclaration<Fields, unknown> & { readonly shape: 'singleton' };
export type Resource = Collection | Singleton;
export type Registry = Readonly<Record<string, Resource>>;
declare const declared: unique symbol;
declare const seen: unique symbol;
/** What the entities of a resource are like, and what its rules see of others: for the compiler alone. */
export interface Declares<E, Seen = unknown> {
  readonly [declared]?: E;
  readonly [seen]?: Seen;
}
/** What the rules of a resource say they see. */
export type SeenBy<R> = R extends Declares<unknown, infer Seen> ? Seen : unknown;
/** What rules can see of the entities of a registry. */
export type ViewOf<R> = ReferrersView & TagsView & SeesMemory & PluginsView & { readonly [K in keyof R]: Lookup<EntitiesOf<R>[K]> };
/** The entities of a registry, by the names of their kinds. */
export type EntitiesOf<R> = { readonly [K in keyof R]: R[K] extends Declares<infer E> ? NonNullable<E> : never };
/** A resource under the name it has in the registry. */
export type Kind = Resource & { readonly name: string };

export function collection<F extends Fields, Seen = unknown>(
  declaration: CollectionDeclaration<F, Seen>,
): Collection & Declares<EntityOf<F>, Seen> {
  return { shape: 'collection', ...declaration } as Collection;
}

export function singleton<F extends Fields, Seen = unknown>(
  declaration: SingletonDeclaration<F, Seen>,
): Singleton & Declares<EntityOf<F>, Seen> {
  return { shape: 'singleton', ...declaration } as Singleton;
}

export function kindsOf(registry: Registry): readonly Kind[] {
  return Object.entries(registry).map(([name, resource]) => ({ name, ...resource }));
}

/** The key under which an entity is found: singletons have one place, some kinds ignore letter case. */
export function keyOf(resource: Resource, id: string): string {
  if (resource.shape === 'singleton') return '';
  return resource.ignoresCase ? id.toLowerCase() : id;
}

/** What stands for an entity in addresses. */
export function addressOf(resource: Resource, entity: Entity): string {
  return resource.shape === 'collection' && resource.addressedBy ? String(entity[resource.addressedBy]) : idOf(resource, entity);
}

export function idOf(resource: Resource, entity: Entity): string {
  return resource.shape === 'singleton' ? '' : String(entity[resource.id]);
}

/** The name of a kind in addresses about the history: the last step of its path. */
export function resourceName({ path }: Resource): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
