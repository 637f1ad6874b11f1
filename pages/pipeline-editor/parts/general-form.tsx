// The settings of a whole pipeline: labels, locks, its template, its timer.
import { useApi } from '../../api/queries.ts';
import { currentSession } from '../../api/session.ts';
import { ChoiceField, TextField } from '../../forms/edit/fields.tsx';
import { type Lens, member } from '../../forms/edit/lens.ts';
import { withDefault } from '../../forms/edit/with-default.ts';
import { withTemplate } from '../choices.ts';
import { type Pipeline, TEMPLATES_VERSION, type TrackingTool } from '../pipeline.ts';
import { TimerFields } from './timer-fields.tsx';

const LOCKS = [
  { value: 'none', label: 'Several runs at once' },
  { value: 'lockOnFailure', label: 'One run at a time; a failed one locks it until a user unlocks it' },
  { value: 'unlockWhenFinished', label: 'One run at a time; the next one begins when it has finished' },
];
const NEW_TOOL: TrackingTool = { type: 'generic', attributes: { url_pattern: '', regex: '' } };

export function GeneralForm({ lens }: { readonly lens: Lens<Pipeline> }) {
  return (
    <>
      <TextField
        label="Label of runs"
        lens={member(lens, 'label_template')}
        hint="${COUNT} stands for the number of the run, ${NAME} for the revision of the material of that name."
      />
      <ChoiceField label="Runs" lens={member(lens, 'lock_behavior')} choices={LOCKS} />
      <TemplateField lens={lens} />
      <TimerFields lens={member(lens, 'timer')} />
      <TrackingFields lens={member(lens, 'tracking_tool')} />
    </>
  );
}

interface TemplatesAnswer {
  readonly _embedded: { readonly templates: readonly { readonly name: string }[] };
}

function TemplateField({ lens }: { readonly lens: Lens<Pipeline> }) {
  const isEnabled = currentSession()?.can?.view_templates ?? false;
  const { data } = useApi<TemplatesAnswer>('/api/admin/templates', TEMPLATES_VERSION, { isEnabled });
  const { template } = lens.now.value;
  const choices = (data?._embedded.templates ?? []).map(({ name }) => ({ value: name, label: `the template ${name}` }));
  const field = {
    path: [...lens.path, 'template'],
    now: member(lens, 'template').now,
    set: (name: string) => lens.set(withTemplate(lens.now.peek(), name === '' ? null : name)),
  };
  return (
    <ChoiceField
      label="Stages"
      lens={field}
      choices={[{ value: '', label: 'of its own' }, ...choices]}
      hint={template === null ? undefined : 'What the template takes as #{name} stands under Parameters.'}
    />
  );
}

function TrackingFields({ lens }: { readonly lens: Lens<TrackingTool | null> }) {
  if (lens.now.value === null)
    return (
      <button type="button" class="button" onClick={() => lens.set(NEW_TOOL)}>
        Link numbers in commit messages
      </button>
    );
  const attributes = member(withDefault(lens, NEW_TOOL), 'attributes');
  return (
    <fieldset>
      <legend>Numbers in commit messages</legend>
      <TextField
        label="Address"
        lens={member(attributes, 'url_pattern')}
        hint="${ID} stands for the number: https://issues.example.org/${ID}"
      />
      <TextField label="What finds the number" lens={member(attributes, 'regex')} hint="A regular expression, such as #(\d+)" />
      <button type="button" class="button" onClick={() => lens.set(null)}>
        Remove the links
      </button>
    </fieldset>
  );
}
