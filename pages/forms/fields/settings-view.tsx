// Settings of a plugin: those that it declares as fields, others as keys with values.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SettingsNode } from '../model/node.ts';
import { emptySetting, type Setting, settingOf, withDeclared } from '../model/settings.ts';
import { declaredSettings, type PluginSettings } from '../names/plugins.ts';
import { forgetProblems, Problems } from './frame.tsx';
import { Prose } from './prose.tsx';
import { SettingRow, SettingView } from './setting-view.tsx';

/** A name that is still being typed names nothing. */
const TYPING_MS = 250;

export function SettingsView({ node }: { readonly node: SettingsNode }) {
  const { field, settings, problems, namedBy } = node;
  const found = useDeclared(node);
  const declared = found?.settings;
  const isUnknown = found === undefined && namedBy?.value !== '';
  const fields = (declared ?? []).flatMap((one) => {
    const setting = settingOf(settings.value, one);
    return setting ? [{ setting, declared: one }] : [];
  });
  // Also a second one with the same key, so that it can be removed.
  const others = settings.value.filter((one) => !fields.some(({ setting }) => setting === one));
  return (
    <fieldset class="group">
      <legend>{field.label}</legend>
      {found === undefined && namedBy?.value === '' && <p class="quiet">Which settings there are says the plugin: choose it first.</p>}
      {isUnknown && (
        <p class="quiet">
          <Prose text={field.about ?? ''} />
        </p>
      )}
      {found !== undefined && declared === undefined && (
        <p class="stale" role="status">
          The plugin {found.plugin} cannot be used here.
        </p>
      )}
      {declared?.length === 0 && <p class="quiet">This plugin takes no settings here.</p>}
      <Problems problems={problems.value} />
      {fields.map(({ setting, declared: one }) => (
        <SettingView key={setting.id} setting={setting} declared={one} />
      ))}
      <Others node={node} settings={others} isOffered={isUnknown} />
    </fieldset>
  );
}

interface OthersProps {
  readonly node: SettingsNode;
  readonly settings: readonly Setting[];
  /** Whether the user can add more: only where the declared settings are unknown. */
  readonly isOffered: boolean;
}

/** Settings that the plugin does not declare, or that it would declare if it were installed. */
function Others({ node: { settings, problems }, settings: others, isOffered }: OthersProps) {
  const change = (next: readonly Setting[]): void => {
    settings.value = next;
    forgetProblems(problems);
  };
  const rows = useRef<HTMLUListElement>(null);
  const add = (): void => {
    change([...settings.peek(), emptySetting('', true)]);
    // The new row is drawn in the next frame.
    requestAnimationFrame(() => rows.current?.lastElementChild?.querySelector('input')?.focus());
  };
  return (
    <>
      {others.length > 0 && (
        <ul ref={rows} class="rows" aria-label="Other settings">
          {others.map((setting) => (
            <li key={setting.id}>
              <SettingRow setting={setting} onRemove={() => change(settings.peek().filter((one) => one !== setting))} />
            </li>
          ))}
        </ul>
      )}
      {isOffered && (
        <button type="button" class="button" onClick={add}>
          Add a setting
        </button>
      )}
    </>
  );
}

/** The settings that the plugin declares; undefined: not known. Each gets a place in the form. */
function useDeclared({ field, settings, namedBy }: SettingsNode): PluginSettings | undefined {
  const [declared, setDeclared] = useState<PluginSettings>();
  const name = namedBy?.value ?? '';
  useEffect(() => {
    let isWanted = true;
    const take = (found: PluginSettings | undefined): void => {
      if (!isWanted) return;
      settings.value = withDeclared(settings.peek(), found?.settings ?? []);
      setDeclared(found);
    };
    const timer = setTimeout(
      () => declaredSettings(field.plugin, name).then(take, () => take(undefined)),
      declared === undefined ? 0 : TYPING_MS,
    );
    return () => {
      isWanted = false;
      clearTimeout(timer);
    };
  }, [name]);
  return declared;
}
