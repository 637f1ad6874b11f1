// Declares the commands that bring a server to the state in files.
import { type Argument, command } from '../terminal/command.ts';
import { SERVER_FLAGS } from '../terminal/flags.ts';

const FILES: readonly Argument[] = [
  {
    name: 'FILE',
    about: 'YAML or JSON files, which are read as one; or one configuration file in XML; - is standard input',
    isOptional: true,
    isRepeated: true,
    offers: 'file',
  },
];
const FLAGS = {
  file: { value: 'FILE', short: 'f', about: 'the same', offers: 'file', isRepeated: true },
  prune: {
    about: 'delete what is not in the files: of every resource whose list they contain, and of an XML file all that it does not contain',
  },
  reason: { value: 'TEXT', about: 'why, for the change log' },
  ...SERVER_FLAGS,
} as const;
const FORMAT = [
  'What the files do not mention stays as it is. For one thing of one resource there are create, set and edit.',
  'A file names resources, and for each what is wanted, in the form the API shows it. With `prune: true` everything that is not in a list is deleted:',
  { code: 'environments: [{ name: staging }]\ndefault_job_timeout: { default_job_timeout: "30" }\nprune: true' },
];
const WRONG = 'something is wrong';

export const planCommand = command({
  name: 'plan',
  group: 'Configuration',
  summary: 'compare files with a server, and show what apply would change',
  details: FORMAT,
  arguments: FILES,
  flags: FLAGS,
  examples: [{ command: 'plan state.yaml more.json --url https://cd.example.org --user admin', about: 'see what would happen' }],
  exits: { 0: 'nothing to change', 1: WRONG, 2: 'there are changes' },
  wrongUse: 1,
  load: async () => (await import('../run/plan.ts')).runPlan,
});

export const applyCommand = command({
  name: 'apply',
  group: 'Configuration',
  summary: 'change a server to match files, as one revision or not at all',
  details: ['Shows the same as plan, and does it.', ...FORMAT],
  arguments: FILES,
  flags: FLAGS,
  examples: [
    { command: 'apply state.yaml --reason "new staging environment"', about: 'as one revision' },
    { command: 'apply -f environments.yaml', about: 'a file that list environments -o yaml has written' },
  ],
  exits: { 0: 'nothing to change', 1: WRONG, 2: 'the changes were made' },
  wrongUse: 1,
  load: async () => (await import('../run/plan.ts')).runApply,
});
