// Config repos: the material of each type, secrets in settings, passwords and addresses, rules, and the exact messages.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { isStored } from '../../support/database/sql.ts';
import { isUnknown, stale } from '../../support/requests/replies.ts';
import { TestServer } from '../../support/server/server.ts';

const PATH = '/api/admin/config_repos';
const YAML = 'yaml.config.plugin';
const INVALID = "Validations failed for config-repo 'team'. Error(s): [Validation failed.]. Please correct and resubmit.";
const NAME_RULE =
  'This must be alphanumeric and can contain underscores, hyphens and periods (however, it cannot start with a period). The maximum allowed length is 255 characters.';
const NOT_BOTH_PASSWORDS = 'You may only specify `password` or `encrypted_password`, not both!';

type Type = 'git' | 'hg' | 'svn' | 'p4' | 'tfs';
/** The least each type needs. */
const MINIMAL: Readonly<Record<Type, object>> = {
  git: { url: 'https://scm.example.org/a.git' },
  hg: { url: 'https://hg.example.org/a' },
  svn: { url: 'https://svn.example.org/trunk' },
  p4: { port: 'ssl:p4.example.org:1666', view: '//depot/... //something/...' },
  tfs: { url: 'https://tfs.example.org/collection', project_path: '$/app', username: 'bob' },
};
const TYPES = Object.keys(MINIMAL) as Type[];

let server: TestServer;
before(async () => {
  server = await TestServer.start();
});
after(() => server.stop());
beforeEach(async () => {
  for (const { id } of (await server.get(PATH)).json._embedded.config_repos) await server.delete(`${PATH}/${id}`);
});

const repo = (more: object = {}) => ({ id: 'team', plugin_id: YAML, material: { type: 'git', attributes: MINIMAL.git }, ...more });
const material = (type: string, attributes: object) => ({ material: { type, attributes } });
const git = (attributes: object = {}) => material('git', { ...MINIMAL.git, ...attributes });
const post = (more: object = {}) => server.post(PATH, repo(more));
const put = (more: object = {}) => server.put(`${PATH}/team`, repo(more), '*');
/** Like a client that reads, changes something else and writes. */
const sendBack = async () => {
  const { json, etag } = await server.get(`${PATH}/team`);
  const { _links, ...body } = json;
  return server.put(`${PATH}/team`, body, etag);
};
const isOnDisk = (text: string) => isStored(server.dataDir, text);

describe('the repo', () => {
  test('is written in the order of GoCD, with links and an ETag', async () => {
    const body = {
      ...git({ branch: 'main' }),
      configuration: [{ key: 'file_pattern', value: 'ci/*.yaml' }],
      rules: [{ directive: 'allow', action: 'refer', type: 'pipeline_group', resource: 'team-a*' }],
    };
    const created = await post(body);
    assert.equal(created.status, 200, created.text);
    const shown = {
      _links: {
        self: { href: `${server.url}${PATH}/team` },
        doc: { href: `${server.url}/api/docs#config-repos` },
        find: { href: `${server.url}${PATH}/:id` },
      },
      id: 'team',
      plugin_id: YAML,
      material: { type: 'git', attributes: { name: null, auto_update: true, url: 'https://scm.example.org/a.git', branch: 'main' } },
      configuration: body.configuration,
      rules: body.rules,
    };
    assert.equal(created.text, JSON.stringify(shown));
    const read = await server.get(`${PATH}/team`);
    assert.equal(read.text, created.text);
    assert.equal(read.etag, created.etag);
  });

  test('the list has only a link to itself, and keeps the order of creation', async () => {
    await post({ id: 'zeta' });
    await post({ id: 'alpha', ...git({ branch: 'other' }) });
    const list = await server.get(PATH);
    assert.match(list.etag!, /^"[0-9a-f]+"$/);
    assert.deepEqual(list.json._links, { self: { href: server.url + PATH } });
    assert.deepEqual(
      list.json._embedded.config_repos.map((one: { id: string }) => one.id),
      ['zeta', 'alpha'],
    );
  });

  test('is not found when it does not exist', () =>
    isUnknown(server, `${PATH}/ghost`, repo(), "Config repo with id 'ghost' was not found!"));

  test('a repo with an id that is taken is refused, even with other errors', async () => {
    await post();
    const reply = await post({ plugin_id: '' });
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, "Failed to add config-repo 'team'. Another config-repo with the same name already exists.");
    assert.deepEqual(reply.json.data.errors.id, ['ConfigRepo ids should be unique. A ConfigRepo with the same id already exists.']);
    assert.equal((await post({ id: 'Team', ...git({ branch: 'x' }) })).status, 200, 'ids that differ in letter case are different');
  });

  test('a stale copy of a repo is refused', async () => {
    const { etag } = await post();
    await put(git({ auto_update: false }));
    for (const known of [etag, undefined]) {
      const reply = await server.put(`${PATH}/team`, repo(), known);
      stale(reply, 'Someone has modified the entity. Please update your copy with the changes and try again.', known !== undefined);
    }
  });

  test('a repo cannot be renamed, by letter case either', async () => {
    await post();
    for (const id of ['other', 'TEAM']) {
      const reply = await put({ id });
      assert.equal(reply.status, 422);
      assert.equal(reply.json.message, 'Renaming of config-repo is not supported by this API.');
    }
  });

  test('a repo without a required member is refused for that before a stale copy', async () => {
    await post();
    const reply = await server.put(`${PATH}/team`, { plugin_id: YAML }, '"stale"');
    assert.equal(reply.status, 422, reply.text);
    assert.match(reply.json.message, /does not contain property 'material'$/);
  });

  test('a repo without a required member is refused for that before an id that is taken', async () => {
    const etag = (await post()).etag;
    const reply = await server.post(PATH, { id: 'team', plugin_id: YAML });
    assert.equal(reply.status, 422, reply.text);
    assert.match(reply.json.message, /does not contain property 'material'$/);
    assert.equal((await server.get(`${PATH}/team`)).etag, etag);
  });

  test('is deleted', async () => {
    await post();
    const deleted = await server.delete(`${PATH}/team`);
    assert.equal(deleted.status, 200);
    assert.deepEqual(deleted.json, { message: "Config repo with id 'team' was deleted successfully!" });
  });

  test('a PUT may leave the id out, and replaces everything', async () => {
    await post({
      ...git({ username: 'me', password: 'hush' }),
      configuration: [{ key: 'file_pattern', value: 'x' }],
      rules: [{ directive: 'deny', action: '*', type: '*', resource: '*' }],
    });
    const { id, ...body } = repo();
    const { status, json } = await server.put(`${PATH}/team`, body, '*');
    assert.equal(status, 200);
    assert.equal(json.id, 'team');
    assert.deepEqual(json.material.attributes, { name: null, auto_update: true, url: 'https://scm.example.org/a.git', branch: 'master' });
    assert.deepEqual([json.configuration, json.rules], [[], []]);
  });

  test('a repo with a missing, blank or invalid id is refused', async () => {
    assert.equal((await server.post(PATH, {})).json.message, "Json `{}` does not contain property 'id'");
    const blank = await post({ id: '' });
    assert.equal(blank.json.message, "Validations failed for config-repo ''. Error(s): [Validation failed.]. Please correct and resubmit.");
    assert.deepEqual(blank.json.data.errors, { id: ['Configuration repository id not specified'] });
    const unsuitable = await post({ id: 'a team' });
    assert.deepEqual(unsuitable.json.data.errors, { id: [`Invalid id 'a team'. ${NAME_RULE}`] });
  });

  test('a plugin that is blank or of another kind is refused, one that is not installed is kept', async () => {
    for (const plugin_id of [undefined, null, '']) {
      const blank = await post({ plugin_id });
      assert.equal(blank.json.message, INVALID);
      assert.deepEqual(blank.json.data.errors, { pluginId: ['Configuration repository cannot have a blank plugin id.'] });
    }
    const other = await post({ plugin_id: 'cd.go.artifact.s3' });
    assert.equal(other.json.message, INVALID);
    assert.deepEqual(other.json.data.errors, { plugin_id: ['Invalid plugin id: cd.go.artifact.s3'] });
    assert.equal((await post({ plugin_id: 'com.example.not-installed' })).status, 200);
  });

  test('a repo has all its errors in one answer, each beside its object, and no links', async () => {
    const reply = await post({
      id: '.team',
      plugin_id: '',
      ...git({ url: '' }),
      configuration: [{ key: 'file_pattern' }],
      rules: [{ directive: 'allow', action: 'refer', type: 'pipeline' }],
    });
    assert.equal(reply.status, 422);
    assert.deepEqual(Object.keys(reply.json.data.errors).toSorted(), ['id', 'pluginId']);
    assert.deepEqual(Object.keys(reply.json.data.material.attributes.errors), ['url']);
    assert.deepEqual(Object.keys(reply.json.data.configuration[0].errors), ['value']);
    assert.deepEqual(Object.keys(reply.json.data.rules[0].errors), ['resource']);
    assert.ok(!reply.text.includes('_links'));
  });
});

describe('the material', () => {
  /** The attributes to send, and the attributes that come back beside the name, in their order. */
  const shownAs: [Type, object, [string, unknown][]][] = [
    [
      'git',
      {},
      [
        ['url', 'https://scm.example.org/a.git'],
        ['branch', 'master'],
      ],
    ],
    [
      'git',
      { branch: '  ' },
      [
        ['url', 'https://scm.example.org/a.git'],
        ['branch', 'master'],
      ],
    ],
    [
      'git',
      { branch: 'refs/pull/7/head:pr-7' },
      [
        ['url', 'https://scm.example.org/a.git'],
        ['branch', 'refs/pull/7/head:pr-7'],
      ],
    ],
    [
      'git',
      { username: 'me' },
      [
        ['url', 'https://scm.example.org/a.git'],
        ['username', 'me'],
        ['branch', 'master'],
      ],
    ],
    ['hg', {}, [['url', 'https://hg.example.org/a']]],
    [
      'hg',
      { username: 'me', branch: 'stable' },
      [
        ['url', 'https://hg.example.org/a'],
        ['username', 'me'],
        ['branch', 'stable'],
      ],
    ],
    ['hg', { url: 'https://hg.example.org/a##stable' }, [['url', 'https://hg.example.org/a##stable']]],
    [
      'svn',
      {},
      [
        ['url', 'https://svn.example.org/trunk'],
        ['check_externals', false],
        ['username', null],
      ],
    ],
    [
      'svn',
      { check_externals: true, username: 'me' },
      [
        ['url', 'https://svn.example.org/trunk'],
        ['check_externals', true],
        ['username', 'me'],
      ],
    ],
    [
      'p4',
      {},
      [
        ['port', 'ssl:p4.example.org:1666'],
        ['use_tickets', false],
        ['view', '//depot/... //something/...'],
        ['username', null],
      ],
    ],
    [
      'p4',
      { use_tickets: true, username: 'me' },
      [
        ['port', 'ssl:p4.example.org:1666'],
        ['use_tickets', true],
        ['view', '//depot/... //something/...'],
        ['username', 'me'],
      ],
    ],
    [
      'tfs',
      {},
      [
        ['url', 'https://tfs.example.org/collection'],
        ['project_path', '$/app'],
        ['domain', null],
        ['username', 'bob'],
      ],
    ],
    [
      'tfs',
      { domain: 'CORP' },
      [
        ['url', 'https://tfs.example.org/collection'],
        ['project_path', '$/app'],
        ['domain', 'CORP'],
        ['username', 'bob'],
      ],
    ],
  ];

  test('a material of each type has its attributes, in their order, with their defaults', async () => {
    for (const [type, attributes, expected] of shownAs) {
      const reply = await post(material(type, { ...MINIMAL[type], ...attributes }));
      assert.equal(reply.status, 200, reply.text);
      const shown = { name: null, auto_update: true, ...Object.fromEntries(expected) };
      assert.equal(JSON.stringify(reply.json.material), JSON.stringify({ type, attributes: shown }));
      assert.equal((await sendBack()).text, reply.text);
      await server.delete(`${PATH}/team`);
    }
  });

  test('a material of each type keeps a password only as cipher text, after the user name', async () => {
    for (const type of TYPES) {
      const created = await post(material(type, { ...MINIMAL[type], username: 'bob', password: `hush-${type}` }));
      assert.equal(created.status, 200, created.text);
      const { attributes } = created.json.material;
      const keys = Object.keys(attributes);
      assert.match(attributes.encrypted_password, /^v2:/);
      assert.equal(keys.indexOf('encrypted_password'), keys.indexOf('username') + 1);
      assert.ok(!created.text.includes(`hush-${type}`) && !(await isOnDisk(`hush-${type}`)));
      assert.equal((await sendBack()).text, created.text);
      const again = await put(material(type, { ...MINIMAL[type], username: 'bob', password: `hush-${type}` }));
      assert.equal(again.text, created.text);
      const removed = await put(material(type, { ...MINIMAL[type], username: 'bob' }));
      assert.equal(removed.json.material.attributes.encrypted_password, undefined);
      await server.delete(`${PATH}/team`);
    }
  });

  test('null counts as left out, for flags too', async () => {
    const nothing = { name: null, auto_update: null, branch: null, username: null, password: null, encrypted_password: null };
    const { json, text } = await post({ ...git(nothing), configuration: null, rules: null });
    assert.deepEqual(json.material?.attributes, { name: null, auto_update: true, ...MINIMAL.git, branch: 'master' }, text);
    assert.deepEqual([json.configuration, json.rules], [[], []]);
  });

  test('attributes that only materials of pipelines have are ignored', async () => {
    const { json } = await post(git({ destination: 'here', filter: { ignore: ['*'] }, invert_filter: true, shallow_clone: true }));
    assert.deepEqual(Object.keys(json.material.attributes), ['name', 'auto_update', 'url', 'branch']);
  });

  test('a flag can be off and on', async () => {
    assert.equal((await post(git({ auto_update: false }))).json.material.attributes.auto_update, false);
    assert.equal((await put(git({ auto_update: true }))).json.material.attributes.auto_update, true);
  });

  test('types are read in any letter case, and unknown ones are named', async () => {
    assert.equal((await post({ material: { type: 'GIT', attributes: MINIMAL.git } })).json.material.type, 'git');
    for (const type of ['cvs', 'package', 'dependency', '']) {
      const reply = await put(material(type, {}));
      assert.equal(reply.status, 422);
      assert.equal(
        reply.json.message,
        `Your request could not be processed. Unsupported material type: ${type}. It has to be one of 'git, hg, svn, p4 and tfs'.`,
      );
    }
  });

  test('a type that is unknown or missing is answered as it was sent', async () => {
    const shownFor = async (given: unknown) => (await post({ material: given })).json.data.material.type;
    assert.equal(await shownFor({ type: 'Cvs', attributes: MINIMAL.git }), 'Cvs');
    assert.equal(await shownFor({ attributes: MINIMAL.git }), null);
    assert.equal(await shownFor(undefined), null);
    await post();
    assert.equal((await put(material('Cvs', {}))).json.data.material.type, 'Cvs');
  });

  test('a material with a missing member, or one of the wrong type, is refused', async () => {
    const messageFor = async (given: unknown) => (await post({ material: given })).json.message;
    assert.equal(
      await messageFor(undefined),
      'Json `{"id":"team","plugin_id":"yaml.config.plugin"}` does not contain property \'material\'',
    );
    assert.equal(await messageFor({}), "Json `{}` does not contain property 'type'");
    assert.equal(await messageFor({ type: 'git' }), 'Json `{"type":"git"}` does not contain property \'attributes\'');
    assert.equal(
      await messageFor({ type: 'git', attributes: [] }),
      'Could not read property \'attributes\' as a JsonObject in json `{"type":"git","attributes":[]}`',
    );
    assert.equal(
      await messageFor({ type: 'git', attributes: { url: {} } }),
      'Could not read property \'url\' as a String in json `{"url":{}}` ',
    );
    assert.equal(
      await messageFor({ type: 'git', attributes: { auto_update: {} } }),
      'Could not read property \'auto_update\' as a Boolean in json `{"auto_update":{}}` ',
    );
  });

  test('a secret of the wrong type is not repeated', async () => {
    for (const password of [['hush'], { is: 'hush' }]) {
      const reply = await post(git({ password }));
      assert.equal(reply.status, 422);
      assert.match(reply.json.message, /^Could not read property 'password' as a String in json `/);
      assert.ok(!reply.text.includes('hush'), reply.text);
    }
  });

  test('a name is refused', async () => {
    const reply = await post(git({ name: 'mine' }));
    assert.equal(reply.status, 422);
    assert.equal(reply.json.message, INVALID);
    assert.deepEqual(Object.keys(reply.json.data.material.attributes.errors), ['name']);
  });

  const NO_CONTROL = 'This must not hold control characters, such as line breaks.';
  const invalid: [Type, object, Record<string, string[]>][] = [
    ['git', { url: '' }, { url: ['URL cannot be blank'] }],
    ['hg', { url: ' ' }, { url: ['URL cannot be blank'] }],
    ['svn', { url: null }, { url: ['URL cannot be blank'] }],
    ['tfs', { url: undefined }, { url: ['URL cannot be blank'] }],
    ...(['git', 'hg', 'svn', 'tfs'] as const).map((type): [Type, object, Record<string, string[]>] => [
      type,
      { url: '-u evil' },
      { url: ['URL does not seem to be valid.'] },
    ]),
    ...(['git', 'hg', 'svn', 'tfs'] as const).map((type): [Type, object, Record<string, string[]>] => [
      type,
      { url: 'https://scm.example.org/a\0.git' },
      { url: [NO_CONTROL] },
    ]),
    ...(['git', 'hg'] as const).flatMap((type) =>
      [{ username: 'me' }, { password: 'hush' }, { username: 'me', password: 'hush' }].map(
        (more): [Type, object, Record<string, string[]>] => [
          type,
          { url: 'https://me:hush@scm.example.org/a', ...more },
          { url: ['Ambiguous credentials, must be provided either in URL or as attributes.'] },
        ],
      ),
    ),
    [
      'hg',
      { url: 'https://hg.example.org/a##stable', branch: 'stable' },
      { url: ['Ambiguous branch, must be provided either in URL or as an attribute.'] },
    ],
    ['git', { branch: 'release/*' }, { branch: ["Branch names may not contain '*'"] }],
    ['git', { branch: ':here' }, { branch: ['Refspec is missing a source ref'] }],
    ['git', { branch: 'heads/a:here' }, { branch: ['Refspec source must be an absolute ref (must start with `refs/`)'] }],
    ['git', { branch: 'refs/heads/a:' }, { branch: ['Refspec is missing a destination ref'] }],
    [
      'git',
      { branch: 'refs/heads/*:refs/remotes/origin/*' },
      { branch: ['Refspecs may not contain wildcards; source and destination refs must be exact'] },
    ],
    ['p4', { view: '' }, { view: ['P4 view cannot be empty.'] }],
    ['p4', { port: null, view: ' ' }, { view: ['P4 view cannot be empty.'], port: ['P4 port cannot be empty.'] }],
    ['tfs', { username: '' }, { username: ['Username cannot be blank'] }],
    ['tfs', { project_path: undefined }, { projectPath: ['Project Path cannot be blank'] }],
    ...TYPES.map((type): [Type, object, Record<string, string[]>] => [
      type,
      { password: 'x', encrypted_password: 'y' },
      { password: [NOT_BOTH_PASSWORDS], encrypted_password: [NOT_BOTH_PASSWORDS] },
    ]),
  ];

  test('has errors beside its attributes', async () => {
    for (const [type, attributes, errors] of invalid) {
      const reply = await post(material(type, { ...MINIMAL[type], ...attributes }));
      assert.equal(reply.status, 422, reply.text);
      assert.equal(reply.json.message, INVALID);
      assert.deepEqual(reply.json.data.material.attributes.errors, errors, `${type} ${JSON.stringify(attributes)}`);
      assert.equal(reply.json.data.material.type, type);
      assert.ok(!reply.text.includes('hush'), reply.text);
    }
    assert.deepEqual((await server.get(PATH)).json._embedded.config_repos, []);
  });

  test('the user of an ssh address counts as credentials beside a user name, too', async () => {
    for (const type of ['git', 'hg'] as const) {
      const reply = await post(material(type, { url: 'ssh://git@scm.example.org/a', username: 'me' }));
      assert.equal(reply.status, 422, reply.text);
      assert.deepEqual(reply.json.data.material.attributes.errors, {
        url: ['Ambiguous credentials, must be provided either in URL or as attributes.'],
      });
    }
  });

  test('a material with changed cipher text gets two messages, the second with the type and the address', async () => {
    const classNames = { git: 'GitMaterial', hg: 'HgMaterial', svn: 'SvnMaterial', p4: 'P4Material', tfs: 'TfsMaterial' };
    for (const type of TYPES) {
      const address = 'port' in MINIMAL[type] ? MINIMAL[type].port : (MINIMAL[type] as { url: string }).url;
      const reply = await post(material(type, { ...MINIMAL[type], encrypted_password: 'v1:00000000:AAAA' }));
      assert.equal(reply.json.message, INVALID);
      assert.deepEqual(reply.json.data.material.attributes.errors, {
        encrypted_password: [
          'Encrypted value for password is invalid. This usually happens when the cipher text is invalid.',
          `Encrypted password value for ${classNames[type]} with url '${address}' is invalid. This usually happens when the cipher text is modified to have an invalid value.`,
        ],
      });
    }
  });
});

describe('a repository that a pipeline polls, too', () => {
  const PIPELINE = '/api/admin/pipelines/web';
  beforeEach(async () => {
    await server.post('/api/admin/pipeline_groups', { name: 'shop' });
    const pipeline = {
      name: 'web',
      materials: [{ type: 'git', attributes: MINIMAL.git }],
      stages: [{ name: 'build', jobs: [{ name: 'compile', tasks: [{ type: 'exec', attributes: { command: 'make' } }] }] }],
    };
    assert.equal((await server.post('/api/admin/pipelines', { group: 'shop', pipeline })).status, 200);
  });
  afterEach(() => server.delete(PIPELINE));

  test('can be a config repo', async () => {
    assert.equal((await post(git())).status, 200);
    assert.equal((await server.delete(`${PATH}/team`)).status, 200);
  });

  test('must be polled automatically by both or by neither', async () => {
    const reply = await post(git({ auto_update: false }));
    assert.equal(reply.status, 422, reply.text);
    assert.equal(reply.json.message, INVALID);
    const { auto_update, ...others } = reply.json.data.material.attributes.errors;
    assert.deepEqual(others, {});
    assert.deepEqual(
      auto_update.map((message: string) => message.trimEnd()),
      [
        'The material of type Git (https://scm.example.org/a.git) is used elsewhere with a different value for autoUpdate (poll for changes). All copies of this material must have the same autoUpdate setting or configuration repository must be removed.\nConfig Repository: team (auto update disabled).\nPipelines:\n web (auto update enabled)',
      ],
    );
    assert.equal((await post(git({ auto_update: false, branch: 'other' }))).status, 200, 'another branch is another repository');
  });
});

describe('credentials in addresses', () => {
  const masked: [Type, string, string][] = [
    ['git', 'https://bob:hush-1@scm.example.org/a', 'https://bob:******@scm.example.org/a'],
    ['git', 'https://hush-2@scm.example.org/a', 'https://******@scm.example.org/a'],
    ['git', 'HTTP://bob:hush-3@scm.example.org:8080/a?x=y@z', 'HTTP://bob:******@scm.example.org:8080/a?x=y@z'],
    ['git', 'ssh://bob:hush-4@scm.example.org/a', 'ssh://bob:******@scm.example.org/a'],
    ['hg', 'https://bob:hush-5@hg.example.org/a##stable', 'https://bob:******@hg.example.org/a##stable'],
    ['svn', 'https://bob:hush-6@svn.example.org/a', 'https://bob:******@svn.example.org/a'],
    ['tfs', 'https://bob:hush-7@tfs.example.org/a', 'https://bob:******@tfs.example.org/a'],
  ];

  test('are masked in answers, kept only as cipher text, and survive being sent back masked', async () => {
    for (const [type, url, shown] of masked) {
      const created = await post(material(type, { ...MINIMAL[type], url }));
      assert.equal(created.status, 200, created.text);
      assert.equal(created.json.material.attributes.url, shown);
      const kept = await sendBack();
      assert.equal(kept.text, created.text);
      assert.equal(kept.etag, created.etag);
      // An unchanged ETag shows that it is the real address that was kept, not the mask.
      const again = await put(material(type, { ...MINIMAL[type], url }));
      assert.equal(again.etag, created.etag);
      assert.ok(!(await server.get(PATH)).text.includes('hush'));
      assert.ok(!(await isOnDisk(/hush-\d/.exec(url)![0])) && !server.log.includes('hush'));
      await server.delete(`${PATH}/team`);
    }
  });

  test('survive a change of something else beside the masked address', async () => {
    const url = 'https://bob:hush@scm.example.org/a';
    const created = await post(git({ url }));
    const changed = await put(git({ url: created.json.material.attributes.url, branch: 'main' }));
    assert.equal(changed.status, 200, changed.text);
    assert.equal((await put(git({ url, branch: 'main' }))).etag, changed.etag);
    assert.notEqual((await put(git({ url: url.replace('hush', 'other'), branch: 'main' }))).etag, changed.etag);
  });

  test('a masked address that was never returned is refused', async () => {
    const created = await post(git({ url: 'https://bob:******@scm.example.org/a' }));
    assert.equal(created.status, 422);
    assert.deepEqual(Object.keys(created.json.data.material.attributes.errors), ['url']);
    await post(git({ url: 'https://bob:hush@scm.example.org/a' }));
    assert.equal((await put(git({ url: 'https://bob:******@other.example.org/a' }))).status, 422);
  });

  test('a lone user over ssh, and a text that is no address, stay as they are', async () => {
    for (const url of ['ssh://git@scm.example.org/a', 'svn+ssh://me@scm.example.org/a', 'git@scm.example.org:a.git', '/srv/a@b']) {
      assert.equal((await post(git({ url }))).json.material?.attributes.url, url);
      await server.delete(`${PATH}/team`);
    }
  });

  test('are not in answers that refuse the address', async () => {
    for (const url of [' https://bob:hush@scm.example.org/a', '-https://bob:hush@scm.example.org/a']) {
      const reply = await post(git({ url }));
      assert.equal(reply.status, 422);
      assert.ok(!reply.text.includes('hush'), reply.text);
    }
  });

  test('are not in messages about members of the wrong type', async () => {
    const reply = await post(git({ url: 'https://bob:hush@scm.example.org/a', branch: {} }));
    assert.equal(reply.status, 422);
    assert.ok(!reply.text.includes('hush'), reply.text);
  });
});

describe('the same repository twice', () => {
  const DUPLICATE = (shown: string) => ({
    material: [`You have defined multiple configuration repositories with the same repository - '${shown}'.`],
  });
  const second = (more: object) => post({ id: 'second', ...more });

  test('is refused, with the address as it is shown', async () => {
    const url = 'https://bob:hush@scm.example.org/a';
    await post(git({ url, auto_update: false }));
    const reply = await second(git({ url }));
    assert.equal(reply.status, 422);
    assert.equal(
      reply.json.message,
      "Validations failed for config-repo 'second'. Error(s): [Validation failed.]. Please correct and resubmit.",
    );
    assert.deepEqual(reply.json.data.errors, DUPLICATE('https://bob:******@scm.example.org/a'));
    assert.ok(!reply.text.includes('hush'));
    assert.equal((await put(git({ url }))).status, 200, 'a repo is no duplicate of itself');
    assert.equal((await second(git({ url: url.replace('hush', 'other') }))).status, 200, 'other credentials make another repository');
    assert.deepEqual(
      (await server.put(`${PATH}/second`, repo({ id: 'second', ...git({ url }) }), '*')).json.data.errors,
      DUPLICATE('https://bob:******@scm.example.org/a'),
    );
  });

  test('each type of repository has its own rules of being the same', async () => {
    const cases: [Type, object, boolean][] = [
      ['git', { branch: 'master' }, true],
      ['git', { username: 'me', password: 'hush' }, true],
      ['git', { branch: 'main' }, false],
      ['git', { url: 'https://scm.example.org/a.git/' }, false],
      ['hg', { username: 'me' }, true],
      ['hg', { branch: 'stable' }, false],
      ['svn', { password: 'hush' }, true],
      ['svn', { check_externals: true }, false],
      ['svn', { username: 'me' }, false],
      ['p4', { use_tickets: true }, true],
      ['p4', { view: '//other/...' }, false],
      ['tfs', { domain: 'CORP' }, false],
      ['tfs', { project_path: '$/other' }, false],
    ];
    for (const [type, difference, isSame] of cases) {
      await post(material(type, MINIMAL[type]));
      const reply = await second(material(type, { ...MINIMAL[type], ...difference }));
      assert.equal(reply.status, isSame ? 422 : 200, `${type} ${JSON.stringify(difference)}`);
      for (const id of ['team', 'second']) await server.delete(`${PATH}/${id}`);
    }
  });

  test('an empty branch or domain is the same as none', async () => {
    for (const [type, nothing] of [
      ['hg', { branch: '' }],
      ['tfs', { domain: '' }],
    ] as const) {
      await post(material(type, MINIMAL[type]));
      assert.equal((await second(material(type, { ...MINIMAL[type], ...nothing }))).status, 422, type);
      await server.delete(`${PATH}/team`);
    }
  });

  test('a repository of another type at the same address is not the same', async () => {
    await post(git());
    assert.equal((await second(material('hg', MINIMAL.git))).status, 200);
  });
});

describe('the settings', () => {
  const configured = (...configuration: unknown[]) => post({ configuration });

  test('the sender may mark a setting as secret, by either of two names', async () => {
    for (const [index, word] of ['is_secure', 'secure'].entries()) {
      const { status, json } = await configured({ key: 'file_pattern', value: `hush-${index}`, [word]: true });
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(json.configuration[0]), ['key', 'encrypted_value']);
      assert.ok(!(await isOnDisk(`hush-${index}`)));
      await server.delete(`${PATH}/team`);
    }
    const plain = await configured({ key: 'file_pattern', value: 'x', is_secure: false });
    assert.deepEqual(plain.json.configuration, [{ key: 'file_pattern', value: 'x' }]);
  });

  test('a secret setting can be sent back as it was returned', async () => {
    const created = await configured({ key: 'file_pattern', value: 'hush', is_secure: true });
    const kept = await sendBack();
    assert.equal(kept.status, 200, kept.text);
    assert.equal(kept.text, created.text);
    assert.equal(kept.etag, created.etag);
  });

  test('settings of a missing plugin are secret if their keys look so, and take cipher text back', async () => {
    const created = await post({
      plugin_id: 'com.example.not-installed',
      configuration: [
        { key: 'depth', value: '3' },
        { key: 'ApiToken', value: 'hush' },
        { key: 'colour', value: 'red', secure: true },
      ],
    });
    assert.deepEqual(
      created.json.configuration.map((one: object) => Object.keys(one)[1]),
      ['value', 'encrypted_value', 'encrypted_value'],
    );
    assert.equal((await sendBack()).text, created.text);
  });

  test('a setting may be empty: then the one of the plugin counts', async () => {
    for (const more of [{}, { is_secure: true }]) {
      const created = await configured({ key: 'file_pattern', value: '', ...more });
      assert.deepEqual(created.json.configuration, [{ key: 'file_pattern', value: '' }]);
      assert.equal((await sendBack()).text, created.text);
      await server.delete(`${PATH}/team`);
    }
    await configured({ key: 'file_pattern', value: '' });
    const { text, headers } = await server.get('/api/admin/config.xml');
    const form = new URLSearchParams({ xmlFile: text, md5: headers.get('x-cruise-config-md5')! });
    const saved = await server.ask('POST', '/api/admin/config.xml', {
      text: String(form),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Svc-Confirm': 'true' },
    });
    assert.equal(saved.status, 200, saved.text);
  });

  test('a setting needs one form of a value, and only one', async () => {
    for (const empty of [{}, { value: null }, { value: null, encrypted_value: ' ' }, { is_secure: true }]) {
      const reply = await configured({ key: 'file_pattern', ...empty });
      assert.equal(reply.status, 422);
      assert.equal(reply.json.message, INVALID);
      assert.deepEqual(Object.keys(reply.json.data.configuration[0].errors), ['value']);
    }
    const both = await configured({ key: 'file_pattern', value: 'x', encrypted_value: 'y', is_secure: true });
    const message = 'You may only specify `value` or `encrypted_value`, not both!';
    assert.deepEqual(both.json.data.configuration[0].errors, { value: [message], encrypted_value: [message] });
  });

  test('cipher text of a setting that was changed is refused', async () => {
    const reply = await configured({ key: 'file_pattern', encrypted_value: 'v1:00000000:AAAA', is_secure: true });
    assert.equal(reply.json.message, INVALID);
    assert.deepEqual(reply.json.data.configuration[0].errors, {
      encrypted_value: [
        "Encrypted value for property with key 'file_pattern' is invalid. This usually happens when the cipher text is modified to have an invalid value.",
      ],
    });
  });

  test('an entry without a key cannot be read', async () => {
    for (const entry of [{ value: 'x' }, 'file_pattern', { key: 'file_pattern', value: [] }]) {
      const reply = await configured(entry);
      assert.equal(reply.status, 400);
      assert.deepEqual(reply.json, { message: 'Payload data is not valid JSON: Could not parse configuration property' });
    }
  });
});

describe('the rules', () => {
  const rule = { directive: 'allow', action: 'refer', type: 'pipeline', resource: 'team-*' };

  test('are kept in their order, as they were written', async () => {
    const rules = [
      { ...rule, directive: 'deny', resource: 'team-secret' },
      { ...rule, action: 'REFER', type: 'Pipeline_Group' },
      { ...rule, action: '*', type: '*', resource: '*' },
      { ...rule, type: 'environment', resource: 'qa-?' },
    ];
    const { json } = await post({ rules });
    assert.equal(JSON.stringify(json.rules), JSON.stringify(rules));
  });

  test('the errors of a rule stand beside it', async () => {
    const wrong = {
      directive: "Invalid directive, must be either 'allow' or 'deny'.",
      action: 'Invalid action, must be one of [refer].',
      type: 'Invalid type, must be one of [pipeline, pipeline_group, environment].',
      resource: 'Resource cannot be blank.',
    };
    const cases: [object, (keyof typeof wrong)[]][] = [
      [{ directive: 'ALLOW' }, ['directive']],
      [{ directive: undefined }, ['directive']],
      [{ action: 'view' }, ['action']],
      [{ type: 'config_repo' }, ['type']],
      [{ resource: ' ' }, ['resource']],
      [{ directive: null, action: null, type: null, resource: null }, ['directive', 'action', 'type', 'resource']],
    ];
    for (const [change, keys] of cases) {
      const reply = await post({ rules: [rule, { ...rule, ...change }] });
      assert.equal(reply.status, 422);
      assert.equal(reply.json.message, INVALID);
      assert.equal(reply.json.data.rules[0].errors, undefined);
      assert.deepEqual(reply.json.data.rules[1].errors, Object.fromEntries(keys.map((key) => [key, [wrong[key]]])));
    }
  });

  test('values of the wrong type are refused', async () => {
    const reply = await post({ rules: 'all' });
    assert.equal(reply.status, 422);
    assert.match(reply.json.message, /^Could not read property 'rules' as a JsonArray in json `.*`$/);
    assert.equal((await post({ rules: ['all'] })).status, 422);
  });
});
