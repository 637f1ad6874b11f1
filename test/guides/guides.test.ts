// The guides: every command in them is run on a new server, and does what the guide says.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { makeInstallation, runGuide, type Step, stepsOf } from '../support/guide.ts';
import { type ServerProcess, startAsItIs } from '../support/server-process.ts';
import { startSlapd } from '../support/slapd.ts';

const SERVER = '127.0.0.1:8153';
const DIRECTORY = 'ldap://ldap.example.org';
const SUFFIX = 'dc=example,dc=org';
const person = (uid: string, cn: string) => `dn: cn=${cn},ou=people,${SUFFIX}
objectClass: inetOrgPerson
sn: ${cn}
uid: ${uid}
mail: ${uid}@example.org
userPassword: ${uid}s-password
`;
const LDIF = `dn: ${SUFFIX}
objectClass: dcObject
objectClass: organization
dc: example
o: Example

dn: ou=people,${SUFFIX}
objectClass: organizationalUnit
ou: people

${person('carol', 'Carol Jones')}
${person('dave', 'Dave Smith')}`;

const servers: ServerProcess[] = [];
after(() => Promise.all(servers.map((server) => server.end('SIGKILL'))));

/** Runs a guide in a new installation, whose server has just been started for the first time. */
async function follow(path: string, replaced: Readonly<Record<string, string>> = {}, isRun = (_: Step, __: string) => true): Promise<void> {
  const { folder, remove } = makeInstallation();
  const server = await startAsItIs(join(folder, 'data'), [], '');
  servers.push(server);
  try {
    const { host } = new URL(server.url);
    await runGuide(path, folder, { [SERVER]: host, ...replaced }, (step) => isRun(step, host));
  } finally {
    await server.end('SIGTERM');
    remove();
  }
}

describe('every command works, and prints what is shown', () => {
  test('users, roles and LDAP', async () => {
    const slapd = await startSlapd({
      suffix: SUFFIX,
      rootDn: `cn=reader,${SUFFIX}`,
      rootPassword: 'reader-password',
      ldif: LDIF,
      databaseLines: ['access to attrs=userPassword by anonymous auth by * none', 'access to * by * read'],
    });
    try {
      await follow('docs/guides/users-and-roles.md', { [DIRECTORY]: `ldap://127.0.0.1:${slapd.port}` });
    } finally {
      await slapd.stop();
    }
  });

  test('the first config repo', () => follow('docs/guides/first-config-repo.md'));

  test('upgrade', () => follow('docs/guides/upgrade.md'));

  test('what the README asks of a running server', () => follow('README.md', {}, ({ commands }, host) => commands.includes(host)));
});

test('blocks of commands, and what they print', () => {
  const guide = '# x\n```sh\necho a\necho b\n```\nand\n```text\na\nb\n```\n```console\n$ no\n```\n```sh\nc\n```\n';
  assert.deepEqual(stepsOf(guide), [
    { commands: 'echo a\necho b\n', printed: ['a', 'b'] },
    { commands: 'c\n', printed: [] },
  ]);
});
