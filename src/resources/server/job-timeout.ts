// The default job timeout: after how many minutes without console output a job counts as hung.
import { text } from '../../shape/fields.ts';
import { singletonMessages } from '../../shape/problems/messages.ts';
import { type Problem, problemUnless } from '../../shape/problems/problem.ts';
import { singleton } from '../../shape/resource.ts';

export const jobTimeout = singleton({
  title: 'Default job timeout',
  about: 'After how many minutes without console output a job is cancelled, unless the job says otherwise; 0 means never.',
  path: '/api/admin/config/server/default_job_timeout',
  version: 1,
  permission: 'admin',
  doc: 'default-job-timeout',
  links: ['doc', 'self'],
  verbs: ['POST', 'PUT'],
  needsIfMatch: false,
  fields: { defaultJobTimeout: text({ label: 'Minutes without output', format: 'minutes', description: 'Minutes.' }) },
  unset: { defaultJobTimeout: '0' },
  rules: [({ defaultJobTimeout }) => timeoutProblems(defaultJobTimeout)],
  messages: {
    ...singletonMessages('Default job timeout'),
    invalid: (_, [problem]) => `Your request could not be processed. ${problem?.message}`,
  },
  example: { default_job_timeout: '45' },
});

function timeoutProblems(minutes: string): Problem[] {
  const at = 'default_job_timeout';
  const isNumber = /^-?\d+(\.\d+)?$/.test(minutes.trim());
  if (!isNumber) return problemUnless(false, at, 'Timeout should be a valid number as it represents number of minutes');
  return problemUnless(Number(minutes) >= 0, at, 'Timeout cannot be a negative number as it represents number of minutes');
}
