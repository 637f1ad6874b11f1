// Every resource has a form that takes its documented example and gives it back, and every problem with it stands beside its field.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isObject, type Json, type JsonObject, textOf } from '../../../pages/api/json.ts';
import { pageOfForm } from '../../../pages/forms/areas.ts';
import { allProblems } from '../../../pages/forms/edit/problems.ts';
import { formBody } from '../../../pages/forms/model/body.ts';
import { declaredBy, type PluginInfo } from '../../../pages/forms/model/declared.ts';
import { chosenNode, type Node, type ObjectNode, objectOf } from '../../../pages/forms/model/node.ts';
import { assignProblems } from '../../../pages/forms/model/problems.ts';
import { withDeclared } from '../../../pages/forms/model/settings.ts';
import { type Field, formField, type ObjectField } from '../../../pages/forms/schema/fields.ts';
import type { FormDescription, FormFacts } from '../../../pages/forms/schema/schema.ts';
import { isPageAddress } from '../../../src/api/pages/addresses.ts';
import { registry } from '../../../src/resources/index.ts';
import { kindsOf, resourceName } from '../../../src/shape/resource.ts';
import { accepted } from '../../support/requests/callers.ts';
import { type Reply, TestServer } from '../../support/server/server.ts';

/** Resources whose bodies are made by pages of their own. */
const OWN_BODIES: ReadonlySet<string> = new Set(['pipelines']);
const resources = kindsOf(registry)
  .filter(({ isInternal }) => !isInternal)
  .map(resourceName)
  .filter((resource) => !OWN_BODIES.has(resource));

let server: TestServer;
let facts: readonly FormFacts[];
let plugins: readonly PluginInfo[];
before(async () => {
  server = await TestServer.start();
  facts = accepted(await server.get('/api/forms')).json.forms;
  plugins = accepted(await server.get('/api/admin/plugin_info')).json._embedded.plugin_info;
});
after(() => server.stop());

const described = async (resource: string): Promise<FormDescription> => accepted(await server.get(`/api/forms/${resource}`)).json;

/** A form as the page opens it, with a place for each setting that the plugin declares. */
async function opened({ schema }: FormDescription, value: Json): Promise<ObjectNode> {
  const form = objectOf(formField(schema), value);
  await declareIn(form);
  return form;
}

async function declareIn(node: Node): Promise<void> {
  if (node.is === 'object') for (const member of node.members) await declareIn(member);
  const chosen = node.is === 'variant' ? chosenNode(node) : undefined;
  if (chosen !== undefined) await declareIn(chosen);
  if (node.is !== 'settings') return;
  const { plugin: note } = node.field;
  const name = node.namedBy?.value ?? '';
  const id = note.through === undefined ? name : await pluginOf(note.through, name);
  const plugin = plugins.find((one) => one.id === id);
  node.settings.value = withDeclared(node.settings.value, (plugin && declaredBy(plugin, note)) ?? []);
}

async function pluginOf(resource: string, name: string): Promise<string> {
  const form = facts.find((one) => one.resource === resource)!;
  const { plugin_id: id, plugin_metadata: metadata } = (await server.get(`${form.path}/${name}`)).json;
  return id ?? metadata?.id;
}

const addressOf = ({ is_singleton: isSingleton, path, address_field: field }: FormFacts, body: Json): string =>
  isSingleton || !isObject(body) ? path : `${path}/${encodeURIComponent(textOf(body[field ?? 'id']))}`;

async function create({ is_singleton: isSingleton, path }: FormFacts, body: Json): Promise<Reply> {
  const there = await server.get(path);
  return isSingleton && there.status === 200 ? server.put(path, body, there.etag ?? '*') : server.post(path, body);
}

/** The server names the member by the word of GoCD, so its description cannot say that it is required. Its editor is made by hand. */
const NAMED_OTHERWISE = 'config_repos pluginId';

for (const resource of resources) {
  describe(resource, () => {
    let form: FormDescription;
    before(async () => {
      form = await described(resource);
    });

    test('has a page', () => assert.ok(isPageAddress(pageOfForm(form))));

    test('takes its example, and gives it back unchanged', async () => {
      // The body also has the default values that the example leaves out.
      assert.partialDeepStrictEqual(formBody(await opened(form, form.example)), form.example);
      accepted(await create(form, form.example));
      const address = addressOf(form, form.example);
      const there = accepted(await server.get(address));
      const again = await server.put(`${address}?dry_run=true`, formBody(await opened(form, there.json)), there.etag);
      assert.equal(again.status, 200, again.text);
      assert.deepEqual(again.json._plan?.changes ?? [], []);
    });

    test('calls nothing optional that is not', async () => {
      const there = accepted(await server.get(addressOf(form, form.example)));
      const required = requiredOf(formField(form.schema), form.example);
      const reply = await server.put(`${addressOf(form, form.example)}?dry_run=true`, required, there.etag);
      const wrong = allProblems(reply.json.data).map(({ path }) => `${resource} ${path.join('.')}`);
      assert.deepEqual(
        wrong.filter((path) => !ONE_OF_TWO.has(path) && path !== NAMED_OTHERWISE),
        [],
        reply.text,
      );
    });

    test('has a place for every problem', async () => {
      const there = accepted(await server.get(addressOf(form, form.example)));
      for (const body of spoilt(form.example)) {
        const root = await opened(form, body);
        const reply = await server.put(`${addressOf(form, form.example)}?dry_run=true`, formBody(root), there.etag);
        if (reply.status !== 422) continue;
        assert.deepEqual(assignProblems(root, reply.json), [], reply.text);
      }
    });
  });
}

/** Either is needed, this or another member, and so both are called optional. */
const ONE_OF_TWO: ReadonlySet<string> = new Set(['system_admins users', 'webhooks secret']);

/** The example with nothing in it that forms call optional. */
function requiredOf({ members }: ObjectField, value: Json): JsonObject {
  if (!isObject(value)) return {};
  const isKept = ({ kind, isRequired }: Field) => isRequired || kind === 'variant' || kind === 'choice' || kind === 'settings';
  const kept = members.flatMap((field): [string, Json][] => {
    const given = value[field.name];
    if (given === undefined || (!isKept(field) && field.kind !== 'object')) return [];
    return [[field.name, field.kind === 'object' ? requiredOf(field, given) : given]];
  });
  return Object.fromEntries(kept);
}

const WRONG: readonly Json[] = ['', 'no such ! thing', -1];

/** The example with one thing wrong at a time. */
function* spoilt(value: Json): Generator<JsonObject> {
  for (const one of spoiltIn(value)) if (isObject(one)) yield one;
}

function* spoiltIn(value: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) for (const wrong of spoiltIn(item)) yield value.with(at, wrong);
    if (value.length > 0) yield [...value, value[0]!];
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) for (const wrong of spoiltIn(member)) yield { ...value, [name]: wrong };
  } else {
    yield* WRONG.filter((wrong) => typeof wrong === typeof value);
  }
}
