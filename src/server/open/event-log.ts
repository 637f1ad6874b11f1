// Joins the log of events to the parts of the server that publish events.

import { changeEvent } from '../../events/change-event.ts';
import * as happened from '../../events/event-facts.ts';
import { EventLog } from '../../events/event-log.ts';
import { FailedLogins } from '../../events/failed-logins.ts';
import type { PeriodicRunner } from '../../kit/concurrency/periodic/periodic.ts';
import type { Log } from '../../kit/log.ts';
import { type Kind, resourceName } from '../../shape/resource.ts';
import type { Database } from '../../store/database.ts';
import { type CommitRevisions, type RevisionEvents, revisionWriter } from '../../store/revisions/changes.ts';
import { WebhookQueues } from '../../store/webhook-queues.ts';
import type { CommitWithEvents, NewEvent } from '../../store/write-with-events.ts';

/** The kind of configuration that names outgoing webhooks. */
export const WEBHOOKS = 'outgoingWebhooks';
const OMITTED_EVERY_MS = 60_000;

/** The functions by which parts of the server publish events. None of them fails, and callers do not wait for them. */
export interface Publish {
  failedLogin(facts: happened.FailedLogin): void;
  maintenanceSwitched(facts: happened.MaintenanceFacts): void;
  backupStarted(facts: happened.BackupFacts): void;
  backupEnded(facts: happened.BackupFacts): void;
  materialFailed(facts: happened.MaterialFacts, failure: string): void;
  materialRecovered(facts: happened.MaterialFacts): void;
  /** For the cycle that reads config repos. */
  configRepoParsed(facts: happened.ParseFacts): void;
}

interface Parts {
  readonly database: Database;
  readonly kinds: readonly Kind[];
  readonly log: Log;
  readonly runner: Pick<PeriodicRunner, 'add'>;
}

export interface OpenEventLog {
  readonly events: EventLog;
  readonly queues: WebhookQueues;
  /** Writes revisions with their events. */
  readonly commit: CommitRevisions;
  /** Writes anything else together with events that report it. */
  readonly write: CommitWithEvents;
  readonly publish: Publish;
}

export async function openEventLog({ database, kinds, log, runner }: Parts): Promise<OpenEventLog> {
  const { events, queues, commit, write } = await openEventWriter(database, kinds);
  const add = (event: NewEvent) =>
    void events.add(event).catch((failure: unknown) => log.error({ err: failure, event: event.type }, 'an event could not be written'));
  const failedLogins = new FailedLogins(add);
  runner.add({
    name: 'failed logins that were not published',
    when: { every: OMITTED_EVERY_MS },
    where: 'everywhere', // each server counts those that it has refused
    runsWhilePaused: true,
    run: () => failedLogins.publishOmitted(),
  });
  return {
    events,
    queues,
    commit,
    write,
    publish: {
      failedLogin: (facts) => failedLogins.add(facts),
      maintenanceSwitched: (facts) => add(happened.maintenanceSwitched(facts)),
      backupStarted: (facts) => add(happened.backupStarted(facts)),
      backupEnded: (facts) => add(happened.backupEnded(facts)),
      materialFailed: (facts, failure) => add(happened.materialFailed(facts, failure)),
      materialRecovered: (facts) => add(happened.materialRecovered(facts)),
      configRepoParsed: (facts) => add(happened.configRepoParsed(facts)),
    },
  };
}

/** Also for commands that change the configuration while no server runs. */
export async function openEventWriter(database: Database, kinds: readonly Kind[]): Promise<Omit<OpenEventLog, 'publish'>> {
  const events = await EventLog.open(database);
  const queues = new WebhookQueues(database, WEBHOOKS);
  const write: CommitWithEvents = (writes) => events.write(writes);
  const names = new Map<string, string>(kinds.map((kind) => [kind.name, resourceName(kind)]));
  const revisionEvents: RevisionEvents = {
    write,
    eventOf: (revision) => changeEvent(revision, (kind) => names.get(kind) ?? kind),
    extraStatements: (touched) => queues.extraStatements(touched),
  };
  return { events, queues, commit: revisionWriter(database, revisionEvents), write };
}
