// Bodies just under the limits, made to cost as much as they can.
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_ARRAY_LENGTH = 50_000;

export function largeBodies(): [about: string, method: string, path: string, text: string][] {
  const many = <T>(make: (index: number) => T, count = MAX_ARRAY_LENGTH) => Array.from({ length: count }, (_, index) => make(index));
  const nearLimit = MAX_BODY_BYTES - 1000;
  const environments = '/api/admin/environments';
  const environment = `${environments}/large`;
  const stores = '/api/admin/artifact_stores';
  const authConfigs = '/api/admin/security/auth_configs?dry_run=true';
  const list: [string, string, string, unknown][] = [
    ['an environment to work on', 'POST', environments, { name: 'large' }],
    ['a huge name', 'POST', environments, { name: 'n'.repeat(nearLimit) }],
    ['a huge value', 'POST', environments, { name: 'value', environment_variables: [{ name: 'A', value: 'v'.repeat(nearLimit) }] }],
    ['a huge secret', 'PUT', environment, { environment_variables: [{ name: 'A', secure: true, value: 'v'.repeat(nearLimit) }] }],
    ['a huge unknown member', 'POST', environments, { name: 'unknown', odd: 'o'.repeat(nearLimit) }],
    ['too long a list', 'PUT', environment, { pipelines: many((index) => ({ name: `p${index}` }), MAX_ARRAY_LENGTH + 1) }],
    ['many variables', 'PUT', environment, { environment_variables: many((index) => ({ name: `V${index}`, value: 'v' })) }],
    ['many equal variables', 'PUT', environment, { environment_variables: many(() => ({ name: 'V', value: 'v' })) }],
    ['many secrets', 'PUT', environment, { environment_variables: many((index) => ({ name: `V${index}`, value: 'v', secure: true })) }],
    ['many unreadable variables', 'PUT', environment, { environment_variables: many(() => 1) }],
    ['many pipelines', 'PUT', environment, { pipelines: many((index) => ({ name: `p${index}` })) }],
    ['many equal pipelines', 'PUT', environment, { pipelines: many(() => ({ name: 'p' })) }],
    ['no pipelines again', 'PUT', environment, {}],
    ['many pipelines to add', 'PATCH', environment, { pipelines: { add: many((index) => `p${index}`) } }],
    ['many pipelines to remove', 'PATCH', environment, { pipelines: { remove: many((index) => `p${index}`) } }],
    ['many unknown pipelines to remove', 'PATCH', environment, { pipelines: { remove: many((index) => `q${index}`) } }],
    [
      'many variables to add',
      'PATCH',
      environment,
      { environment_variables: { add: many((index) => ({ name: `V${index}`, value: 'v' })) } },
    ],
    ['many variables to remove', 'PATCH', environment, { environment_variables: { remove: many((index) => `V${index}`) } }],
    ['many unknown variables to remove', 'PATCH', environment, { environment_variables: { remove: many((index) => `W${index}`) } }],
    [
      'many settings',
      'POST',
      stores,
      { id: 'many', plugin_id: 'cd.go.artifact.s3', properties: many((index) => ({ key: `k${index}`, value: 'v' })) },
    ],
    [
      'many equal settings',
      'POST',
      stores,
      { id: 'equal', plugin_id: 'not.installed', properties: many(() => ({ key: 'k', value: 'v' })) },
    ],
    [
      'many unknown settings',
      'POST',
      authConfigs,
      { id: 'many', plugin_id: 'cd.go.authentication.passwordfile', properties: many((index) => ({ key: `k${index}`, value: 'v' })) },
    ],
    [
      'many administrators',
      'PATCH',
      '/api/admin/security/system_admins?dry_run=true',
      { operations: { users: { add: many((index) => `u${index}`) } } },
    ],
    ['many aliases', 'PATCH', '/api/current_user', { checkin_aliases: many((index) => `a${index}`) }],
    ['a huge e-mail address', 'PATCH', '/api/current_user', { email: `${'@'.repeat(nearLimit)}` }],
    ['many members', 'POST', environments, Object.fromEntries(many((index) => [`m${index}`, index], 400_000))],
    ...['large', 'value', 'unknown'].map((name): [string, string, string, unknown] => [
      `${name} goes`,
      'DELETE',
      `${environments}/${name}`,
      {},
    ]),
  ];
  return [
    ...list.map(([about, method, path, body]): [string, string, string, string] => [about, method, path, JSON.stringify(body)]),
    ['brackets only', 'POST', environments, '['.repeat(MAX_BODY_BYTES)],
    ['deep objects', 'POST', environments, `${'{"a":'.repeat(MAX_BODY_BYTES / 8)}1${'}'.repeat(MAX_BODY_BYTES / 8)}`],
    ['deep lists in a member', 'POST', environments, `{"name":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`],
    ['a long number', 'POST', environments, `{"name":${'9'.repeat(MAX_BODY_BYTES - 10)}}`],
    ['escapes only', 'POST', environments, `{"name":"${'\\u0000'.repeat(MAX_BODY_BYTES / 6 - 10)}"}`],
    ['empty space', 'POST', environments, ' '.repeat(MAX_BODY_BYTES)],
  ];
}
