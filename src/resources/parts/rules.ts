// Rules on references: each allows or denies them by the kind and the name of the other entity.
import type { Choices, FieldDescription } from '../../shape/described.ts';
import { type Field, required } from '../../shape/field.ts';
import { checkedText, listOf } from '../../shape/fields.ts';
import { type Problem, problemUnless } from '../../shape/problems/problem.ts';

export interface Rule {
  readonly directive: string;
  readonly action: string;
  readonly type: string;
  readonly resource: string;
}

const DIRECTIVES = { allow: 'Allow', deny: 'Deny' };
const ACTIONS = { refer: 'Refer' };

/** `types`: with their labels. */
export function rulesOn(types: Choices, described: FieldDescription): Field<readonly Rule[]> {
  return listOf(
    {
      directive: required(
        checkedText({ choices: DIRECTIVES, description: '`allow` or `deny`.', hint: 'Whether this is allowed or denied.' }),
      ),
      action: required(checkedText({ choices: ACTIONS, description: '`refer`.', hint: 'To use it.' })),
      type: required(
        checkedText({
          choices: { '*': 'Everything', ...types },
          description: `${Object.keys(types)
            .map((type) => `\`${type}\``)
            .join(', ')} or \`*\`.`,
          hint: 'The kind of things.',
        }),
      ),
      resource: required(checkedText({ label: 'Name', description: 'A name; `*` and `?` are wildcards.' })),
    },
    described,
  );
}

export function ruleProblems(rules: readonly Rule[], known: Choices): Problem[] {
  const types = Object.keys(known);
  return rules.flatMap(({ directive, action, type, resource }, index) => {
    const at = (key: string) => ['rules', index, key];
    return [
      ...problemUnless(
        directive === 'allow' || directive === 'deny',
        at('directive'),
        "Invalid directive, must be either 'allow' or 'deny'.",
      ),
      ...problemUnless(['refer', '*'].includes(action.toLowerCase()), at('action'), 'Invalid action, must be one of [refer].'),
      ...problemUnless(
        type === '*' || types.includes(type.toLowerCase()),
        at('type'),
        `Invalid type, must be one of [${types.join(', ')}].`,
      ),
      ...problemUnless(resource.trim() !== '', at('resource'), 'Resource cannot be blank.'),
    ];
  });
}
