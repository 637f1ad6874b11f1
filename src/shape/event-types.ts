// The types of events, each with a description.
export const EVENT_TYPES = {
  'events.begun': 'Events are kept from here on.',
  'configuration.changed': 'The configuration has a new revision.',
  'revision.named': 'A revision was given a name, which keeps it from being compacted.',
  'revision.unnamed': 'The name of a revision was taken away.',
  'login.failed': 'A login has failed.',
  'access_token.created': 'A personal access token was created.',
  'access_token.revoked': 'A personal access token was revoked.',
  'access_token.rotated': 'A personal access token was replaced by a new one, and ends after an overlap.',
  'access_token.expired': 'The time of a personal access token is over.',
  'service_account.created': 'A service account was added.',
  'service_account.changed': 'A service account was changed, enabled or disabled.',
  'service_account.deleted': 'A service account was deleted, and its access tokens were revoked.',
  'backup.started': 'A backup is being made.',
  'backup.ended': 'A backup is made, or could not be made.',
  'maintenance_mode.enabled': 'Maintenance mode was switched on.',
  'maintenance_mode.disabled': 'Maintenance mode was switched off.',
  'material.failed': 'Polling a material failed, after it had worked.',
  'material.recovered': 'Polling a material works again.',
  'run.scheduled': 'A pipeline runs.',
  'stage.started': 'A stage of a run was scheduled.',
  'stage.completed': 'A stage of a run has ended, with its result.',
  'job.assigned': 'A job was given to an agent.',
  'job.completed': 'A job has ended, with its result.',
  'job.rescheduled': 'A job was taken from an agent and waits for another one.',
  'artifacts.published': 'A job has left files, so many of such a size.',
  'artifacts.purged': 'The artifacts of a stage run are deleted, and why.',
  'pipeline.paused': 'A user has paused a pipeline.',
  'pipeline.unpaused': 'A user lets a pipeline run again.',
  'pipeline.unlocked': 'A user has released the lock of a pipeline.',
  'agent.registered': 'An agent has registered with this server for the first time.',
  'agent.enabled': 'An agent may take work from now on.',
  'agent.disabled': 'An agent gets no more work.',
  'agent.changed': 'Something else of an agent was changed.',
  'agent.deleted': 'An agent was deleted.',
  'agent.lost': 'Nothing was heard of an agent for so long that its job is given to another one.',
  'agent.returned': 'An agent that was lost is heard of again.',
  'config_repo.parsed': 'A revision of a config repo was read, with or without success.',
} as const;

export type EventType = keyof typeof EVENT_TYPES;

/** The subjects of events besides the resources of the configuration. */
export const OTHER_SUBJECTS = ['access_tokens', 'agents', 'backups', 'materials', 'revisions', 'users'] as const;

/** The type of the message that tests a webhook. It is no event, and in no list of them. */
export const TEST_TYPE = 'webhook.test';
