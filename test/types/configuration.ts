// Code that must not compile: each line below is an error, which `tsc` checks. A line that compiles after all fails the check of types.
import type { Config } from '../../src/config/current.ts';
import type { EntityNamed, KindName } from '../../src/shape/configuration.ts';

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
