// Which groups of providers give which roles.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as github from './github-groups.ts';
import * as gitlab from './gitlab-groups.ts';
import { oidc } from './oidc.ts';
import { accountOf, lacksClaims } from './oidc-claims.ts';

const settings = (values: Readonly<Record<string, string>>) => new Map(Object.entries(values));
const member = (loginName: string, ...groups: string[]) => ({ loginName, groups });

describe('groups of GitHub', () => {
  const groups = github.groupsOf(['Acme'], [{ organization: 'Acme', names: ['site-reliability', 'Site Reliability'] }]);
  const has = (role: Readonly<Record<string, string>>) => github.hasRole(settings(role), { loginName: 'Octo', groups });

  test('organizations, teams and users count without regard to letter case', () => {
    assert.ok(has({ Organizations: 'other,ACME' }));
    assert.ok(has({ Teams: 'other:x\nacme: Site Reliability, docs' }));
    assert.ok(has({ Teams: 'ACME:site-reliability' }));
    assert.ok(has({ Users: 'octo' }));
  });

  test('teams of other organizations, and roles without settings, do not count', () => {
    assert.ok(!has({ Teams: 'other:site-reliability' }));
    assert.ok(!has({ Organizations: 'acm' }));
    assert.ok(!has({}));
  });

  test('a team needs its organization', () => {
    for (const teams of ['docs', ':docs', 'acme:', 'acme: ,'])
      assert.equal(github.roleProblems(settings({ Teams: teams })).length, 1, teams);
    assert.deepEqual(github.roleProblems(settings({ Teams: 'acme:docs,writers\n other : x' })), []);
  });
});

describe('groups of GitLab', () => {
  const groups = gitlab.groupTexts('group', new Map([['Acme/Infra', 'maintainer']]));
  const has = (role: Readonly<Record<string, string>>) => gitlab.hasRole(settings(role), { loginName: 'lab', groups });

  test('groups of GitLab count by path, and by level where one is named', () => {
    assert.ok(has({ Groups: 'acme/infra' }));
    assert.ok(has({ Groups: 'acme/infra:owner, Maintainer' }));
    assert.ok(!has({ Groups: 'acme/infra:owner' }));
    assert.ok(!has({ Groups: 'infra' }));
    assert.ok(!has({ Projects: 'acme/infra' }));
  });

  test('only the levels that roles name have to be looked up', () => {
    assert.equal(gitlab.neededLevels([settings({ Groups: 'a' })], 'project'), undefined);
    assert.deepEqual(gitlab.neededLevels([settings({ Groups: 'a' })], 'group'), []);
    assert.deepEqual(gitlab.neededLevels([settings({ Groups: 'a:owner' }), settings({ Groups: 'b:owner,guest' })], 'group'), [
      'owner',
      'guest',
    ]);
  });

  test('an unknown level is reported', () => {
    assert.match(gitlab.roleProblems(settings({ Projects: 'a:boss' }))[0]!.message, /'boss'/);
  });
});

describe('groups of OpenID Connect', () => {
  const claims = {
    iss: 'https://login.example.org',
    sub: '7',
    preferred_username: 'ann',
    realm_access: { roles: ['ops'] },
    groups: ['/staff'],
  };

  test('groups and names give roles, and groups make administrators', () => {
    const role = settings({ Groups: 'ops,/staff', Users: 'bob' });
    assert.ok(oidc.web!.hasRole(role, member('ann', '/Staff')));
    assert.ok(oidc.web!.hasRole(role, member('Bob')));
    assert.ok(!oidc.web!.hasRole(role, member('carol', 'staff')));
    assert.ok(oidc.web!.isAdmin!(['OPS'], settings({ AdminGroups: 'ops' })));
    assert.ok(!oidc.web!.isAdmin!(['ops'], settings({})));
  });

  test('groups are read from a claim, also from one inside another', () => {
    assert.deepEqual(accountOf(claims, '', settings({})).groups, ['/staff']);
    assert.deepEqual(accountOf(claims, '', settings({ GroupsClaim: 'realm_access.roles' })).groups, ['ops']);
    assert.deepEqual(accountOf({ ...claims, groups: 'one' }, '', settings({})).groups, ['one']);
    assert.deepEqual(accountOf({ ...claims, groups: [1, '', 'x', null] }, '', settings({})).groups, ['x']);
  });

  test('a login name must be given, and must be verified if it is a mail address', () => {
    assert.throws(() => accountOf({ ...claims, preferred_username: ' ' }, '', settings({})), /preferred_username/);
    const byMail = settings({ LoginClaim: 'email' });
    assert.equal(accountOf({ ...claims, email: 'a@example.org', email_verified: true }, '', byMail).loginName, 'a@example.org');
    // Some providers write flags as texts.
    for (const email_verified of [false, 'false']) {
      assert.throws(() => accountOf({ ...claims, email: 'a@example.org', email_verified }, '', byMail), /not verified/);
      assert.equal(accountOf({ ...claims, email: 'a@example.org', email_verified }, '', settings({})).email, undefined);
    }
  });

  test('more claims are asked for only if something is missing', () => {
    assert.equal(lacksClaims({ ...claims, name: 'Ann', email: 'a@example.org' }, settings({})), false);
    assert.equal(lacksClaims(claims, settings({})), true);
  });
});
