// Declares the commands for every resource of the configuration. They know none by name: the server lists the resources.
import { type Argument, command } from '../terminal/command.ts';
import { AT_FLAG, CHANGE_FLAGS, FILE_FLAG, OUTPUT_FLAG, SERVER_EXIT_CODES, SERVER_FLAGS, YES_FLAG } from '../terminal/flags.ts';

const GROUP = 'Resources';
const RESOURCE: Argument = { name: 'RESOURCE', about: 'what list shows, such as environments; also in the singular', offers: 'resource' };
const ID: Argument = { name: 'ID', about: 'which one; left out where there is only one', isOptional: true, offers: 'id' };
const ONE = [RESOURCE, ID];
const COMMON = { group: GROUP, exits: SERVER_EXIT_CODES, wrongUse: 2, hasFailureCodes: true } as const;

export const listCommand = command({
  ...COMMON,
  name: 'list',
  summary: 'list the things of a resource, or all resources',
  details: ['As YAML the list is in the form that plan and apply read.'],
  arguments: [{ ...RESOURCE, isOptional: true }],
  flags: { ...OUTPUT_FLAG, ...AT_FLAG, ...SERVER_FLAGS },
  examples: [
    { command: 'list', about: 'what can be configured' },
    { command: 'list environments', about: 'one line each' },
    { command: 'list config-repos -o name', about: 'for a script', isSilent: true },
  ],
  load: async () => (await import('../run/resources/show.ts')).runList,
});

export const getCommand = command({
  ...COMMON,
  name: 'get',
  summary: 'show one thing, as YAML by default',
  arguments: ONE,
  flags: { ...OUTPUT_FLAG, ...AT_FLAG, ...SERVER_FLAGS },
  examples: [
    { command: 'get environment staging', about: 'as it is now' },
    { command: 'get environment staging --at 42', about: 'as it was at revision 42' },
    { command: 'get mailserver -o json', about: 'what there is only one of', isSilent: true },
  ],
  load: async () => (await import('../run/resources/show.ts')).runGet,
});

export const createCommand = command({
  ...COMMON,
  name: 'create',
  summary: 'create one thing from a file',
  details: ['The file has the members that get shows. For many things at once, as one revision, use apply.'],
  arguments: [RESOURCE],
  flags: { ...FILE_FLAG, ...CHANGE_FLAGS, ...OUTPUT_FLAG, ...SERVER_FLAGS },
  examples: [
    { command: 'create environment -f staging.yaml --reason "for the new team"', about: 'from a file' },
    { command: 'create environment -f - --dry-run < staging.yaml', about: 'see what it would do' },
  ],
  load: async () => (await import('../run/resources/change.ts')).runCreate,
});

export const setCommand = command({
  ...COMMON,
  name: 'set',
  summary: 'replace one thing by what a file says',
  details: [
    'What the file does not mention is gone, or takes its default; with --patch it stays. If another user changes the same thing at that moment, nothing is done.',
  ],
  arguments: ONE,
  flags: {
    ...FILE_FLAG,
    patch: { about: 'change only what the file mentions; null removes a member (JSON merge patch)' },
    ...CHANGE_FLAGS,
    ...OUTPUT_FLAG,
    ...SERVER_FLAGS,
  },
  examples: [
    { command: 'set environment staging -f staging.yaml', about: 'all of it' },
    { command: 'set mailserver --patch -f port.yaml', about: 'some of it' },
  ],
  load: async () => (await import('../run/resources/change.ts')).runSet,
});

export const editCommand = command({
  ...COMMON,
  name: 'edit',
  summary: 'change one thing in your editor',
  details: [
    'Opens it as YAML with VISUAL or EDITOR, shows what you changed, asks, and saves it. What the server refuses is opened again, with the reasons above it. If another user changed it meanwhile, you see both, and can merge them.',
    'What you typed is never lost: where it cannot be saved, the file is kept and named.',
  ],
  arguments: ONE,
  flags: { ...YES_FLAG, ...CHANGE_FLAGS, ...SERVER_FLAGS },
  examples: [{ command: 'edit environment staging --reason "a new region"', about: 'then save and close the editor' }],
  load: async () => (await import('../run/resources/edit/edit.ts')).runEdit,
});

export const deleteCommand = command({
  ...COMMON,
  name: 'delete',
  summary: 'delete one thing, after a look at what that does',
  arguments: ONE,
  flags: { ...YES_FLAG, ...CHANGE_FLAGS, ...SERVER_FLAGS },
  examples: [
    { command: 'delete environment staging', about: 'shows what would go, and asks' },
    { command: 'delete environment staging --yes', about: 'in a script' },
  ],
  load: async () => (await import('../run/resources/change.ts')).runDelete,
});

export const historyCommand = command({
  ...COMMON,
  name: 'history',
  summary: 'show who changed what, when and why',
  details: ['Of one thing every change is shown field by field. For administrators.'],
  arguments: [{ ...RESOURCE, isOptional: true }, ID],
  flags: { limit: { value: 'NUMBER', about: 'how many', absent: '20' }, ...OUTPUT_FLAG, ...SERVER_FLAGS },
  examples: [
    { command: 'history', about: 'the newest revisions' },
    { command: 'history environment staging', about: 'of one thing' },
  ],
  load: async () => (await import('../run/history/history.ts')).runHistory,
});

export const diffCommand = command({
  ...COMMON,
  name: 'diff',
  summary: 'compare one thing at two times, or with a file',
  arguments: ONE,
  flags: {
    from: { value: 'WHEN', about: 'the earlier one: the number of a revision, or a time' },
    to: { value: 'WHEN', about: 'the later one', absent: 'now' },
    ...FILE_FLAG,
    'exit-code': { about: 'end with 1 when there are differences' },
    ...OUTPUT_FLAG,
    ...SERVER_FLAGS,
  },
  examples: [
    { command: 'diff environment staging --from 40 --to 42', about: 'what two revisions have changed' },
    { command: 'diff environment staging -f staging.yaml', about: 'what set would change' },
  ],
  exits: { ...SERVER_EXIT_CODES, 1: 'refused or failed; with --exit-code: there are differences' },
  load: async () => (await import('../run/history/diff.ts')).runDiff,
});

export const revertCommand = command({
  ...COMMON,
  name: 'revert',
  summary: 'take back a revision, or bring one thing back',
  details: [
    'Shows what would change, and asks. Later changes to other fields stay. Where later revisions have changed the same fields, nothing is done, and these revisions are named.',
  ],
  arguments: [{ name: 'REVISION|RESOURCE', about: 'the number of a revision; or with --to a resource', offers: 'resource' }, ID],
  flags: { to: { value: 'REVISION', about: 'bring one thing back to what it was then' }, ...YES_FLAG, ...CHANGE_FLAGS, ...SERVER_FLAGS },
  examples: [
    { command: 'revert 42', about: 'take back what revision 42 did' },
    { command: 'revert environment staging --to 40', about: 'one thing, as it was at revision 40' },
  ],
  load: async () => (await import('../run/history/revert.ts')).runRevert,
});
