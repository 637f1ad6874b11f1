// The identity of the server: the id that distinguishes it from other servers, and the keys by which others prove that they mean this one.
import { text, whole } from '../../shape/fields.ts';
import { singletonMessages } from '../../shape/problems/messages.ts';
import { problemUnless } from '../../shape/problems/problem.ts';
import { singleton } from '../../shape/resource.ts';
import { secretText } from '../../shape/secrets/secret-text.ts';

const MINUTES_UNTIL_STARVED = 2;

const key = (name: string) =>
  secretText({
    both: `You may only specify \`${name}\` or \`encrypted_${name}\`, not both!`,
    undecryptable: `Encrypted value for ${name} is invalid. This usually happens when the cipher text is modified to have an invalid value.`,
  });

export const serverIdentity = singleton({
  title: 'Server identity',
  about: 'What distinguishes this server from others, and the keys by which others prove that they mean this one.',
  path: '/api/admin/internal/server_identity',
  version: 1,
  permission: 'admin',
  doc: 'server-identity',
  links: [],
  verbs: [],
  needsIfMatch: false,
  isInternal: true,
  fields: {
    serverId: text({ description: 'Never changes.' }),
    jobStarvationTimeout: whole(MINUTES_UNTIL_STARVED, {
      description: 'After how many minutes another agent is requested for a job that still has none.',
    }),
    agentAutoRegisterKey: key('agent_auto_register_key'),
    webhookSecret: key('webhook_secret'),
    tokenGenerationKey: key('token_generation_key'),
  },
  rules: [
    ({ jobStarvationTimeout }) =>
      problemUnless(
        jobStarvationTimeout >= 0,
        'job_starvation_timeout',
        'Timeout cannot be a negative number as it represents number of minutes',
      ),
  ],
  messages: singletonMessages('Server identity'),
  example: { server_id: 'd2f9b1c4-6a0e-4b57-9d3f-0c1e5a7b8f26', job_starvation_timeout: MINUTES_UNTIL_STARVED },
});
