// Fills in forms as people do: by the labels they read.
import type { Locator } from 'playwright-core';
import { isObject, type Json, type JsonObject, textOf } from '../../../pages/api/json.ts';
import { declaredBy, type PluginInfo } from '../../../pages/forms/model/declared.ts';
import { type Field, type ObjectField, type SettingsField, singularOf } from '../../../pages/forms/schema/fields.ts';

/** Finds the plugin of a settings field: the plugin decides about the labels. */
export type PluginFor = (field: SettingsField, holder: JsonObject) => PluginInfo | undefined;

export function controlOf(scope: Locator, label: string): Locator {
  return scope.getByLabel(label, { exact: true }).and(scope.locator('input, select, textarea')).first();
}

export async function fillIn(scope: Locator, { members }: ObjectField, value: JsonObject, pluginFor: PluginFor): Promise<void> {
  for (const field of members) {
    const given = value[field.name];
    if (given !== undefined && given !== null) await fillOne(scope, field, given, value, pluginFor);
  }
}

async function fillOne(scope: Locator, field: Field, given: Json, holder: JsonObject, pluginFor: PluginFor): Promise<void> {
  const control = controlOf(scope, field.label);
  const inGroup = scope.getByRole('group', { name: field.label, exact: true });
  if (field.kind === 'boolean') await control.setChecked(given === true);
  else if (field.kind === 'choice') await control.selectOption(textOf(given));
  else if (field.kind === 'texts') await fillTexts(scope, field.label, given, field.resource !== undefined);
  else if (field.kind === 'object' && isObject(given)) await fillIn(inGroup, field, given, pluginFor);
  else if (field.kind === 'settings') await fillSettings(inGroup, field, given, pluginFor(field, holder));
  else if (field.kind === 'list') await fillList(inGroup, field.label, field.item, given, pluginFor);
  else if (field.kind === 'variant') {
    const chosen = field.variants.find(({ value }) => value === textOf(holder[field.discriminator]));
    if (chosen?.field.kind === 'object' && isObject(given)) await fillIn(scope, chosen.field, given, pluginFor);
  } else await control.fill(textOf(given));
}

async function fillTexts(scope: Locator, label: string, given: Json, isPicked: boolean): Promise<void> {
  const texts = Array.isArray(given) ? given.map(textOf) : [];
  if (!isPicked) return controlOf(scope, label).fill(texts.join('\n'));
  for (const text of texts) {
    await controlOf(scope, label).fill(text);
    await controlOf(scope, label)
      .locator('xpath=ancestor::div[@class="names-add"]')
      .getByRole('button', { name: 'Add', exact: true })
      .click();
  }
}

async function fillList(scope: Locator, label: string, item: Field, given: Json, pluginFor: PluginFor): Promise<void> {
  const singular = singularOf(label);
  for (const [at, one] of (Array.isArray(given) ? given : []).entries()) {
    await scope.getByRole('button', { name: `Add ${singular.toLowerCase()}`, exact: true }).click();
    const row = scope.getByRole('group', { name: `${singular} ${at + 1}`, exact: true });
    if (item.kind === 'object' && isObject(one)) await fillIn(row, item, one, pluginFor);
  }
}

async function fillSettings(scope: Locator, field: SettingsField, given: Json, plugin: PluginInfo | undefined): Promise<void> {
  const declared = plugin && declaredBy(plugin, field.plugin);
  for (const setting of Array.isArray(given) ? given.filter(isObject) : []) {
    const [key, value] = [textOf(setting.key), textOf(setting.value)];
    const known = declared?.find((one) => one.key === key);
    if (known === undefined) {
      await scope.getByRole('button', { name: 'Add a setting' }).click();
      await scope.getByLabel('Key').last().fill(key);
      await scope.getByLabel(`Value of ${key}`).fill(value);
    } else if (known.kind === 'choice' || known.kind === 'boolean') await controlOf(scope, known.label).selectOption(value);
    else await controlOf(scope, known.label).fill(value);
  }
}
