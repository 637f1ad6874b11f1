import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { filterOf, groupsOfEntry, hasRole, neededAttributes, neededSearches, roleProblems, searchGroup } from './groups.ts';

type Values = Readonly<Record<string, string>>;
const settings = (values: Values) => new Map(Object.entries(values));
const person = (attributes: Readonly<Record<string, readonly string[]>>, dn = 'cn=Ann,dc=example') => ({
  dn,
  valuesOf: (name: string) => attributes[name.toLowerCase()] ?? [],
});
const BY_ATTRIBUTE = settings({ UserGroupMembershipAttribute: 'memberOf', GroupIdentifiers: 'cn=ops, ou=groups\n cn=Admins,ou=groups ' });
const BY_FILTER = settings({ GroupSearchBases: 'ou=a\nou=b', GroupMembershipFilter: '(| (member={dn}) (memberUid={uid}) )' });

describe('groups by an attribute of the user', () => {
  const has = (...memberof: string[]) => hasRole(BY_ATTRIBUTE, { groups: groupsOfEntry([BY_ATTRIBUTE, BY_FILTER], person({ memberof })) });

  test('one of the values is enough, in any letter case and with any blanks', () => {
    assert.ok(has('cn=other', 'CN=Ops,OU=Groups'));
    assert.ok(has('cn = admins , ou = groups'));
    assert.ok(!has('cn=ops'));
    assert.ok(!has('cn=ops,ou=groups,dc=x'));
    assert.ok(!has());
  });

  test('only groups that roles ask for are kept', () => {
    const groups = groupsOfEntry(
      [BY_ATTRIBUTE],
      person({ memberof: ['cn=ops,ou=groups', ...Array.from({ length: 1000 }, (_, n) => `cn=${n}`)] }),
    );
    assert.equal(groups.length, 1);
  });

  test('the same value of another attribute gives no group', () => {
    const office = settings({ UserGroupMembershipAttribute: 'homeOffice', GroupIdentifiers: 'cn=ops,ou=groups' });
    assert.ok(!hasRole(BY_ATTRIBUTE, { groups: groupsOfEntry([office, BY_ATTRIBUTE], person({ homeoffice: ['cn=ops,ou=groups'] })) }));
  });
});

describe('groups by a search', () => {
  const [search] = neededSearches([BY_FILTER, BY_FILTER, BY_ATTRIBUTE]) as [ReturnType<typeof neededSearches>[number]];

  test('each filter is asked once, for the attributes that it names', () => {
    assert.equal(neededSearches([BY_FILTER, BY_FILTER, BY_ATTRIBUTE]).length, 1);
    assert.deepEqual(search.bases, ['ou=a', 'ou=b']);
    assert.deepEqual(neededAttributes([BY_FILTER, BY_ATTRIBUTE]), ['memberOf', 'uid']);
  });

  test('a search that has found a group gives its role, and no other search does', () => {
    const elsewhere = settings({ GroupSearchBases: 'ou=a', GroupMembershipFilter: '(|(member={dn})(memberUid={uid}))' });
    assert.ok(hasRole(BY_FILTER, { groups: [searchGroup(search)] }));
    assert.ok(!hasRole(elsewhere, { groups: [searchGroup(search)] }));
    assert.ok(!hasRole(BY_FILTER, { groups: [] }));
  });

  test('values of the user are escaped, and not looked at for further names', () => {
    const weird = person({ uid: ['*)(uid={dn}\\'] }, 'cn=A\\2C (x)*,dc=example');
    assert.equal(filterOf(search, weird), '(|(member=cn=A\\5c2C \\28x\\29\\2a,dc=example)(memberUid=\\2a\\29\\28uid={dn}\\5c))');
  });

  test('a user without an attribute that the filter names is in no group', () => {
    assert.equal(filterOf(search, person({})), undefined);
  });
});

describe('the settings of a role', () => {
  const problemsOf = (values: Values) => roleProblems(settings(values)).map(({ key, message }) => `${key}: ${message}`);

  test('are one pair or the other', () => {
    assert.deepEqual(roleProblems(BY_ATTRIBUTE), []);
    assert.deepEqual(roleProblems(BY_FILTER), []);
    assert.deepEqual(problemsOf({ GroupSearchBases: 'ou=a', GroupMembershipFilter: 'member:1.2.840.113556.1.4.1941:={dn}' }), []);
    assert.deepEqual(problemsOf({}), [
      'UserGroupMembershipAttribute: `UserGroupMembershipAttribute` must not be blank.',
      'GroupIdentifiers: `GroupIdentifiers` must not be blank.',
    ]);
    assert.deepEqual(problemsOf({ UserGroupMembershipAttribute: 'memberOf' }), ['GroupIdentifiers: `GroupIdentifiers` must not be blank.']);
    assert.deepEqual(problemsOf({ GroupMembershipFilter: '(member={dn})' }), ['GroupSearchBases: `GroupSearchBases` must not be blank.']);
  });

  test('a filter that does not name the user would give the role to every user, and gives it to none', () => {
    for (const GroupMembershipFilter of ['(cn=admins)', '(member={})', '(member={dn}', '(member={a b})', 'x']) {
      const role = { GroupSearchBases: 'ou=a', GroupMembershipFilter };
      assert.match(problemsOf(role).join(), /^GroupMembershipFilter: .*\(member=\{dn\}\)\.$/, GroupMembershipFilter);
      assert.deepEqual(neededSearches([settings(role)]), []);
    }
  });

  test('an attribute has the name of one', () => {
    assert.match(problemsOf({ UserGroupMembershipAttribute: 'a)(b', GroupIdentifiers: 'x' }).join(), /must be the name of an attribute/);
    assert.deepEqual(neededAttributes([settings({ UserGroupMembershipAttribute: 'a)(b', GroupIdentifiers: 'x' })]), []);
  });
});
