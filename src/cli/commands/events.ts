// Declares the command that prints events.
import { command } from '../terminal/command.ts';
import { SERVER_EXIT_CODES, SERVER_FLAGS } from '../terminal/flags.ts';

const FILTER = { isRepeated: true } as const;

export const eventsCommand = command({
  name: 'events',
  group: 'Operation',
  summary: 'print what happened on the server, and follow it',
  details: [
    'With --follow it prints events as they come, and goes on after the last one when the server is restarted. Filters take * and ? for any letters. For administrators.',
  ],
  flags: {
    follow: { about: 'print what comes, until it is interrupted' },
    after: { value: 'NUMBER', about: 'only events after this one' },
    limit: { value: 'NUMBER', about: 'how many (20); with --follow: end after so many' },
    type: { value: 'TYPE', about: 'only of this type, such as configuration.*', ...FILTER },
    actor: { value: 'NAME', about: 'only what this user did', ...FILTER },
    resource: { value: 'RESOURCE', about: 'only about this resource', offers: 'resource', ...FILTER },
    id: { value: 'ID', about: 'only about the thing of this id', ...FILTER },
    output: { value: 'FORMAT', short: 'o', choices: ['table', 'json'], about: 'table: one line each; json: one JSON object in each line' },
    ...SERVER_FLAGS,
  },
  examples: [
    { command: 'events --follow', about: 'all that happens from now on' },
    { command: 'events --follow --type "configuration.*" --limit 1', about: 'wait for the next change' },
    { command: 'events --after 0 --limit 1000 -o json', about: 'the oldest, for a program', isSilent: true },
  ],
  exits: SERVER_EXIT_CODES,
  wrongUse: 2,
  hasFailureCodes: true,
  load: async () => (await import('../run/events/events.ts')).runEvents,
});
