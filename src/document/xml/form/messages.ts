// The messages about an element that violates the format, in the words of GoCD.
import { capitalised } from '../../../shape/problems/messages.ts';

/** `pluginId` → `Plugin id` */
function humanised(name: string): string {
  return capitalised(name.replace(/[a-z](?=[A-Z])/g, '$& ').toLowerCase());
}

const MAX_QUOTE_LENGTH = 500;

function quoted(value: string): string {
  return value.length > MAX_QUOTE_LENGTH ? `${value.slice(0, MAX_QUOTE_LENGTH)}…` : value;
}

export function invalidValue(value: string, element: string, attribute: string): string {
  return `"${quoted(value)}" is invalid for ${humanised(element)} ${attribute}`;
}

export function missingAttribute(attribute: string, element: string): string {
  return `"${humanised(attribute)}" is required for ${humanised(element)}`;
}

/** The name of a type states its use: `nameType`. */
export function patternMismatch(type: string, value: string, pattern: string): string {
  return `${humanised(type).replace(/ type$/, '')} is invalid. "${quoted(value)}" should conform to the pattern - ${pattern}`;
}

export function tooLong(type: string, value: string, maxLength: number): string {
  return `Value '${quoted(value)}' with length = '${value.length}' is not facet-valid with respect to maxLength '${maxLength}' for type '${type}'.`;
}

export function unknownElement(name: string): string {
  return `Invalid XML tag "${name}" found.`;
}

export function unknownAttribute(name: string, element: string): string {
  return `Attribute '${name}' is not allowed to appear in element '${element}'.`;
}

export function invalidText(value: string, type: string): string {
  return `'${quoted(value)}' is not a valid value for '${type}'.`;
}

export function declaredTwice(value: string, element: string): string {
  return `Duplicate unique value [${quoted(value)}] declared for identity constraint of element "${element}".`;
}

export function textBetweenElements(element: string): string {
  return `Element '${element}' cannot have character [children], because the type's content type is element-only.`;
}

export function misplacedElement(child: string, expected: readonly string[]): string {
  const rest = expected.length > 0 ? `One of '{${expected.join(', ')}}' is expected.` : 'No child element is expected at this point.';
  return `Invalid content was found starting with element '${child}'. ${rest}`;
}

export function incomplete(element: string, expected: readonly string[]): string {
  return `The content of element '${element}' is not complete. One of '{${expected.join(', ')}}' is expected.`;
}
