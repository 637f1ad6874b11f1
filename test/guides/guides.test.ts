// The guides: every command in them is run on a new server, and does what the guide says.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { ABOUT_EMBEDDED } from '../support/database/database.ts';
import { basic } from '../support/requests/basic.ts';
import { bareEnvironment } from '../support/server/bare-environment.ts';
import { makeInstallation, runGuide, type Step, stepsOf } from '../support/server/guide.ts';
import { COMMAND_LINE } from '../support/server/programs.ts';
import { type ServerProcess, startAsItIs } from '../support/server/server-process.ts';
import { OpenIdProvider } from '../support/services/openid-provider.ts';
import { startSlapd } from '../support/services/slapd.ts';

const SERVER = '127.0.0.1:8153';
const DIRECTORY = 'ldap://ldap.example.org';
const ISSUER = 'https://login.example.org/realms/staff';
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

dn: ou=groups,${SUFFIX}
objectClass: organizationalUnit
ou: groups

dn: cn=shop-admins,ou=groups,${SUFFIX}
objectClass: groupOfNames
cn: shop-admins
member: cn=Dave Smith,ou=people,${SUFFIX}

${person('carol', 'Carol Jones')}
${person('dave', 'Dave Smith')}
${person('erin', 'Erin Brown')}`;

const FIRST_CONFIG_REPO: Guide = { path: 'docs/guides/first-config-repo.md' };

const servers: ServerProcess[] = [];
after(() => Promise.all(servers.map((server) => server.end('SIGKILL'))));

interface Guide {
  readonly path: string;
  /** Texts of the guide that are different here. */
  readonly replaced?: Readonly<Record<string, string>>;
  readonly isRun?: (step: Step, host: string) => boolean;
  /** Whether it needs an agent. */
  readonly hasBuilds?: true;
  /** Files that it leaves in the installation. */
  readonly left?: readonly string[];
}

/** An agent that may work, beside a server that has just been started. */
async function startAgent({ url }: ServerProcess, folder: string): Promise<ChildProcess> {
  const password = readFileSync(join(folder, 'data', 'initial-admin-password'), 'utf8').trim();
  const headers = { Authorization: basic('admin', password) };
  const { auto_register_key: key } = (await (await fetch(`${url}/api/admin/agent_registration`, { headers })).json()) as Registration;
  const args = [COMMAND_LINE, 'agent', '--server', url, '--work-dir', join(folder, 'scratch', 'agent')];
  return spawn(process.execPath, args, { env: bareEnvironment({ SLIPWAY_AGENT_KEY: key }), stdio: 'ignore' });
}

interface Registration {
  readonly auto_register_key: string;
}

/** Runs guides one after the other in a new installation, whose server has just been started for the first time. */
async function follow(...guides: readonly Guide[]): Promise<void> {
  const { folder, remove } = makeInstallation();
  const server = await startAsItIs(join(folder, 'data'), [], '');
  servers.push(server);
  const agent = guides.some(({ hasBuilds }) => hasBuilds) ? await startAgent(server, folder) : undefined;
  try {
    const { host } = new URL(server.url);
    for (const { path, replaced, isRun = () => true, left = [] } of guides) {
      const earlier = new Set(readdirSync(folder));
      await runGuide(path, folder, { [SERVER]: host, ...replaced }, (step) => isRun(step, host));
      assert.deepEqual([...new Set(readdirSync(folder)).difference(earlier)], left, `${path} leaves these files`);
    }
  } finally {
    agent?.kill();
    await server.end('SIGTERM');
    remove();
  }
}

describe('every command works, and prints the output shown', () => {
  test('the guides to users, roles and LDAP, and to the first config repo on the same server', ABOUT_EMBEDDED, async () => {
    const slapd = await startSlapd({
      suffix: SUFFIX,
      rootDn: `cn=reader,${SUFFIX}`,
      rootPassword: 'reader-password',
      ldif: LDIF,
      databaseLines: ['access to attrs=userPassword by anonymous auth by * none', 'access to * by * read'],
    });
    try {
      const replaced = { [DIRECTORY]: `ldap://127.0.0.1:${slapd.port}` };
      await follow({ path: 'docs/guides/users-and-roles.md', replaced }, FIRST_CONFIG_REPO);
    } finally {
      await slapd.stop();
    }
  });

  test('the guide to sign in with OpenID Connect', ABOUT_EMBEDDED, async () => {
    const provider = await OpenIdProvider.start({ people: {}, clientUrl: 'http://127.0.0.1:1', authConfigId: 'staff' });
    try {
      await follow({ path: 'docs/guides/sign-in-with-openid-connect.md', replaced: { [ISSUER]: provider.issuer } });
    } finally {
      await provider.stop();
    }
  });

  test('the guide to an upgrade', ABOUT_EMBEDDED, () => follow({ path: 'docs/guides/upgrade.md' }));

  test('the guide to build, test and deploy', ABOUT_EMBEDDED, () => follow({ path: 'docs/guides/build-test-deploy.md', hasBuilds: true }));

  test('the guide to the command line', ABOUT_EMBEDDED, () => follow({ path: 'docs/guides/command-line.md', hasBuilds: true }));

  test('the README, by its requests to a running server', () =>
    follow({
      path: 'README.md',
      isRun: ({ commands }, host) => commands.includes(host),
      hasBuilds: true,
      left: ['config.xml', 'configuration-history'],
    }));
});

test('blocks of commands are read from a guide with their output', () => {
  const guide = '# x\n```sh\necho a\necho b\n```\nand\n```text\na\nb\n```\n```console\n$ no\n```\n```sh\nc\n```\n';
  assert.deepEqual(stepsOf(guide), [
    { commands: 'echo a\necho b\n', printed: ['a', 'b'] },
    { commands: 'c\n', printed: [] },
  ]);
});
