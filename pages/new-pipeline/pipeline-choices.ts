// The fields of the first form of a pipeline, and the pipeline that is made from them.

import type { Path } from '../forms/edit/lens.ts';
import type { Material } from '../forms/materials/material.ts';

export interface PipelineChoices {
  readonly group: string;
  readonly name: string;
  readonly material: Material;
  readonly stage: string;
  readonly job: string;
  /** Lines for the shell of the agent. */
  readonly script: string;
}

export const NEW_CHOICES: PipelineChoices = {
  group: '',
  name: '',
  material: { type: 'git', attributes: { url: '', branch: 'main', auto_update: true } },
  stage: 'build',
  job: 'build',
  script: '',
};

/** As the API creates it. The server says all that is not said here. */
export function bodyOf({ group, name, material, stage, job, script }: PipelineChoices) {
  return {
    group,
    pipeline: {
      name,
      group,
      materials: [material],
      stages: [{ name: stage, jobs: [{ name: job, tasks: [{ type: 'script', attributes: { script } }] }] }],
    },
  };
}

/** `https://scm.example.org/shop/web.git` is probably called `web`. */
export function nameFor({ attributes: { url = '' } }: Material): string {
  const last = url
    .replace(/[?#].*$/, '')
    .replace(/(?:\.git)?\/*$/, '')
    .split(/[/:\\]/)
    .at(-1);
  return (last ?? '').replace(/[^\w.-]/g, '-').replace(/^[.-]+/, '');
}

/** Which of the choices it is that the server speaks of, by its place in the pipeline. */
export function choiceAt(path: Path): Path {
  if (path[0] === 'materials' && path[1] === 0) return ['material', ...path.slice(2)];
  return CHOICES[path.join('.')] ?? path;
}

const CHOICES: Readonly<Record<string, Path>> = {
  'stages.0.name': ['stage'],
  'stages.0.jobs.0.name': ['job'],
  'stages.0.jobs.0.tasks.0.attributes.script': ['script'],
};
