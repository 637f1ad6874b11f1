// Jobs, with their artifacts and tabs.
import type { Json } from '../../shape/json/json.ts';
import { knownType } from './known-type.ts';
import type { Part } from './part.ts';
import { minutesIn, numberIn, usesParameter } from './scalars.ts';
import { taskJson } from './tasks.ts';
import { copyProperties, copyVariables } from './variables.ts';

export function jobJson(part: Part): Json {
  part.enter((job) => `Job (${job.shown('name') ?? 'unknown'})`);
  part.need('name');
  const job = part.begin();
  part.copyText('name');
  copyInstances(part);
  copyTimeout(part);
  part.copyText('elastic_profile_id');
  if (part.has('elastic_profile_id') && (part.items('resources') ?? []).length > 0) {
    const message = 'elastic_profile_id cannot be specified together with resources';
    part.location.problem(
      part.offsetOf('elastic_profile_id'),
      message,
      'Keep one of them: elastic agents are found by their profile alone.',
    );
  }
  copyVariables(part);
  part.copyListOfTexts('resources');
  // A job may have none; the list says where they would stand.
  if (part.has('tasks')) part.copyParts('tasks', taskJson);
  else job.tasks = part.location.body.list(part.at, [], () => undefined);
  part.copyParts('tabs', tabJson);
  part.copyParts('artifacts', artifactJson);
  part.member('properties'); // gone since version 7
  part.done();
  return job;
}

function copyInstances(part: Part): void {
  const given = part.text('run_instance_count');
  if (given === undefined) return;
  const count = given.toLowerCase() === 'all' ? 'all' : (numberIn(given) ?? given);
  if (typeof count === 'string' && count !== 'all' && !usesParameter(count)) {
    part.location.problem(part.offsetOf('run_instance_count'), "run_instances must be 'all' or a number");
  }
  part.out.run_instance_count = part.location.body.value(part.offsetOf('run_instance_count'), count);
}

/** Zero stands for the default of the server. Only our own files have parts of a minute, as `7.5 minutes`. */
function copyTimeout(part: Part): void {
  const given = part.text('timeout');
  if (given === undefined) return;
  const minutes = given.toLowerCase() === 'never' ? 'never' : (numberIn(given) ?? minutesIn(given) ?? given);
  if (typeof minutes === 'string' && minutes !== 'never' && !usesParameter(minutes)) {
    const message = `Expected integer value in field timeout, got ${given}`;
    part.location.problem(part.offsetOf('timeout'), message, 'Write a whole number of minutes.');
  }
  if (minutes !== 0) part.out.timeout = part.location.body.value(part.offsetOf('timeout'), minutes);
}

function tabJson(part: Part): Json {
  part.enter(() => 'Tab').need('name', 'path');
  const tab = part.begin();
  part.copyTexts('name', 'path');
  part.done();
  return tab;
}

const FILES = { needs: ['source'], copy: (part: Part) => part.copyTexts('source', 'destination') };
const ARTIFACTS = {
  build: FILES,
  test: FILES,
  external: {
    needs: ['id', 'store_id'],
    copy: (part: Part) => {
      part.copyText('id', 'artifact_id');
      part.copyText('store_id');
      copyProperties(part);
    },
  },
} as const;

function artifactJson(part: Part): Json | undefined {
  part.enter(() => 'Artifacts');
  const type = knownType(part, ARTIFACTS, (given) => `Invalid or unknown task type '${given}'`);
  if (!type) return undefined;
  part.need(...type.needs);
  const artifact = part.begin();
  part.copyText('type');
  type.copy(part);
  part.done();
  return artifact;
}
