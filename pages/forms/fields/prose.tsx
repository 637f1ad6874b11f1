// A description: text between backticks is code.
export function Prose({ text }: { readonly text: string }) {
  return <>{text.split('`').map((lens, at) => (at % 2 === 0 ? lens : <code key={at}>{lens}</code>))}</>;
}
