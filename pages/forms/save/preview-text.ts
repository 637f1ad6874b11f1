// What the button says that shows a change before it is made.

/** `action` is what the button of the next step says. */
export function previewText(action = 'Save'): string {
  return `Preview and ${action.toLowerCase()} …`;
}
