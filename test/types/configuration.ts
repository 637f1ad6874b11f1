// Code that must not compile: each line below is an error, which `tsc` checks. A line that compiles after all fails the check of types.
import { exampleOf } from '../../src/api/engine/answer-example.ts';
import type { ResourceParts } from '../../src/api/engine/resource-parts.ts';
import type { Config } from '../../src/config/current.ts';
import type { Draft } from '../../src/config/draft.ts';
import { type Edit, isEditOf } from '../../src/config/edit.ts';
import type { Past } from '../../src/history/past.ts';
import type { EntityNamed, KindName } from '../../src/shape/configuration.ts';
import type { Field } from '../../src/shape/field.ts';
import { isOfKind } from '../../src/shape/is-of-kind.ts';
import type { Dependent } from '../../src/shape/problems/messages.ts';
import type { Property } from '../../src/shape/properties.ts';
import type { Collection, CollectionDeclaration, OwnedMembers, Prerequisite, Reference, ReferrersView } from '../../src/shape/resource.ts';
import type { RepoLab } from '../config-repos/support.ts';

export function wrongUses(config: Config): unknown[] {
  const pipeline = config.of('pipelines').find('web')?.value;
  const store = config.of('artifactStores').find('s3')?.value;
  // @ts-expect-error There is no kind of this name.
  const unknownKind = config.of('pipeline');
  // @ts-expect-error A pipeline has no such field.
  const unknownField = pipeline?.stagez;
  // @ts-expect-error The group of a pipeline is a text.
  const wrongType: number | undefined = pipeline?.group;
  // @ts-expect-error An artifact store has no stages.
  const otherKind = store?.stages;
  // @ts-expect-error Not a name of a kind.
  const kind: KindName = 'pipelinez';
  // @ts-expect-error An entity of another kind.
  const environment: EntityNamed<'environments'> | undefined = pipeline;
  return [unknownKind, unknownField, wrongType, otherKind, kind, environment];
}

/** Names of kinds that do not exist, in a rule, an endpoint and a step of config repos. */
export function wrongNames(config: Config, draft: Draft, { referrers }: ReferrersView): unknown[] {
  // @ts-expect-error A rule refers to a kind that there is not.
  const reference: Reference = { kind: 'pipelinez', id: 'web', at: [], unknown: 'no such pipeline' };
  // @ts-expect-error A rule asks for the referrers of one.
  const users = referrers('environmentz', 'prod');
  // @ts-expect-error An endpoint names one.
  const endpoint = config.kind('scmz');
  // @ts-expect-error A step of config repos names one.
  const step = draft.kind('configRepoz');
  // @ts-expect-error So does one that looks for referrers.
  const referring = draft.referrers('configRepoz', 'one');
  // @ts-expect-error A rule looks into one.
  const inNoKind = draft.ruleView.pipelinez;
  // @ts-expect-error What a rule finds has no such field.
  const found = draft.ruleView.scms.get('web')?.namez;
  // @ts-expect-error A rule that is asked without the configuration.
  const asked = config.kind('roles').rules?.[0]?.({}, {}, 'update');
  return [reference, users, endpoint, step, referring, inNoKind, found, asked];
}

/** Mistakes in steps that read and put the entities of a draft. */
export function wrongSteps(draft: Draft, edit: Edit): unknown[] {
  const pipelines = draft.kind('pipelines');
  const web = draft.find(pipelines, 'web')?.value;
  const admins = draft.kind('systemAdmins');
  const [template] = draft.lookup(draft.kind('templates')).values();
  // @ts-expect-error There is no kind to look for an entity in.
  const found = draft.findEntity('pipelinez', 'web');
  // @ts-expect-error What is found has no such field.
  const source = draft.findEntity('publishedRevisions', 'repo')?.sources;
  // @ts-expect-error Nor has what the draft has.
  const group = web?.groups;
  // @ts-expect-error Nor have those that are looked through.
  const stages = template?.stagez;
  // @ts-expect-error What is put has no such field.
  const put = draft.put(admins, '', { users: [], rolez: [] });
  // @ts-expect-error It is of another kind.
  const moved = web && draft.put(admins, '', web);
  // @ts-expect-error No edit is of this kind.
  const isOfNoKind = isEditOf('scmz', edit);
  // @ts-expect-error The entity of an edit has no such field.
  const name = isEditOf('scms', edit) && edit.after?.value.namez;
  // @ts-expect-error Nor has one that was told apart from those of other kinds.
  const material = edit.after && isOfKind('configRepos', edit.kind.name, edit.after.value) && edit.after.value.materialz;
  return [found, source, group, stages, put, moved, isOfNoKind, name, material];
}

/** Mistakes in lists of kinds, and in what is kept by kind. */
export function wrongLists(): unknown[] {
  // @ts-expect-error One of them is no kind.
  const list: readonly KindName[] = ['pipelines', 'environmentz'];
  // @ts-expect-error One of them is no kind.
  const set: ReadonlySet<KindName> = new Set(['configRepoz']);
  // @ts-expect-error There is no such kind.
  const nouns: Readonly<Partial<Record<KindName, string>>> = { pipelinez: 'pipeline' };
  return [list, set, nouns];
}

/** Mistakes in an endpoint that shows its kind as it was, and in the example of its documentation. */
export async function wrongEndpoint(config: Config, past: Past, parts: ResourceParts): Promise<unknown[]> {
  const pipelines = config.collection('pipelines');
  // @ts-expect-error A pipeline has no such field.
  const field = (await past.entry(pipelines, 'web', 1))?.value.labelTemplates;
  // @ts-expect-error Nor has the example.
  const example = exampleOf(pipelines, parts).labelTemplates;
  // @ts-expect-error One of these is no kind.
  const then = await past.config(['pipelines', 'groups'], 1);
  return [field, example, then];
}

type Named = CollectionDeclaration<{ readonly name: Field<string>; readonly properties: Field<readonly Property[]> }, unknown>;
type SettingsField = NonNullable<Named['plugin']>['settings'];

/** Mistakes in what a resource says of its own fields, and of entities of other kinds. */
export function wrongDeclarations({ kind, entity }: Dependent, { refersThrough }: Collection): unknown[] {
  const noMembers = { users: [], roles: [] };
  const authorization = { view: noMembers, operate: noMembers, admins: noMembers };
  // @ts-expect-error What uses another one is of no such kind.
  const isOfNoKind = isOfKind('environmentPart', kind, entity);
  // @ts-expect-error It has no such field.
  const environment = isOfKind('environmentParts', kind, entity) && entity.environments;
  // @ts-expect-error It refers to others through an entity of no such kind.
  const through = refersThrough?.template;
  // @ts-expect-error What must be there before it is of no such kind.
  const needsNoKind: Prerequisite = { kind: 'pipelineGroup', id: 'shop', entity: { name: 'shop', authorization } };
  // @ts-expect-error It lacks a field.
  const needsAll: Prerequisite = { kind: 'pipelineGroups', id: 'shop', entity: { name: 'shop' } };
  // @ts-expect-error The entities that it shows have no such field.
  const owned: OwnedMembers = { kind: 'pipelines', field: 'groups' };
  // @ts-expect-error The settings of its plugin are in no such field.
  const settings: SettingsField = 'name';
  return [isOfNoKind, environment, through, needsNoKind, needsAll, owned, settings];
}

/** Mistakes in a helper of tests. */
export async function wrongHelp(lab: RepoLab): Promise<unknown[]> {
  // @ts-expect-error There is no kind to put an entity into.
  await lab.put('pipelinez', {});
  // @ts-expect-error A pipeline has no such field.
  return [lab.value('pipelines', 'web')?.stagez];
}
