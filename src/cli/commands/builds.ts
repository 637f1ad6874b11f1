// Declares the commands that run pipelines, and show runs and jobs.
import { command } from '../terminal/command.ts';
import { EXIT_CODES, JSON_FLAG, SERVER_FLAGS } from '../terminal/flags.ts';

const PIPELINE = { name: 'PIPELINE', about: 'the name of a pipeline', offers: 'pipeline' } as const;
const JOB = { name: 'JOB', about: 'PIPELINE/COUNTER/STAGE/COUNTER/JOB; a counter may be latest', offers: 'pipeline' } as const;

export const runCommand = command({
  name: 'run',
  group: 'Builds',
  summary: 'run a pipeline, and follow what its jobs print',
  details: [
    'It polls the materials, schedules a run of the newest revisions, and prints the address of its page. With --follow it prints the consoles of all jobs until the run ends, or waits for a stage that is started by hand. Interrupting it does not cancel the run.',
  ],
  arguments: [PIPELINE],
  flags: {
    follow: { about: 'print what the jobs print, and end with the run' },
    variable: { value: 'NAME=VALUE', about: 'another value for a variable of the pipeline, in this run', isRepeated: true },
    revision: {
      value: 'MATERIAL=REVISION',
      about: 'another revision than the newest; the material is named by its name, folder or fingerprint',
      isRepeated: true,
    },
    'no-update': { about: 'do not poll the materials first' },
    ...SERVER_FLAGS,
  },
  examples: [
    { command: 'run up42 --follow', about: 'server and login come from the environment' },
    { command: 'run up42 --variable MODE=fast --revision shop=4c8e1f0', about: 'another mode, and an older revision' },
  ],
  exits: {
    0: 'the run is scheduled; with --follow: it has passed',
    1: 'refused, or the run could not be scheduled',
    2: 'wrong command line',
    3: 'with --follow: it has failed',
    4: 'with --follow: it was cancelled',
    5: 'with --follow: it has passed so far, and waits for a user, or a newer run took its place',
  },
  wrongUse: 2,
  load: async () => (await import('../run/builds/run.ts')).runRun,
});

export const logCommand = command({
  name: 'log',
  group: 'Builds',
  summary: 'print the console of a job',
  details: ['With --follow it goes on until the job has ended, also when the server is restarted meanwhile.'],
  arguments: [JOB],
  flags: {
    follow: { about: 'print what comes, and end with the job' },
    from: { value: 'NUMBER', about: 'the first line, counted from 0', absent: '0' },
    raw: { about: 'print lines as they stand in the file, with tag and time' },
    ...SERVER_FLAGS,
  },
  examples: [
    { command: 'log up42/latest/build/latest/compile --follow', about: 'the job that runs now' },
    { command: 'log up42/7/build/1/compile --raw', about: 'with times', isSilent: true },
  ],
  exits: {
    0: 'printed; with --follow: the job has passed',
    1: 'refused, or there is no such job',
    2: 'wrong command line',
    3: 'with --follow: the job has failed',
    4: 'with --follow: the job was cancelled',
  },
  wrongUse: 2,
  load: async () => (await import('../run/builds/log.ts')).runLog,
});

export const whyCommand = command({
  name: 'why',
  group: 'Builds',
  summary: 'say why a pipeline or a job runs or does not',
  arguments: [{ name: 'PIPELINE|JOB', about: `${PIPELINE.about}, or ${JOB.about}`, offers: 'pipeline' }],
  flags: { ...JSON_FLAG, ...SERVER_FLAGS },
  examples: [
    { command: 'why up42', about: 'why there is no run of the last commit' },
    { command: 'why up42/latest/build/latest/compile', about: 'why no agent takes the job' },
  ],
  exits: EXIT_CODES,
  wrongUse: 2,
  load: async () => (await import('../run/builds/why.ts')).runWhy,
});

export const runLocalCommand = command({
  name: 'run-local',
  group: 'Builds',
  summary: 'run jobs of a pipeline in the present directory, before a commit',
  details: [
    'The tasks and the environment variables are those the server has for the pipeline, with its template and its parameters. The present directory stands for the folder of the pipeline: working directories and destinations of materials lie below it. Nothing is checked out, fetched or uploaded, and the server does not know of it.',
    'Without STAGE it runs all stages up to the first that is started by hand, without JOB all jobs of the stage, one after the other, and ends with the first stage that fails. Tasks that fetch artifacts and tasks of plugins are skipped.',
    'Secrets stay on the server: it says which variables are missing. Only those who may administer the pipeline can read its configuration.',
  ],
  arguments: [
    PIPELINE,
    { name: 'STAGE', about: 'only this stage', isOptional: true },
    { name: 'JOB', about: 'and of it only this job', isOptional: true },
  ],
  flags: {
    variable: { value: 'NAME=VALUE', about: 'the value of a variable, instead of the one on the server', isRepeated: true },
    ...SERVER_FLAGS,
  },
  examples: [
    { command: 'run-local up42', about: 'all of it, in the folder of the repository' },
    { command: 'run-local up42 build compile --variable TOKEN=abc', about: 'one job, with a variable that is a secret on the server' },
  ],
  exits: {
    0: 'all jobs have passed',
    1: 'refused, or there is no such pipeline, stage or job',
    2: 'wrong command line',
    3: 'a job has failed',
    4: 'interrupted',
  },
  wrongUse: 2,
  load: async () => (await import('../run/builds/local/run-local.ts')).runRunLocal,
});
