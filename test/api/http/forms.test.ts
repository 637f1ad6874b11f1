// Forms: every resource has one, with all that a page needs to let people fill it in.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { registry } from '../../../src/resources/index.ts';
import { snakeCase } from '../../../src/shape/json/json.ts';
import { kindsOf, resourceName } from '../../../src/shape/resource.ts';
import { accepted, addRole, addUser, startServer } from '../../support/requests/callers.ts';
import type { TestServer } from '../../support/server/server.ts';

const PATH = '/api/forms';
const kinds = kindsOf(registry).filter(({ isInternal }) => !isInternal);

interface Schema {
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly readOnly?: boolean;
  readonly $ref?: string;
  readonly 'x-refers-to'?: string;
  readonly 'x-secret'?: string;
  readonly 'x-choices'?: readonly { readonly value: string; readonly label: string }[];
  readonly 'x-plugin'?: { readonly extension: string | null; readonly settings?: string; readonly through?: string };
  readonly 'x-variants'?: { readonly discriminator: string; readonly choices: readonly unknown[] };
}

interface Form {
  readonly resource: string;
  readonly title: string;
  readonly singular: string;
  readonly can_view: boolean;
  readonly can_create: boolean;
  readonly can_delete: boolean;
  readonly is_set: boolean | null;
  readonly has_usages: string | null;
  readonly created_as: object | null;
  readonly schema: Schema;
  readonly example: object;
}

let server: TestServer;
let jez: string;
let forms: readonly Form[];
before(async () => {
  server = await startServer();
  jez = await addUser(server, 'jez');
  forms = await Promise.all(kinds.map(async (kind) => accepted(await server.get(`${PATH}/${resourceName(kind)}`)).json));
});
after(() => server.stop());

/** Every schema of a form, with the place where it is and whether it is that of a property. */
function* schemasIn(schema: Schema, at: string, isProperty = false): Generator<{ schema: Schema; at: string; isProperty: boolean }> {
  yield { schema, at, isProperty };
  for (const [name, member] of Object.entries(schema.properties ?? {})) yield* schemasIn(member, `${at}.${name}`, true);
  if (schema.items) yield* schemasIn(schema.items, `${at}[]`);
  for (const [index, variant] of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].entries()) yield* schemasIn(variant, `${at}|${index}`);
}

const everything = () => forms.flatMap(({ resource, schema }) => [...schemasIn(schema, resource)]);

/** The places where something is wrong. */
function wrong(isWrong: (schema: Schema, isProperty: boolean) => boolean): string[] {
  return everything().flatMap(({ schema, at, isProperty }) => (isWrong(schema, isProperty) ? [at] : []));
}

const formOf = (resource: string): Form => forms.find((form) => form.resource === resource)!;

describe('the list', () => {
  test('the list has a form for every resource, and each form alone has the same facts', async () => {
    const listed: readonly Form[] = accepted(await server.get(PATH)).json.forms;
    assert.deepEqual(
      listed.map(({ resource }) => resource),
      kinds.map(resourceName),
    );
    assert.equal(new Set(listed.map(({ resource }) => resource)).size, listed.length);
    for (const facts of listed) {
      const { schema: _, example, ...alone } = formOf(facts.resource);
      assert.ok(example);
      assert.deepEqual({ ...alone, _links: undefined }, { ...facts, _links: undefined });
    }
  });

  test('the list gives the display names of the resources, and the route of their usages', () => {
    const { title, singular, has_usages: usages } = formOf('scms');
    assert.deepEqual([title, singular, usages], ['SCMs', 'SCM', '/api/admin/scms/{id}/usages']);
    assert.deepEqual([formOf('pipelines').title, formOf('pipelines').singular], ['Pipelines', 'pipeline']);
    assert.equal(formOf('profiles').has_usages, '/api/internal/elastic/profiles/{id}/usages');
    assert.equal(formOf('mailserver').title, 'Mail server');
    assert.deepEqual([formOf('pipelines').created_as, formOf('scms').created_as], [{ member: 'pipeline', beside: ['group'] }, null]);
    assert.deepEqual([formOf('mailserver').has_usages, formOf('webhooks').has_usages], [null, null]);
    const any = (resource: string) => `/api/admin/config/entities/${resource}/{id}/usages`;
    for (const resource of ['artifact_stores', 'auth_configs', 'cluster_profiles', 'repositories', 'roles', 'secret_configs'])
      assert.equal(formOf(resource).has_usages, any(resource));
  });

  test('says which actions the caller may take', async () => {
    const ofJez: readonly Form[] = accepted(await server.get(PATH, { as: jez })).json.forms;
    for (const form of ofJez) assert.deepEqual([form.can_view, form.can_create, form.can_delete], [false, false, false], form.resource);
    const { can_view: canView, can_create: canCreate, can_delete: canDelete } = formOf('artifact_stores');
    assert.deepEqual([canView, canCreate, canDelete], [true, true, true]);
    assert.deepEqual([formOf('site_urls').can_create, formOf('site_urls').can_delete], [false, false]);
    assert.equal(formOf('mailserver').can_delete, true);
  });

  test('says which settings are set, to callers who may see them', async () => {
    const isSet = async (as?: string) => accepted(await server.get(`${PATH}/backup`, { ...(as !== undefined && { as }) })).json.is_set;
    assert.equal(formOf('artifact_stores').is_set, null);
    assert.equal(await isSet(), false);
    accepted(await server.post('/api/config/backup', { schedule: '0 0 2 * * ?' }));
    assert.deepEqual([await isSet(), await isSet(jez)], [true, false]);
    accepted(await server.delete('/api/config/backup'));
    assert.equal(await isSet(), false);
  });

  test('covers callers with rights by a role or a pipeline group, too', async () => {
    const [viewer, admin, ofGroup] = [await addUser(server, 'viewer'), await addUser(server, 'keeper'), await addUser(server, 'lead')];
    await addRole(server, 'viewers', ['viewer'], 'allow view environment *');
    await addRole(server, 'keepers', ['keeper'], 'allow administer environment *');
    const authorization = { view: {}, operate: {}, admins: { users: ['lead'] } };
    accepted(await server.post('/api/admin/pipeline_groups', { name: 'led', authorization }));
    const viewAndCreate = async (as: string, resource: string) => {
      const { can_view: canView, can_create: canCreate }: Form = accepted(await server.get(`${PATH}/${resource}`, { as })).json;
      return [canView, canCreate];
    };
    assert.deepEqual(await viewAndCreate(viewer, 'environments'), [true, false]);
    assert.deepEqual(await viewAndCreate(admin, 'environments'), [true, true]);
    assert.deepEqual(await viewAndCreate(admin, 'config_repos'), [false, false]);
    assert.deepEqual(await viewAndCreate(ofGroup, 'pipelines'), [true, true]);
    assert.deepEqual(await viewAndCreate(ofGroup, 'pipeline_groups'), [true, false]);
    assert.deepEqual(await viewAndCreate(ofGroup, 'scms'), [true, true]);
    assert.deepEqual(await viewAndCreate(ofGroup, 'environments'), [false, false]);
  });

  test('is kept by its ETag', async () => {
    const { etag } = await server.get(PATH);
    assert.equal((await server.get(PATH, { headers: { 'If-None-Match': etag! } })).status, 304);
    assert.equal((await server.get(PATH, { as: jez, headers: { 'If-None-Match': etag! } })).status, 200);
  });
});

test('a resource without a form is not found', async () => {
  assert.equal((await server.get(`${PATH}/server_identity`)).status, 404);
  assert.equal((await server.get(`${PATH}/unknown`)).json.message, "There is no form for 'unknown'.");
});

describe('every form', () => {
  test('takes its own example', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { resource, schema, example } of forms) {
      assert.ok(ajv.validate(schema, example), `${resource}: ${ajv.errorsText()}`);
    }
  });

  test('has a title for each property', () =>
    assert.deepEqual(
      wrong(({ title }, isProperty) => isProperty && !title),
      [],
    ));

  test('contains no references to other schemas', () =>
    assert.deepEqual(
      wrong(({ $ref }) => $ref !== undefined),
      [],
    ));

  test('refers to forms that there are', () => {
    const names = new Set(forms.map(({ resource }) => resource));
    assert.deepEqual(
      wrong(({ 'x-refers-to': resource, 'x-plugin': plugin }) => [resource, plugin?.through].some((name) => name && !names.has(name))),
      [],
    );
  });

  test('names the encrypted form of its secrets among its members', () => {
    assert.deepEqual(
      wrong(({ properties = {} }) => Object.values(properties).some(({ 'x-secret': sibling }) => sibling && !(sibling in properties))),
      [],
    );
  });

  test('has a label for every choice and every variant', () => {
    assert.deepEqual(
      wrong(({ 'x-choices': choices = [] }) => choices.some(({ value, label }) => !value || !label)),
      [],
    );
    assert.deepEqual(
      wrong(({ oneOf, anyOf, 'x-variants': variants }) => variants !== undefined && variants.choices.length !== (oneOf ?? anyOf)?.length),
      [],
    );
  });

  test('is small enough to be asked for', () => {
    for (const form of forms) {
      const maxBytes = ['pipelines', 'templates'].includes(form.resource) ? 130_000 : 20_000;
      assert.ok(JSON.stringify(form).length <= maxBytes, `${form.resource}: ${JSON.stringify(form).length}`);
    }
  });
});

test('settings of plugins are described where the form says', async () => {
  const { json } = await server.get('/api/admin/plugin_info');
  const extensions: readonly Readonly<Record<string, unknown>>[] = json._embedded.plugin_info.flatMap(
    ({ extensions: all }: { extensions: unknown }) => all,
  );
  for (const { schema, at } of everything()) {
    const { extension, settings } = schema['x-plugin'] ?? {};
    // No plugin that comes with the server decides which users have a role.
    if (settings === undefined || settings === 'role_settings') continue;
    const isKnown = extensions.some((one) => (extension === null || one.type === extension) && settings in one);
    assert.ok(isKnown, `${at}: ${extension} ${settings}`);
  }
});

test('settings are those of the plugin that checks them', () => {
  for (const kind of kinds) {
    if (!kind.plugin) continue;
    const { kind: extension = null, block, settings } = kind.plugin;
    const hint = formOf(resourceName(kind)).schema.properties?.[snakeCase(settings)]?.['x-plugin'];
    assert.deepEqual([hint?.extension, hint?.settings], [extension, `${block}_settings`], kind.name);
  }
});

describe('the forms of some resources', () => {
  const property = (resource: string, ...path: readonly string[]) =>
    path.reduce<Schema>((schema, name) => schema.properties![name]!, formOf(resource).schema);

  test('offer choices to people', () => {
    assert.equal(property('profiles', 'cluster_profile_id')['x-refers-to'], 'cluster_profiles');
    assert.deepEqual(property('artifact_stores', 'plugin_id')['x-plugin'], { extension: 'artifact' });
    assert.deepEqual(property('config_repos', 'material')['x-variants'], {
      discriminator: 'type',
      choices: [
        { value: 'git', label: 'Git' },
        { value: 'hg', label: 'Mercurial' },
        { value: 'svn', label: 'Subversion' },
        { value: 'p4', label: 'Perforce' },
        { value: 'tfs', label: 'Tfs' },
      ],
    });
  });

  test('mark members that only the server sets', () => {
    assert.equal(property('scms', 'origin').readOnly, true);
    assert.equal(property('scms', '_links').readOnly, true);
    assert.equal(property('scms', 'name').readOnly, undefined);
  });

  test('mark secret members', () => assert.equal(property('mailserver', 'password')['x-secret'], 'encrypted_password'));
});
