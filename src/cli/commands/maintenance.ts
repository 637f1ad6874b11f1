// Declares the commands that switch maintenance mode.
import { command } from '../terminal/command.ts';
import { EXIT_CODES, SERVER_FLAGS } from '../terminal/flags.ts';

export const maintenanceOnCommand = command({
  name: 'maintenance on',
  group: 'Operation',
  summary: 'switch maintenance mode on, and wait until nothing runs any more',
  details: ['In maintenance mode writes are refused, and nothing periodic begins. Interrupting this command leaves it on.'],
  flags: {
    reason: { value: 'TEXT', about: 'why; administrators see it in the state of the mode and in the events' },
    minutes: { value: 'NUMBER', about: 'after how many minutes the server switches it off by itself' },
    'survive-restart': { about: 'stay in maintenance mode when the server is restarted' },
    'no-wait': { about: 'end at once, without waiting for running jobs and other work' },
    ...SERVER_FLAGS,
  },
  examples: [{ command: 'maintenance on --reason "new disk" --minutes 30', about: 'server and login come from the environment' }],
  exits: { ...EXIT_CODES, 0: 'it is on, and nothing runs any more', 1: 'refused; also when it is on already' },
  wrongUse: 2,
  load: async () => (await import('../run/maintenance.ts')).runMaintenanceOn,
});

export const maintenanceOffCommand = command({
  name: 'maintenance off',
  group: 'Operation',
  summary: 'switch maintenance mode off',
  flags: SERVER_FLAGS,
  examples: [{ command: 'maintenance off', about: 'server and login come from the environment' }],
  exits: { ...EXIT_CODES, 1: 'refused; also when it is not on' },
  wrongUse: 2,
  load: async () => (await import('../run/maintenance.ts')).runMaintenanceOff,
});
