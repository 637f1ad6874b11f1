// Code that must not compile: each line below is an error, which `tsc` checks. A line that compiles after all fails the check of types.
import type { Config } from '../../src/config/current.ts';
import type { Draft } from '../../src/config/draft.ts';
import type { EntityNamed, KindName } from '../../src/shape/configuration.ts';
import type { Reference, ReferrersView } from '../../src/shape/resource.ts';

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

/** In a rule, an endpoint and a step of config repos. */
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
  return [reference, users, endpoint, step, referring];
}
