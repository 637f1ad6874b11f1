// The mails about a stage that has ended, as statements for the commit that completes it.
import type { CompiledQuery } from 'kysely';
import type { Access } from '../../access/may.ts';
import { keyOf, type Users } from '../../access/users/users.ts';
import type { BuildState } from '../../builds/build-state.ts';
import type { CompletedStage } from '../../builds/runs/stage-completion.ts';
import type { Config } from '../../config/current.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { addressIn } from '../../materials/catalogue/messages.ts';
import { isRepositoryType } from '../../materials/types/list.ts';
import type { Filters } from '../../notifications/filters.ts';
import { eventOf } from '../../notifications/match.ts';
import type { MaterialChange } from '../../notifications/stage-mail.ts';
import { stageMails } from '../../notifications/stage-mails.ts';
import type { RunRevision } from '../../store/builds/runs.ts';
import type { Modification, Modifications } from '../../store/materials/modifications.ts';

interface Parts {
  readonly state: BuildState;
  readonly config: Config;
  readonly users: Users;
  readonly access: Access;
  readonly filters: Pick<Filters, 'byUser'>;
  readonly outbox: Pick<Outbox, 'statementFor'>;
  readonly modifications: Pick<Modifications, 'between' | 'filesOf'>;
  /** With the context path, without a slash at the end. */
  siteUrl(): string;
}

/** Of one material: more would make the mail too long to read. */
const MAX_CHANGES = 50;

export async function mailStatements({ stageRun, result }: CompletedStage, parts: Parts): Promise<readonly CompiledQuery[]> {
  const { state, users, access, config, outbox, siteUrl } = parts;
  if (result === 'Unknown') return [];
  const filters = await parts.filters.byUser();
  const interested = users.all().flatMap((user) => {
    const own = filters.get(keyOf(user.loginName));
    return own ? [{ ...user, filters: own }] : [];
  });
  if (interested.length === 0) return [];
  const { run, row } = stageRun;
  const before = await state.stageRuns.previousResult(row.pipeline_key, row.stage_key, row.id);
  const event = eventOf(result, before?.result);
  const revisions = await state.runs.revisionsOf([run.id]);
  const group = config.of('pipelines').find(run.pipeline)?.value.group;
  const mails = stageMails(
    {
      pipeline: run.pipeline,
      pipelineCounter: run.counter,
      stage: row.stage,
      stageCounter: row.counter,
      event,
      cancelledBy: stageRun.cancelledBy,
      changes: (await Promise.all(revisions.map((revision) => changesOf(revision, parts)))).flat(),
    },
    {
      users: interested,
      mayView: (loginName) => group !== undefined && access.mayView({ loginName }, { group, pipeline: run.pipeline }),
      siteUrl: siteUrl(),
    },
  );
  return mails.flatMap((mail) => outbox.statementFor(mail) ?? []);
}

async function changesOf(revision: RunRevision, { modifications }: Parts): Promise<MaterialChange[]> {
  const found = await modifications.between(revision.fingerprint, revision.first, revision.last, MAX_CHANGES);
  return Promise.all(found.map((modification) => changeOf(revision, modification, modifications)));
}

async function changeOf(
  { type, name, description }: RunRevision,
  { id, revision, userName, comment, modifiedTime }: Modification,
  modifications: Pick<Modifications, 'filesOf'>,
): Promise<MaterialChange> {
  const at = modifiedTime.toISOString();
  if (isRepositoryType(type)) {
    const files = await modifications.filesOf(id);
    return { kind: 'scm', type, location: addressIn(description), revision, userName, at, comment, files };
  }
  if (type === 'dependency') {
    const [pipeline = '', , stage = ''] = revision.split('/');
    return { kind: 'dependency', pipeline, stage, revision, at };
  }
  if (type === 'package') return { kind: 'package', name: name ?? description, revision, at };
  return { kind: 'plugin', pluginName: 'SCM', name: name ?? description, revision, at, comment };
}
