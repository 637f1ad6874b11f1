// Parameters: values for `#{name}` in the texts of the pipeline and of its template.

import { path } from '../../api/address.ts';
import { useApi } from '../../api/queries.ts';
import { TextField } from '../../forms/edit/fields.tsx';
import { add, indices, item, type Lens, lengthOf, member, remove } from '../../forms/edit/lens.ts';
import { type Parameter, type Pipeline, TEMPLATES_VERSION } from '../pipeline.ts';

export function ParametersForm({ lens }: { readonly lens: Lens<Pipeline> }) {
  const list = member(lens, 'parameters');
  const count = lengthOf(list).value;
  return (
    <section class="form-list">
      <p class="quiet">#{'{name}'} in any text of the pipeline or of its template stands for the value of the parameter.</p>
      <Missing lens={lens} list={list} />
      {indices(count).map((index) => (
        // Names change while they are typed.
        <ParameterRow key={index} list={list} index={index} />
      ))}
      <button type="button" class="button" onClick={() => add(list, { name: '', value: '' })}>
        Add a parameter
      </button>
    </section>
  );
}

function ParameterRow({ list, index }: { readonly list: Lens<readonly Parameter[]>; readonly index: number }) {
  const lens = item(list, index);
  return (
    <div class="row-of-fields">
      <TextField label="Name" lens={member(lens, 'name')} />
      <TextField label="Value" lens={member(lens, 'value')} />
      <button
        type="button"
        class="icon-button"
        aria-label={`Remove the parameter ${lens.now.peek().name}`}
        onClick={() => remove(list, index)}
      >
        ×
      </button>
    </div>
  );
}

/** Parameters that the template uses and the pipeline has no value for. */
function Missing({ lens, list }: { readonly lens: Lens<Pipeline>; readonly list: Lens<readonly Parameter[]> }) {
  const template = member(lens, 'template').now.value;
  const { data } = useApi<{ readonly parameters: readonly string[] }>(
    path`/api/admin/templates/${template ?? ''}/parameters`,
    TEMPLATES_VERSION,
    { isEnabled: template !== null },
  );
  const known = new Set(list.now.value.map(({ name }) => name));
  const missing = template === null ? [] : (data?.parameters ?? []).filter((name) => !known.has(name));
  if (missing.length === 0) return null;
  return (
    <p class="stale">
      The template {template} also uses {missing.join(', ')}.{' '}
      <button
        type="button"
        class="link-button"
        onClick={() => list.set([...list.now.peek(), ...missing.map((name) => ({ name, value: '' }))])}
      >
        Add {missing.length === 1 ? 'it' : 'them'}
      </button>
    </p>
  );
}
