// The tags of console lines: the kind of each line.

export const TAGS = {
  notice: '##',
  prepare: 'pr',
  prepareError: 'pe',
  taskStart: '!!',
  out: '&1',
  error: '&2',
  taskPassed: '?0',
  taskFailed: '?1',
  taskCancelled: '^C',
  cancelStart: '!x',
  cancelPassed: 'x0',
  cancelFailed: 'x1',
  jobPassed: 'j0',
  jobFailed: 'j1',
  artifact: 'ar',
  artifactError: 'ae',
  completed: 'ex',
} as const;

export type Tag = (typeof TAGS)[keyof typeof TAGS];
