// A description: text between backticks is code.
export function Prose({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code key={at}>{part}</code>))}</>;
}
