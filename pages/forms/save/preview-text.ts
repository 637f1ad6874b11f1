// The label of the button that shows a change before it is made.

/** `action` is the label of the button of the next step. */
export function previewText(action = 'Save'): string {
  return `Preview and ${action.toLowerCase()} …`;
}
